import { describe, expect, it } from 'vitest';
import { managerAppearances, stepAppearances, workflowStates } from '#api/states.ts';
import { allWorkflowsVisible, sampleLayer } from '#dashboard/fixtures/sampleLayer.ts';
import type { Mark } from '../moments/marks.ts';
import type { Outage } from '../moments/outages.ts';
import { timelineTexts } from '../texts.ts';
import { formatSpan, describeSummary, summarizeSpan, type Summary } from './summary.ts';
import { formatCsv } from '#dashboard/components/table/rows/csv.ts';
import { stepColumns, toStepRow, listSteps } from './steps.ts';

const texts = timelineTexts.summary;
const text = (index: number | undefined) => `text ${index ?? 0}`;
const range = { from: 0, to: 100 };
const allLanes = new Set(['arm', 'reader']);
const layer = sampleLayer([
  { start: 0, end: 10, owner: 0 },
  { start: 10, end: 40, owner: 1, waiting: true },
  { start: 40, end: 45, owner: 1 },
  { start: 90, end: Infinity, owner: 2, state: 'running' },
  { start: 5, end: 95, owner: 3, lane: 'reader', waiting: true },
  { start: 20, end: 30, owner: 3, lane: 'reader' },
  { start: 120, end: 130, owner: 3, lane: 'reader' },
]);
const input = { layer, texts: text, visibleWorkflows: allWorkflowsVisible };

