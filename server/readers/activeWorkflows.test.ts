import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import running from '../../api/samples/workflow_completed.json' with { type: 'json' };
import type { JsonResult, RequestOptions } from '../net/requestJson.ts';
import { changeSettings, checkOf, createTestModel, setAddress, setChecks } from '../fixtures/testModel.ts';
import { silentLog } from '../logging/log.ts';
import { WorkcellReader } from './workcellReader.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const advanceTime = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const flags = { ...running.status, completed: false, failed: false, cancelled: false, paused: false, running: false };
const workflow = (changes: object) => ({ ...running, status: { ...flags, has_started: false, ...changes } });

function start() {
  const lab = {
    body: {} as object,
    isReachable: true,
    requests: 0,
  };
  const model = createTestModel();
  const workflows = new WorkcellReader(model, {
    log: silentLog,
    request: async (url, _timeout, _signal, options?: RequestOptions): Promise<JsonResult> => {
      if (!url.endsWith('/workflows/active')) return { ok: true, body: {} };
      lab.requests += 1;
      if (!lab.isReachable) return { ok: false, reason: 'no connection' };
      return { ok: true, body: options?.reduce?.(lab.body as never) ?? {} };
    },
  });
  workflows.start();
  const latest = () => model.workflows.value;
  return { lab, model, workflows, latest };
}

it('WorkcellReader reads the manager once a minute, and more often while the counts are in use', async () => {
  const { lab, workflows } = start();
  await advanceTime(59_000);
  expect(lab.requests).toBe(0);
  await advanceTime(2000);
  expect(lab.requests).toBe(1);
  expect(workflows.counts()).toEqual({ queued: 0, running: 0, paused: 0 });
  lab.body = {
    a: workflow({ running: true, has_started: true }),
    b: workflow({ has_started: true, paused: true }),
    c: workflow({}),
    d: workflow({}),
    ended: workflow({ completed: true, has_started: true }),
    broken: 'not a workflow',
  };
  await advanceTime(20_000);
  expect(workflows.counts()).toEqual({ queued: 2, running: 1, paused: 1 });
  await advanceTime(200_000);
  const before = lab.requests;
  await advanceTime(600_000);
  expect(lab.requests - before).toBeLessThanOrEqual(10);
});

it('WorkcellReader reads the manager more often until the submission times show its time zone', async () => {
  const { lab, model } = start();
  setChecks(model, [checkOf('workcell', 'healthy')]);
  await advanceTime(59_000);
  expect(lab.requests).toBe(4);
  lab.body = { a: { ...workflow({}), workflow_id: '01', submitted_time: '2026-11-22T13:00:00' } };
  await advanceTime(15_000);
  expect(model.submissions.value).toMatchObject({
    archived: [],
    active: [{ id: '01', stamp: '2026-11-22T13:00:00' }],
  });
  changeSettings(model, { workcellTimeZone: 'UTC' });
  const before = lab.requests;
  await advanceTime(59_000);
  expect(lab.requests - before).toBeLessThanOrEqual(1);
});

it('WorkcellReader lists the running steps with their start by the service’s clock', async () => {
  const { lab, model, latest } = start();
  const step = { ...running.steps[0], node: 'arm', name: 'Move', status: 'running', start_time: '2026-11-22T13:00:00' };
  lab.body = {
    a: { ...workflow({ running: true, current_step_index: 0 }), steps: [step] },
    waiting: { ...workflow({ current_step_index: 0 }), steps: [step] },
  };
  changeSettings(model, { workcellTimeZone: '+01:00' });
  setChecks(model, [checkOf('workcell', 'healthy', { aheadSeconds: 60 })]);
  await advanceTime(61_000);
  expect(latest()?.running).toMatchObject([
    { workflow: { id: running.workflow_id }, name: 'Move', startedAt: Date.UTC(2026, 10, 22, 11, 59) },
  ]);
  changeSettings(model, { workcellTimeZone: null });
  await advanceTime(70_000);
  expect(latest()?.running).toBeNull();
});

it('WorkcellReader counts the workflows that wait for each node', async () => {
  const { lab, latest } = start();
  const steps = [{ ...running.steps[0], node: 'arm' }];
  const on = (changes: object) => ({ ...workflow({ current_step_index: 0, ...changes }), steps });
  lab.body = {
    queued: on({}),
    betweenSteps: on({ has_started: true }),
    running: on({ has_started: true, running: true }),
    paused: on({ has_started: true, paused: true }),
    ended: on({ has_started: true, completed: true }),
  };
  await advanceTime(61_000);
  expect(latest()?.waiting).toEqual(new Map([['arm', 2]]));
});

it('WorkcellReader has no counts while the manager does not respond or after its address changes', async () => {
  const { lab, model, workflows } = start();
  workflows.counts();
  await advanceTime(1000);
  expect(workflows.counts()).toEqual({ queued: 0, running: 0, paused: 0 });
  lab.isReachable = false;
  await advanceTime(60_000);
  expect(workflows.counts()).toBeNull();
  lab.isReachable = true;
  await advanceTime(60_000);
  expect(workflows.counts()).toEqual({ queued: 0, running: 0, paused: 0 });
  setAddress(model, 'workcell', 'http://other:8005/');
  expect(workflows.counts()).toBeNull();
});

it('WorkcellReader adds the workflows that something else than a node blocks to the lab’s activity', async () => {
  const { lab, model } = start();
  const queued = (name: string, reason: string) => ({
    ...workflow({}),
    workflow_id: name,
    name,
    scheduler_metadata: { reasons: ['Workflow is paused', reason] },
  });
  lab.body = {
    a: queued('a', 'Node washer not found in workcell'),
    b: queued('b', 'Exception in scheduler: no location'),
    c: queued('c', 'Node arm not ready: Node is locked'),
  };
  await advanceTime(61_000);
  expect(model.currentStatus().activity?.blocked_workflows).toEqual([
    { id: 'a', name: 'a', reason: 'the workcell has no node washer' },
    { id: 'b', name: 'b', reason: 'the scheduler failed at it: no location' },
  ]);
  await advanceTime(61_000);
  lab.isReachable = false;
  await advanceTime(300_000);
  expect(model.currentStatus().activity?.blocked_workflows).toBeUndefined();
});
