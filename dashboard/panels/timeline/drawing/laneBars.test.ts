import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { managerAppearances, stepAppearances, stepStates } from '#api/states.ts';
import { allWorkflowsVisible, sampleLayer, type SampleEntry } from '#dashboard/fixtures/sampleLayer.ts';
import { fitLanes, listLaneKeys, stackLanes } from './lanes.ts';
import { findBarToFocus, pickElement } from './pickElement.ts';
import { listBars, columnWidth } from './laneBars.ts';

const view = { from: 0, to: 1000, width: 100, now: 900 };
const describeBars = (entries: readonly SampleEntry[]) =>
  listBars(sampleLayer(entries), 0, view, allWorkflowsVisible).map(
    ({ x, width, state, waiting, count }) => `${x}+${width} ${waiting ? 'waits' : stepStates[state]} ${count}`,
  );

describe('the bars of a lane', () => {
  it.each<[string, readonly SampleEntry[], readonly string[]]>([
    ['as wide as their duration', [{ start: 100, end: 200 }], ['10+10 succeeded 1']],
    [
      'extended up to now while they are running',
      [{ start: 800, end: Infinity, state: 'running' }],
      ['80+10 running 1'],
    ],
    ['cut at the ends of the range', [{ start: -500, end: 2000 }], ['0+100 succeeded 1']],
    [
      'drawn with waits behind runs',
      [
        { start: 100, end: 200 },
        { start: 150, end: 250, waiting: true },
      ],
      ['15+10 waits 1', '10+10 succeeded 1'],
    ],
    [
      'merged to one per column with the worst state',
      [
        { start: 500, end: 501 },
        { start: 505, end: 506, state: 'failed' },
        { start: 510, end: 511 },
        { start: 530, end: 531 },
      ],
      ['48+4 failed 3', '52+4 succeeded 1'],
    ],
    [
      'merged to one with their number where they overlap in the last row',
      [
        { start: 100, end: 300, row: 11 },
        { start: 200, end: 400, row: 11, state: 'failed' },
        { start: 500, end: 600, row: 11 },
        { start: 250, end: 450, row: 3 },
      ],
      ['10+30 failed 2', '25+20 succeeded 1', '50+10 succeeded 1'],
    ],
    ['visible at the end of the range', [{ start: 1000, end: 1000 }], ['96+4 succeeded 1']],
    ['omitted before the range', [{ start: -10, end: -5 }], []],
  ])('are %s', (_what, entries, expected) => {
    expect(describeBars(entries)).toEqual(expected);
  });

  it('are at most one for each pixel column and show every failure', () => {
    const entries = fc.array(
      fc
        .record({ start: fc.integer({ min: 0, max: 1000 }), length: fc.nat(15), failed: fc.boolean() })
        .map(({ start, length, failed }): SampleEntry => ({
          start,
          end: start + length,
          state: failed ? 'failed' : 'succeeded',
        })),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(entries, (input) => {
        const bars = listBars(sampleLayer(input), 0, view, allWorkflowsVisible);
        expect(bars.length).toBeLessThanOrEqual(view.width / columnWidth);
        expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(input.length);
        for (const { start } of input.filter(({ state }) => state === 'failed')) {
          const pixel = Math.min(start / 10, view.width - columnWidth);
          const barAtPixel = bars.find(({ x, width }) => pixel >= x && pixel < x + width);
          expect(stepAppearances[stepStates[barAtPixel?.state ?? 0] ?? 'unknown'].label).toBe(
            stepAppearances.failed.label,
          );
        }
      }),
    );
  });

  it('exclude filtered workflows', () => {
    const layer = sampleLayer([
      { start: 0, end: 100, owner: 0 },
      { start: 200, end: 300, owner: 1 },
    ]);
    expect(listBars(layer, 0, view, Uint8Array.of(0, 1)).map(({ x }) => x)).toEqual([20]);
  });
});