describe('the steps in the time range', () => {
  it('are the runs that touch it, newest first, limited and counted', () => {
    const { rows, total } = listSteps(input, range, 100, allLanes, 3);
    expect(rows.map(({ start }) => start)).toEqual([90, 40, 20]);
    expect(total).toBe(4);
    expect(rows[0]).toMatchObject({
      end: null,
      state: 'running',
      lane: 'arm',
      workflow: 'text 3',
      workflowId: 'text 3',
    });
  });

  it('are only those of the shown lanes and workflows', () => {
    expect(listSteps(input, range, 100, new Set(['reader']), 9).rows.map(({ start }) => start)).toEqual([20]);
    expect(listSteps({ ...input, visibleWorkflows: Uint8Array.of(1, 0, 0, 0) }, range, 100, allLanes, 9).total).toBe(1);
  });

  it('are saved with ID and author of their workflow and their error, independent of the shown columns', () => {
    const failed = sampleLayer([{ start: 0, end: 10, owner: 0, state: 'failed' }]);
    const { rows } = listSteps({ ...input, layer: failed }, range, 100, allLanes, 9);
    const columns = stepColumns(Date.now(), (id) => id);
    const saved = formatCsv(
      columns.filter(({ hidden }) => hidden !== true),
      rows,
    );
    const [heads = '', line = ''] = saved.trim().split('\r\n');
    const { workflow, id, author, error, state } = timelineTexts.table.columns;
    for (const title of [workflow, id, author, error, state]) expect(heads.split(',')).toContain(title);
    expect(line.split(',')).toContain('text 2');
    // Each is exported also if only its own column is visible.
    for (const key of ['id', 'author', 'error'] as const) {
      const single = columns.filter((column) => column.key === key);
      expect(formatCsv(single, rows).split('\r\n')[0]).toContain(timelineTexts.table.columns[key]);
    }
    // A column made visible is not exported twice.
    const titles = (formatCsv(columns, rows).trim().split('\r\n')[0] ?? '').split(',');
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('have unique keys', () => {
    const keys = [0, 1, 2, 3].map((entry) => toStepRow(layer, text, entry, 'arm').key);
    expect(new Set(keys).size).toBe(4);
  });
});

const mark = (at: number, kind: Mark['kind'], node: string | null): Mark => ({
  id: `${at}`,
  at,
  node,
  kind,
  level: 40,
  appearance: stepAppearances.failed,
  text: '',
});
const outage = (name: string, start: number, end: number | null, overrides: Partial<Outage> = {}): Outage => ({
  name,
  node: null,
  isMaintenance: false,
  appearance: managerAppearances.unreachable,
  start,
  end,
  unwatchedMs: 0,
  reason: null,
  ...overrides,
});

describe('the summary of the time range', () => {
  const state = (name: (typeof workflowStates)[number]) => workflowStates.indexOf(name);
  const workflows = {
    ...layer.workflows,
    state: Uint8Array.of(state('completed'), state('failed'), state('running'), state('completed')),
    endedAt: Float64Array.of(10, 45, Number.NaN, 130),
  };
  const parts = {
    layer: { ...layer, workflows },
    visibleWorkflows: allWorkflowsVisible.slice(0, 4),
    lanes: allLanes,
    marks: [mark(50, 'error', 'arm'), mark(60, 'stop', null), mark(70, 'command', 'arm'), mark(150, 'error', 'arm')],
    outages: [
      outage('data', -50, 20),
      outage('event', 90, null),
      outage('data', 30, 31),
      outage('arm', 40, 50, { node: 'arm' }),
      outage('lab', 0, 99, { isMaintenance: true }),
    ],
    unwatched: [],
  };

  it('counts no outage while the lab manager did not watch', () => {
    const unwatched = [
      { from: -20, to: 15 },
      { from: 42, to: 47 },
      { from: 92, to: 99 },
    ];
    const { outages, nodeOutages } = summarizeSpan({ ...parts, unwatched }, range, 99);
    expect(outages).toEqual([
      { name: 'data', ms: 6 },
      { name: 'event', ms: 2 },
    ]);
    expect(nodeOutages).toEqual([{ name: 'arm', ms: 5 }]);
  });

  it('counts everything inside the range', () => {
    expect(summarizeSpan(parts, range, 99)).toEqual({
      completed: 1,
      failed: 1,
      cancelled: 0,
      running: 1,
      longestWait: { entry: 4, ms: 90 },
      nodeErrors: 1,
      stops: 1,
      outages: [
        { name: 'data', ms: 21 },
        { name: 'event', ms: 9 },
      ],
      nodeOutages: [{ name: 'arm', ms: 10 }],
    } satisfies Summary);
  });

  it('counts a safety stop once, however many nodes log it', () => {
    const minute = 60_000;
    const stops = [
      mark(1000, 'stop', 'reader'),
      mark(2000, 'stop', null),
      mark(3000, 'stop', 'arm'),
      mark(30 * minute, 'stop', 'arm'),
      mark(30 * minute + 5000, 'stop', 'reader'),
      mark(50 * minute, 'stop', null),
      mark(50 * minute + 10_000, 'stop', null),
    ];
    const count = (from: number, to: number) => summarizeSpan({ ...parts, marks: stops }, { from, to }, 99).stops;
    expect(count(0, 60 * minute)).toBe(4);
    expect(count(2500, minute)).toBe(0);
  });

  it('is restricted to the shown lanes', () => {
    const seen = summarizeSpan({ ...parts, lanes: new Set(['reader']) }, range, 99);
    expect(seen).toMatchObject({ completed: 0, failed: 0, running: 0, nodeErrors: 0, stops: 1, nodeOutages: [] });
    expect(seen.longestWait?.entry).toBe(4);
  });

  it('counts no workflow in a range without endings, and has no wait before the first read', () => {
    expect(summarizeSpan(parts, { from: 60, to: 70 }, 99)).toMatchObject({ completed: 0, failed: 0, running: 0 });
    expect(
      summarizeSpan({ ...parts, layer: null, visibleWorkflows: new Uint8Array(0) }, range, 99).longestWait,
    ).toBeNull();
  });
});

describe('the summary sentence', () => {
  const now = new Date(2026, 10, 22, 9).getTime();
  const night = { from: new Date(2026, 10, 21, 18).getTime(), to: new Date(2026, 10, 22, 8).getTime() };
  const calm: Summary = {
    completed: 0,
    failed: 0,
    cancelled: 0,
    running: 0,
    longestWait: null,
    nodeErrors: 0,
    stops: 0,
    outages: [],
    nodeOutages: [],
  };
  const summarizedSpan = {
    summary: calm,
    wait: null,
    range: night,
    readSince: null,
    unwatchedMs: 0,
    hasReadWorkflows: true,
    hasReadMarks: true,
    now,
  };

  it.each<[string, Partial<Parameters<typeof describeSummary>[0]>, readonly string[]]>([
    [
      'a night with failures only',
      { summary: { ...calm, failed: 2 } },
      ['No workflow completed', texts.failed(2), texts.noErrors, texts.noOutages],
    ],
    ['a calm night', {}, [texts.none, texts.noErrors, texts.noOutages]],
    [
      'a night with failures, a wait, errors and an outage',
      {
        summary: {
          ...calm,
          completed: 12,
          failed: 1,
          longestWait: { entry: 0, ms: 42 * 60_000 },
          nodeErrors: 3,
          outages: [{ name: 'data', ms: 360_000 }],
        },
        wait: { step: 'Read', workflow: 'Growth' },
      },
      [
        texts.completed(12),
        texts.failed(1),
        'longest wait 42 min (Read of Growth)',
        texts.errors(3),
        texts.outage('data', '6 min'),
      ],
    ],
    [
      'an unreachable node, without claiming that there were no errors',
      { summary: { ...calm, nodeOutages: [{ name: 'arm', ms: 60_000 }] } },
      [texts.none, texts.outage('arm', '1 min')],
    ],
    [
      'many unreachable nodes',
      { summary: { ...calm, nodeOutages: ['a', 'b', 'c'].map((name) => ({ name, ms: 120_000 })) } },
      [texts.none, texts.nodeOutages(3, 'a', '2 min')],
    ],
    [
      'unread events and a night that was mostly not watched',
      { unwatchedMs: 13 * 3_600_000, hasReadMarks: false },
      [texts.none, 'node errors are unknown', 'no outages in the 1 h in which the lab manager watched'],
    ],
    [
      'a night without monitoring',
      { unwatchedMs: 14 * 3_600_000 },
      [texts.none, texts.noErrors, 'outages are unknown because the lab manager was not watching'],
    ],
    [
      'a lab without a response of its workcell manager',
      { hasReadWorkflows: false },
      ['Ended workflows are unknown', texts.noErrors, texts.noOutages],
    ],
    [
      'running workflows',
      { hasReadWorkflows: false, summary: { ...calm, running: 2 } },
      ['Ended workflows are unknown', texts.running(2), texts.noErrors, texts.noOutages],
    ],
    [
      'no wait when it is short',
      { summary: { ...calm, longestWait: { entry: 0, ms: 5000 } }, wait: { step: 'a', workflow: 'b' } },
      [texts.none, texts.noErrors, texts.noOutages],
    ],
  ])('describes %s', (_what, changed, parts) => {
    expect(describeSummary({ ...summarizedSpan, ...changed })).toBe(`${parts.join(', ')}.`);
  });

  it('names the start of the loaded workflows if it is inside the range', () => {
    const readSince = new Date(2026, 10, 22, 1).getTime();
    expect(describeSummary({ ...summarizedSpan, readSince })).toMatch(
      new RegExp(`Workflows are counted since 01:00; earlier ones are not loaded.$`),
    );
    expect(describeSummary({ ...summarizedSpan, readSince: night.from - 1 })).not.toContain(
      'Workflows are counted since 01:00; earlier ones are not loaded.'.slice(0, 20),
    );
  });

  it('names a day that both ends of the range share only once', () => {
    expect(formatSpan(night, now)).toBe('21 Nov 18:00 – 22 Nov 08:00');
    expect(formatSpan({ from: night.from, to: night.from + 3_600_000 }, now)).toBe('21 Nov 18:00 – 19:00');
  });
});

it('the texts about the archive agree in number with the count of workflows', () => {
  const { whole, newest } = timelineTexts.scope;
  expect([whole(1), newest(1, 'noon')].join(' ')).not.toMatch(/1|were/);
  expect(whole(1200)).toBe('All 1,200 archived workflows were read.');
  expect(whole(0)).toBe('The archive is empty.');
});
