import { expect, it } from 'vitest';
import { labSummary } from '../../api/lab/fleet.ts';
import type { Incident, NodeActivity } from '../../api/lab/lab.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import type { WorkflowCounts } from '../lab/activity.ts';
import type { HistoryWindow } from '../history/labHistory.ts';
import { createTestModel, overrideStatus, setNodes } from '../fixtures/testModel.ts';
import { LabSummaries } from './labSummary.ts';

const at = '2026-11-23T14:00:00.000Z';
const incident = (changes: Partial<Incident>): Incident =>
  ({
    kind: 'node',
    id: 'arm',
    name: 'arm',
    state: 'errored',
    reason: 'door open',
    from: at,
    to: null,
    seconds: 5,
    ...changes,
  }) as Incident;
const stop: LabStop = {
  id: 'a',
  at,
  machine: 'lab-pc',
  application: 'dashboard',
  nodes: (['confirmed', 'sending'] as const).map((result) => ({
    name: result,
    workcell: '',
    result,
    reason: '',
    did: ['safety_stop'],
    before: [],
  })),
};

/** The summaries of a lab whose state the test sets. */
function createSummaries() {
  const model = createTestModel();
  const status = overrideStatus(model, {
    now: at,
    lab_name: 'Bench 4',
    state: 'degraded',
    since: at,
    healthy_managers: 5,
    total_managers: 6,
    managers: [],
    stops_read: true,
  });
  const lab = {
    incidents: [] as readonly Incident[],
    workflows: null as WorkflowCounts | null,
    last: null as { at: string | null; machine: string | null } | null,
    uses: 0,
  };
  const summaries = new LabSummaries({
    lab: model,
    history: { getWindow: () => ({ incidents: lab.incidents }) as HistoryWindow },
    workflows: {
      counts: () => {
        lab.uses += 1;
        return lab.workflows;
      },
    },
    safetyStops: {
      get last() {
        return lab.last;
      },
    },
    version: '9.8.7',
  });
  let now = 0;
  const read = () => labSummary.parse(JSON.parse(summaries.text((now += 60_000))));
  return { lab, model, status, summaries, read };
}

it('the summary counts managers, nodes by state, workflows and incidents, with the newest incident', () => {
  const { lab, model, read } = createSummaries();
  const node = (name: string, state: NodeActivity['state']): NodeActivity => ({ name, state, reason: null, since: at });
  setNodes(model, [node('a', 'busy'), node('b', 'busy'), node('c', 'errored')]);
  lab.workflows = { queued: 3, running: 2, paused: 0 };
  lab.incidents = [incident({}), incident({ name: 'camera', to: at })];
  expect(read()).toEqual({
    service: { name: 'lab-manager', version: '9.8.7' },
    now: at,
    lab_name: 'Bench 4',
    state: 'degraded',
    since: at,
    managers: { healthy: 5, total: 6 },
    nodes: { errored: 1, busy: 2 },
    needs: { count: 0, first: null },
    workflows: { queued: 3, running: 2, paused: 0 },
    incidents: { open: 1, last: { name: 'arm', reason: 'door open', from: at, to: null } },
    safety_stop: null,
    stops_read: true,
  });
});

it('the summary reports nodes and workflows as unknown while the workcell manager does not respond', () => {
  const { read } = createSummaries();
  expect(read()).toMatchObject({ nodes: null, workflows: null });
});

it('the summary reports a safety stop in effect with its unconfirmed nodes, acknowledged or not, and later as the last one', () => {
  const { lab, status, read } = createSummaries();
  const inForce = { at, machine: 'lab-pc', in_force: true, unconfirmed: 1 };
  status.value = { ...status.value, safety_stop: stop };
  expect(read().safety_stop).toEqual(inForce);
  const { safety_stop: _, ...released } = status.value;
  status.value = { ...released, acknowledged_stop: stop };
  expect(read().safety_stop).toEqual(inForce);
  status.value = released;
  lab.last = stop;
  expect(read().safety_stop).toEqual({ at, machine: 'lab-pc', in_force: false, unconfirmed: 0 });
});

it('the summary shortens names and reasons, removes control characters, and drops a time that is not one', () => {
  const { lab, read } = createSummaries();
  lab.incidents = [incident({ name: `arm\u001b[31m\n${'x'.repeat(5000)}`, reason: 'y'.repeat(5000) })];
  lab.last = { at: 'yesterday', machine: 'z'.repeat(5000) };
  const { incidents, safety_stop: last } = read();
  expect(incidents?.last?.name).toMatch(/^arm x{100,196}…$/);
  expect(incidents?.last?.reason?.length).toBe(200);
  expect(last?.at).toBeNull();
  expect(last?.machine?.length).toBe(200);
});

it('the summary is computed once for readers within two seconds, and each of them uses the workflow counts', () => {
  const { lab, status, summaries } = createSummaries();
  const read = (now: number) => labSummary.parse(JSON.parse(summaries.text(now))).state;
  expect(read(0)).toBe('degraded');
  status.value = { ...status.value, state: 'healthy' };
  expect([read(1000), read(2000), lab.uses]).toEqual(['degraded', 'degraded', 3]);
  expect(read(2001)).toBe('healthy');
});

it('the summary contains what needs a person, and its nodes, the most urgent first, with the workflows that wait for each', () => {
  const { status, read } = createSummaries();
  expect(read().in_need).toBeUndefined();
  const locked: NodeActivity = { name: 'arm', state: 'locked', reason: null, since: at, waiting: 2 };
  const failed: NodeActivity = { name: 'reader', state: 'errored', reason: 'out of tips', since: at };
  const nodes = { total: 9, in_need: [failed, locked] };
  status.value = { ...status.value, activity: { nodes, ended_workflows: [] } };
  expect(read()).toMatchObject({
    needs: { count: 2, first: 'arm: Locked: 2 workflows wait for it' },
    in_need: [
      { name: 'arm', state: 'locked', waiting: 2 },
      { name: 'reader', state: 'errored', waiting: 0 },
    ],
  });
});