describe('the lanes of the timeline', () => {
  it('are the workcell’s nodes, then former nodes, then the workcell manager', () => {
    const layer = sampleLayer([
      { start: 0, end: 1, lane: ':workcell' },
      { start: 0, end: 1, lane: 'old' },
    ]);
    expect(listLaneKeys(['arm', 'reader'], layer, null)).toEqual(['arm', 'reader', 'old', ':workcell']);
    expect(listLaneKeys(['arm', 'reader'], layer, 'old')).toEqual(['old']);
    expect(listLaneKeys(['arm'], null, null)).toEqual(['arm', ':workcell']);
  });

  it('omit the least busy ones when there is no space', () => {
    const busy: Readonly<Record<string, number>> = { a: 0.1, b: 0.9, c: 0.5 };
    const laneHeight = (key: string) => (key === 'b' ? 50 : 30);
    const fit = (availableHeight: number) =>
      fitLanes(['a', 'b', 'c'], (key) => busy[key] ?? 0, laneHeight, availableHeight);
    expect(fit(80)).toEqual({ fittingKeys: ['b', 'c'], remainingKeys: ['a'] });
    expect(fit(110)).toEqual({ fittingKeys: ['a', 'b', 'c'], remainingKeys: [] });
    expect(fit(0)).toEqual({ fittingKeys: ['b'], remainingKeys: ['a', 'c'] });
  });
});

describe('the selection', () => {
  const layer = sampleLayer([
    { start: 100, end: 200 },
    { start: 400, end: 500, state: 'failed' },
    { start: 100, end: 900, lane: 'reader', waiting: true },
    { start: 600, end: 700, lane: 'reader' },
  ]);
  const sizes = { row: 20, padding: 10 };
  const lanes = stackLanes(['arm', 'idle', 'reader'], layer, sizes, 1);
  const mark = {
    id: 'E',
    at: 300,
    node: 'arm',
    kind: 'error',
    level: 40,
    text: 'broke',
    appearance: stepAppearances.failed,
  } as const;
  const outage = {
    isMaintenance: false,
    appearance: managerAppearances.unreachable,
    unwatchedMs: 0,
    reason: null,
    row: 0,
  };
  const outages = [
    { ...outage, name: 'data', node: null, start: 0, end: null },
    { ...outage, name: 'idle', node: 'idle', start: 300, end: 400 },
  ];
  const drawing = {
    layer,
    lanes,
    sizes,
    visibleWorkflows: allWorkflowsVisible,
    view,
    marks: [mark],
    outages,
    font: 12,
  };

  it.each([
    ['a bar', 15, 15, 'step 0'],
    ['a bar close to the pointer', 22, 20, 'step 0'],
    ['nothing', 60, 15, null],
    ['a mark at the lane’s edge', 30, 5, 'mark'],
    ['nothing on a lane without runs', 15, 45, null],
    ['a run where it overlaps a wait', 65, 75, 'step 3'],
    ['a wait', 80, 75, 'step 2'],
    ['a wait below a run', 65, 88, 'step 2'],
    ['an outage', 50, 105, 'outage'],
    ['an outage of the lane’s node', 35, 45, 'outage'],
    ['nothing below everything', 50, 500, null],
  ])('by the pointer is %s', (_what, x, y, expected) => {
    const picked = pickElement(drawing, x, y);
    const text = picked === null ? null : picked.kind === 'step' ? `step ${picked.bar.entry}` : picked.kind;
    expect(text).toBe(expected);
  });

  it('by keys moves between bars and skips lanes without bars', () => {
    const at = (lane: string, x: number) => ({ lane, x });
    const entry = (...[from, step]: [Parameters<typeof findBarToFocus>[1], Parameters<typeof findBarToFocus>[2]]) =>
      findBarToFocus(drawing, from, step)?.bar.entry ?? null;
    expect(entry(null, 'next')).toBe(0);
    expect(entry(at('arm', 10), 'next')).toBe(1);
    expect(entry(at('arm', 40), 'next')).toBeNull();
    expect(entry(at('arm', 40), 'previous')).toBe(0);
    expect(entry(at('arm', 10), 'down')).toBe(3);
    expect(entry(at('reader', 60), 'up')).toBe(1);
  });
});
