import { expect, it } from 'vitest';
import type { LabStatus, ManagerStatus, NodeActivity } from '../../api/lab/lab.ts';
import { createTestModel, overrideStatus, setNodes } from '../fixtures/testModel.ts';
import type { WorkflowCounts } from '../lab/activity.ts';
import { LabMetrics } from './labMetrics.ts';

const manager = (key: ManagerStatus['manager'], changes: Partial<ManagerStatus>): ManagerStatus => ({
  manager: key,
  name: key,
  url: 'http://lab-pc/',
  state: 'healthy',
  reason: null,
  since: null,
  last_checked: null,
  last_healthy: null,
  latency_ms: null,
  usual_latency_ms: null,
  version: null,
  health: null,
  ...changes,
});
const node = (name: string, state: NodeActivity['state']): NodeActivity => ({ name, state, reason: null, since: '' });

/** The metrics of a lab whose state the test sets. */
function createMetrics(managers: readonly ManagerStatus[]) {
  const model = createTestModel();
  const status = overrideStatus(model, { state: 'healthy', managers: [...managers] });
  const workflows = { active: null as WorkflowCounts | null, counts: () => workflows.active };
  const metrics = new LabMetrics(model, workflows, '9.8.7');
  metrics.start();
  const change = (changes: Partial<LabStatus>): void => {
    status.value = { ...status.value, ...changes };
  };
  /** The samples of one metric: `{labels} value`. */
  const samples = async (name: string): Promise<readonly string[]> =>
    (await metrics.text())
      .split('\n')
      .filter((line) => new RegExp(`^labmanager_${name}[{ ]`).test(line))
      .map((line) => line.slice(`labmanager_${name}`.length).trim());
  return { model, workflows, metrics, change, samples };
}

it('LabMetrics reports the state of the lab and of each manager, and the response times in seconds', async () => {
  const { samples } = createMetrics([
    manager('event', { state: 'slow', latency_ms: 1500 }),
    manager('data', { state: 'unreachable' }),
  ]);
  expect(await samples('info')).toEqual(['{version="9.8.7",demo="false"} 1']);
  expect(await samples('lab_state')).toContain('{state="healthy"} 1');
  expect(await samples('lab_state')).toContain('{state="down"} 0');
  expect(await samples('manager_up')).toEqual(['{manager="event"} 1', '{manager="data"} 0']);
  expect(await samples('manager_state')).toContain('{manager="event",state="slow"} 1');
  expect(await samples('manager_latency_seconds')).toEqual(['{manager="event"} 1.5']);
});

it('LabMetrics omits unknown values until they are known', async () => {
  const { model, workflows, change, samples } = createMetrics([manager('event', { state: 'unknown' })]);
  for (const name of ['manager_up', 'manager_latency_seconds', 'nodes', 'workflows_active', 'safety_stop_active']) {
    expect(await samples(name), name).toEqual([]);
  }
  change({ stops_read: true });
  setNodes(model, [node('arm', 'ready'), node('reader', 'ready'), node('washer', 'errored')]);
  workflows.active = { queued: 3, running: 1, paused: 0 };
  expect(await samples('safety_stop_active')).toEqual(['0']);
  expect(await samples('nodes')).toEqual(
    expect.arrayContaining(['{state="ready"} 2', '{state="errored"} 1', '{state="busy"} 0']),
  );
  expect(await samples('workflows_active')).toEqual([
    '{state="queued"} 3',
    '{state="running"} 1',
    '{state="paused"} 0',
  ]);
});

it('LabMetrics counts one incident for each outage since the start, and none for slow or unknown states', async () => {
  const { change, samples } = createMetrics([manager('event', { state: 'unreachable' })]);
  const states = [
    'unreachable',
    'healthy',
    'slow',
    'unhealthy',
    'unreachable',
    'unknown',
    'healthy',
    'unreachable',
  ] as const;
  for (const state of states) change({ managers: [manager('event', { state })] });
  expect(await samples('manager_incidents_total')).toEqual(['{manager="event"} 2']);
});

it('LabMetrics counts each safety stop once, and none from before the start of the service', async () => {
  const { change, samples } = createMetrics([]);
  const stop = (id: string, at: number) => ({
    id,
    at: new Date(at).toISOString(),
    machine: null,
    application: null,
    nodes: [],
  });
  change({ stops_read: true, safety_stop: stop('old', Date.now() - 60_000) });
  expect(await samples('safety_stops_total')).toEqual(['0']);
  expect(await samples('safety_stop_active')).toEqual(['1']);
  const released = { stops_read: true, safety_stop: undefined } as unknown as Partial<LabStatus>;
  for (const id of ['first', 'first', 'second']) {
    change({ safety_stop: stop(id, Date.now() + 1000) });
    if (id === 'first') change(released);
  }
  expect(await samples('safety_stops_total')).toEqual(['2']);
});

it('LabMetrics counts ended workflows, durations of steps, notifications and requests', async () => {
  const { model, metrics, samples } = createMetrics([]);
  const workflow = { id: '1', name: 'Assay', state: 'failed', step: null, reason: null, at: '' } as const;
  const newlyEnded = [{ key: '1', endedAt: null, stepSeconds: [0.5, 20], workflow }];
  model.archive.value = { workcell: '', longestRuns: new Map(), ended: [], newlyEnded };
  metrics.countDelivery(true);
  metrics.countDelivery(false);
  metrics.countRequest(204);
  metrics.countRequest(503);
  expect(await samples('workflows_ended_total')).toEqual([
    '{state="completed"} 0',
    '{state="failed"} 1',
    '{state="cancelled"} 0',
  ]);
  expect(await samples('step_duration_seconds_bucket')).toEqual(
    expect.arrayContaining(['{le="1"} 1', '{le="15"} 1', '{le="60"} 2']),
  );
  expect(await samples('notifications_total')).toEqual(['{result="sent"} 1', '{result="failed"} 1']);
  expect(await samples('http_requests_total')).toEqual(['{status="2xx"} 1', '{status="5xx"} 1']);
});

it('LabMetrics serves the metrics of the process once', async () => {
  const { metrics } = createMetrics([]);
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('process_cpu_seconds_total '));
  expect(lines).toHaveLength(1);
});
