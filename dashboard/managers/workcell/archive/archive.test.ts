import { describe, expect, it } from 'vitest';
import type { Workflow } from '#api/managers/workflow.ts';
import { sampleStep, sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import { parseCount, formatCount, nextCounts } from '../../transport/poll/newestPages.ts';
import { archiveCounts, reuseRows, mergeRows, describeScope } from './archive.ts';
import { toWorkflowRow } from '../workflowRow.ts';

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_row, index) =>
    toWorkflowRow(sampleWorkflow({ workflow_id: `W${from + index}` }, { completed: true })),
  );

describe('the searched part of the archive', () => {
  it.each([
    [{ rows: rows(50), requestedCount: 50 }, 'searched the newest 50', [200, 0]],
    [{ rows: rows(49), requestedCount: 50 }, 'searched all 49 archived', []],
    [{ rows: rows(200), requestedCount: 200 }, 'searched the newest 200', [1000, 0]],
    [{ rows: rows(1000), requestedCount: 1000 }, 'searched the newest 1,000', [0]],
    [{ rows: rows(1200), requestedCount: 0 }, 'searched all 1,200 archived', []],
    [{ rows: [], requestedCount: 50 }, 'the archive is empty', []],
  ])('is described, with the total only if the archive was read completely', (read, expected, more) => {
    expect(describeScope(read)).toEqual({ text: expected, nextCounts: more });
  });

  it.each([
    ['200', 200],
    ['all', 0],
    ['0', 50],
    ['7', 50],
    [undefined, 50],
    [{}, 50],
  ])('%j in the query string requests %i workflows', (value, count) => {
    expect(parseCount(archiveCounts, value)).toBe(count);
  });

  it('keeps every count in a round trip through the query string', () => {
    for (const count of [50, ...nextCounts(archiveCounts, 50), ...nextCounts(archiveCounts, 200)])
      expect(parseCount(archiveCounts, formatCount(count))).toBe(count);
  });
});

describe('the merged list of workflows', () => {
  const at = (id: string, submitted: string, flags: Parameters<typeof sampleWorkflow>[1]) =>
    toWorkflowRow(sampleWorkflow({ workflow_id: id, submitted_time: submitted }, flags));

  it('lists running, paused, queued, then ended workflows; queued oldest first, the others newest first', () => {
    const merged = mergeRows([
      at('old', '2026-11-20T10:00:00', { completed: true }),
      at('later', '2026-11-21T12:00:02', {}),
      at('sooner', '2026-11-21T12:00:01', {}),
      at('new', '2026-11-21T10:00:00', { failed: true }),
      at('held', '2026-11-21T11:00:00', { paused: true }),
      at('runs', '2026-11-21T09:00:00', { running: true }),
    ]);
    expect(merged.map(({ id }) => id)).toEqual(['runs', 'held', 'sooner', 'later', 'new', 'old']);
  });

  it('contains each workflow once, from the first source', () => {
    const now = at('A', '', { running: true });
    expect(mergeRows([now], [at('A', '', { completed: true })])).toEqual([now]);
  });

  it('stays the same array while nothing changes', () => {
    const previousRows = rows(3);
    expect(reuseRows(previousRows, [...previousRows])).toBe(previousRows);
    expect(reuseRows(previousRows, previousRows.slice(1))).not.toBe(previousRows);
  });
});

describe('the row of a workflow', () => {
  it.each<[string, Workflow, object]>([
    [
      'a workflow without steps',
      sampleWorkflow({ steps: [] }),
      { node: null, done: 0, total: 0, text: 'Queued', nodes: [] },
    ],
    [
      'a workflow at a built-in step',
      sampleWorkflow({ steps: [sampleStep({ node: null })] }, { running: true }),
      { node: '' },
    ],
    ['a workflow on a node', sampleWorkflow({}, { running: true }), { node: 'arm', text: 'Running step 1 of 1' }],
    [
      'an ended workflow, which is on no node',
      sampleWorkflow({ end_time: 'T' }, { failed: true }),
      { node: null, ended: 'T' },
    ],
    [
      'a retried workflow, which has no end yet',
      sampleWorkflow({ end_time: 'T', scheduler_metadata: { reasons: ['because'] } }),
      { ended: '', reasons: ['because'] },
    ],
    [
      'a workflow with states of a later MADSci',
      sampleWorkflow({ steps: [sampleStep({ status: 'levitating' })], definition_metadata: null }, { running: true }),
      { author: '', done: 0, experiment: '' },
    ],
  ])('is built for %s', (_name, workflow, fields) => {
    expect(toWorkflowRow(workflow)).toMatchObject(fields);
    expect(toWorkflowRow(workflow)).toBe(toWorkflowRow(workflow));
  });
});
