/** What needs a person on a page, from the service's status and the workcell manager's response. */
import { expect, it, vi } from 'vitest';
import { listNeeds } from '#api/lab/needs.ts';
import type { WorkcellState } from '#api/managers/workcell.ts';
import { parseTime } from '../../base/time.ts';
import { createPublishedHistory } from '../../fixtures/managerResponses.ts';
import { runInComponent } from '../../fixtures/mounted.ts';
import { sampleLabStatus, sampleTime } from '../../fixtures/sampleLabStatus.ts';
import { sampleNode, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { respondAsLab } from '../../fixtures/workcellResponses.ts';
import { createNodeStateStart } from '../workcell/nodeState.ts';
import { createConditions, useNeeds } from './useNeeds.ts';

const workcell = (changes: Partial<WorkcellState>): WorkcellState => ({
  status: { paused: false, errored: false, errors: [], initializing: false, shutdown: false, locked: false, ok: true },
  workflow_queue: [],
  workcell_info: { name: 'Example Workcell' },
  nodes: {},
  ...changes,
});
function list(changes: Partial<WorkcellState> | undefined, status = sampleLabStatus('healthy')) {
  const conditions = createConditions({
    status,
    workcell: changes && workcell(changes),
    stop: null,
    since: createNodeStateStart([], parseTime),
    parseStamp: parseTime,
  });
  return listNeeds(conditions).map(({ name, appearance, reason, since, blocked }) => ({
    text: `${name}: ${appearance.label}${reason === '' ? '' : `: ${reason}`}`,
    since,
    blocked,
  }));
}

it('the conditions contain the nodes with their reasons and the workflows that wait for them, each once', () => {
  const errors = [{ message: 'filter wheel did not home', logged_at: sampleTime(13, 57) }];
  const nodes = { arm: sampleNode({ paused: true }), reader: sampleNode({ errored: true, busy: true, errors }) };
  const running = sampleWorkflow({ workflow_id: 'c' }, { running: true });
  const queue = [sampleWorkflow(), sampleWorkflow(), sampleWorkflow({ workflow_id: 'b' }), running];
  expect(list({ nodes, workflow_queue: queue })).toEqual([
    { text: 'arm: Paused', since: null, blocked: 2 },
    { text: 'reader: Error, busy: filter wheel did not home', since: parseTime(sampleTime(13, 57)), blocked: 0 },
  ]);
});

it('the conditions contain a workflow that no node blocks, and an engine that has stopped', () => {
  const reasons = ['Node washer not found in workcell'];
  const status = {
    ...workcell({}).status,
    errored: true,
    errors: [{ message: 'database lost', logged_at: sampleTime(14, 0) }],
  };
  expect(list({ status, workflow_queue: [sampleWorkflow({ scheduler_metadata: { reasons } })] })).toEqual([
    {
      text: expect.stringMatching(/^Example Workcell: Error: .*No step starts: database lost$/),
      since: parseTime(sampleTime(14, 0)),
      blocked: 0,
    },
    { text: 'Growth assay: Blocked: the workcell has no node washer', since: null, blocked: 1 },
  ]);
});

it('the conditions are those of the service until the page has read the workcell manager', () => {
  const arm = { name: 'arm', state: 'locked' as const, reason: null, since: sampleTime(14, 0), waiting: 3 };
  const status = {
    ...sampleLabStatus('healthy'),
    activity: { nodes: { total: 1, in_need: [arm] }, ended_workflows: [] },
  };
  expect(list(undefined, status)).toMatchObject([{ text: 'arm: Locked', blocked: 3 }]);
  expect(list({ nodes: { arm: sampleNode() } }, status)).toEqual([]);
});

it('useNeeds omits a node in maintenance', async () => {
  respondAsLab({ nodes: { arm: sampleNode({ errored: true }), reader: sampleNode({ errored: true }) } });
  const respondAsWorkcell = globalThis.fetch;
  const from = new Date().toISOString();
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const history = {
    ...createPublishedHistory({}),
    maintenance: [{ kind: 'node', id: 'arm', name: 'arm', from, until }],
  };
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
    new URL(input).pathname === '/lab_health/history'
      ? Promise.resolve(Response.json(history))
      : respondAsWorkcell(input, init),
  );
  const { result } = runInComponent(useNeeds);
  await vi.waitFor(() => expect(result.value.current.map(({ name }) => name)).toEqual(['reader']));
});
