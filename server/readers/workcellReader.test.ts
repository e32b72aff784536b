import { readArchived, readEnded } from './readActivity.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import nodeStatuses from '../../api/samples/node_status.json' with { type: 'json' };
import completed from '../../api/samples/workflow_completed.json' with { type: 'json' };
import failed from '../../api/samples/workflow_failed.json' with { type: 'json' };
import type { RunningStep } from '../../api/managers/workflowStep.ts';
import type { JsonResult } from '../net/requestJson.ts';
import { silentLog } from '../logging/log.ts';
import { changeSettings, createTestModel, setAddress } from '../fixtures/testModel.ts';
import { WorkcellReader, type WorkcellReaderOptions } from './workcellReader.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 22, 12) }));
afterEach(() => void vi.useRealTimers());
const advanceTime = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const ready = { ...Object.values(nodeStatuses)[0], ready: true, errored: false, disconnected: false, errors: [] };
const broken = { ...ready, ready: false, errored: true, errors: [{ message: 'motor stalled' }] };
const response = (body: object): JsonResult => ({ ok: true, body: body as never });

/** Starts a watch over a workcell manager whose responses the test sets. */
function createTestWatch(stateSinceBeforeRestart?: WorkcellReaderOptions['stateSinceBeforeRestart']) {
  const lab = {
    nodes: { arm: { status: ready } } as object,
    archived: {} as object,
    active: {} as object,
    /** The IDs that the manager has, but does not list. */
    ended: [] as string[],
    reachable: true,
    /** This many workflows or more exceed the response limit. */
    overLimitCount: 1000,
    requests: [] as string[],
  };
  const model = createTestModel({ workcellTimeZone: 'UTC' });
  setAddress(model, 'workcell', 'http://cell:8005/base');
  const watch = new WorkcellReader(model, {
    ...(stateSinceBeforeRestart && { stateSinceBeforeRestart }),
    log: silentLog,
    request: async (url, _timeoutMs, _signal, options) => {
      lab.requests.push(url);
      if (!lab.reachable) return { ok: false, reason: 'no connection' };
      const count = Number(url.split('number=')[1] ?? 0);
      if (count >= lab.overLimitCount) return { ok: false, reason: 'answered with more than 4 MiB' };
      if (url.includes('active')) return response(options?.reduce?.(lab.active as never) ?? {});
      const single = /workflow\/(.+)$/.exec(url)?.[1];
      if (single !== undefined && !lab.ended.includes(single)) return { ok: false, reason: 'HTTP 404', status: 404 };
      return response(url.includes('archived') ? lab.archived : lab.nodes);
    },
  });
  watch.start();
  return { lab, model, watch, activity: () => model.currentStatus().activity };
}

describe('the watch over nodes and workflows', () => {
  it('counts the state that was read from a node itself at once, and until the workcell manager has read it again', async () => {
    const { model, watch, activity } = createTestWatch();
    await advanceTime(19_000);
    let updates = 0;
    model.status.subscribe(() => (updates += 1));
    watch.applyState('arm', { state: 'stopped', flags: ['locked'] });
    expect(activity()?.nodes?.in_need).toMatchObject([{ name: 'arm', state: 'stopped', flags: ['locked'] }]);
    expect([updates, model.flags()?.nodes]).toEqual([
      2,
      [{ name: 'arm', isKnown: true, stopped: true, locked: true, paused: false }],
    ]);
    // The workcell manager still has the earlier state when it is read a second later.
    await advanceTime(1500);
    expect(activity()?.nodes?.in_need).toMatchObject([{ state: 'stopped' }]);
    await advanceTime(15_000);
    expect(activity()?.nodes?.in_need).toEqual([]);
  });

  it('reports which nodes need attention, why and since when', async () => {
    const { lab, activity } = createTestWatch();
    await advanceTime(0);
    expect(activity()).toEqual({ nodes: { total: 1, in_need: [] }, ended_workflows: [] });
    lab.nodes = { arm: { status: broken } };
    await advanceTime(15_000);
    const since = new Date().toISOString();
    const arm = { name: 'arm', state: 'errored', reason: 'motor stalled', since };
    expect(activity()?.nodes).toEqual({ total: 1, in_need: [arm] });
    await advanceTime(60_000);
    expect(activity()?.nodes?.in_need).toEqual([arm]);
  });

  it('restores the start of a node’s state after a restart of the service', async () => {
    const earlier = '2026-11-20T08:00:00.000Z';
    const { lab, activity } = createTestWatch((name, state) =>
      name === 'arm' && state === 'errored' ? earlier : null,
    );
    lab.nodes = { arm: { status: broken }, other: { status: broken } };
    await advanceTime(0);
    const [arm, other] = activity()?.nodes?.in_need ?? [];
    expect(arm?.since).toBe(earlier);
    expect(other?.since).toBe(new Date().toISOString());
    lab.nodes = { arm: { status: ready } };
    await advanceTime(15_000);
    lab.nodes = { arm: { status: broken } };
    await advanceTime(15_000);
    expect(activity()?.nodes?.in_need[0]?.since).toBe(new Date().toISOString());
  });

  it('emits the nodes of a workcell with its address at once and every 15 s', async () => {
    const received: unknown[] = [];
    const { model, watch } = createTestWatch();
    model.nodesResponse.subscribe((nodesResponse) => nodesResponse && received.push(nodesResponse));
    await advanceTime(0);
    const known = { workcell: 'http://cell:8005/base', nodes: [expect.objectContaining({ name: 'arm' })] };
    expect(received).toEqual([{ workcell: 'http://cell:8005/base', known }]);
    await advanceTime(60_000);
    expect(received).toHaveLength(5);
    // Even if the check interval of the managers is longer.
    changeSettings(model, { watchInterval: 3600 });
    await advanceTime(60_000);
    expect(received).toHaveLength(9);
    watch.stop();
  });

  it('sends at most eight requests a minute, also below a base path, and none after it is stopped', async () => {
    const { lab, watch } = createTestWatch();
    await advanceTime(5000);
    lab.requests.length = 0;
    await advanceTime(600_000);
    expect(lab.requests.length).toBeLessThanOrEqual(120 - 40);
    expect(new Set(lab.requests)).toEqual(
      new Set([
        'http://cell:8005/base/nodes',
        'http://cell:8005/base/workflows/archived?number=50',
        'http://cell:8005/base/workflows/active',
      ]),
    );
    watch.stop();
    lab.requests.length = 0;
    await advanceTime(600_000);
    expect(lab.requests).toEqual([]);
  });

  it('reports workflows that end, once each, and again after a retry', async () => {
    const { lab, activity } = createTestWatch();
    lab.archived = { [failed.workflow_id]: failed };
    await advanceTime(5000);
    expect(activity()?.ended_workflows).toEqual([]);
    lab.archived = { [failed.workflow_id]: failed, [completed.workflow_id]: completed };
    await advanceTime(60_000);
    expect(activity()?.ended_workflows).toMatchObject([{ id: completed.workflow_id, state: 'completed' }]);
    lab.archived = { [failed.workflow_id]: { ...failed, end_time: '2027-01-01T00:00:00' } };
    await advanceTime(20_000);
    const [newest] = activity()?.ended_workflows ?? [];
    expect(newest).toMatchObject({ id: failed.workflow_id, name: failed.name, state: 'failed' });
    expect([newest?.step, newest?.reason]).toEqual(['fail', 'out of tips']);
  });

  it('does not report an old workflow that returns to the newest ones because of a retry', async () => {
    const { lab, activity } = createTestWatch();
    const old = { ...failed, workflow_id: '01M7YG3B9XTJF3JWTKG0PR65ZA', end_time: '2020-01-01T00:00:00' };
    lab.archived = { [completed.workflow_id]: completed };
    await advanceTime(5000);
    lab.archived = { [old.workflow_id]: old };
    await advanceTime(20_000);
    expect(activity()?.ended_workflows).toEqual([]);
  });

  it.each([
    ['in 2099', '2099-01-01T00:00:00'],
    ['an hour from now', '2026-11-22T13:00:00'],
  ])(
    'reports ended workflows although the archive contains one that ended %s because of a wrong clock',
    async (_when, end) => {
      const { lab, watch, activity } = createTestWatch();
      const future = { ...failed, workflow_id: '01M7YG3B9XTJF3JWTKG0PR65ZB', end_time: end };
      lab.archived = { [future.workflow_id]: future };
      await advanceTime(5000);
      lab.archived = { [future.workflow_id]: future, [completed.workflow_id]: completed };
      await advanceTime(20_000);
      expect(activity()?.ended_workflows).toMatchObject([{ id: completed.workflow_id }]);
      watch.stop();
    },
  );

  it('requests fewer workflows when the response is too large', async () => {
    const { lab } = createTestWatch();
    lab.overLimitCount = 10;
    await advanceTime(5000);
    await advanceTime(60_000);
    expect(lab.requests.filter((url) => url.includes('archived')).map((url) => url.split('=')[1])).toEqual([
      '50',
      '10',
      '3',
    ]);
  });

  it('reports no nodes of an unavailable or removed manager, and polls an unavailable one less often', async () => {
    const { lab, model, activity } = createTestWatch();
    lab.nodes = { arm: { status: broken } };
    await advanceTime(5000);
    lab.reachable = false;
    await advanceTime(60_000);
    expect(activity()?.nodes).toBeNull();
    lab.requests.length = 0;
    await advanceTime(60_000);
    expect(lab.requests.length).toBeLessThanOrEqual(6);
    lab.reachable = true;
    setAddress(model, 'workcell', null);
    await advanceTime(60_000);
    expect(activity()).toBeUndefined();
    setAddress(model, 'workcell', 'http://other:8005/');
    lab.nodes = {};
    await advanceTime(60_000);
    expect(activity()?.nodes).toEqual({ total: 0, in_need: [] });
  });

  it('lists running steps that take far longer than all earlier runs, once the archive and the running steps are known', async () => {
    const { lab, model, activity } = createTestWatch();
    const steps = completed.steps.slice(0, 1).map((step) => ({
      ...step,
      node: 'arm',
      action: 'transfer',
      start_time: '2026-11-22T10:00:00',
      end_time: '2026-11-22T10:00:13',
    }));
    lab.archived = { [completed.workflow_id]: { ...completed, steps } };
    const start_time = '2026-11-22T11:53:00';
    const run = (action: string): RunningStep => ({
      workflow: { id: action, name: 'Assay' },
      name: 'Move',
      step: { node: 'arm', action, start_time },
      startedAt: Date.UTC(2026, 10, 22, 11, 53),
    });
    const setRunning = (running: readonly RunningStep[] | null) => {
      const counts = { queued: 0, running: 0, paused: 0 };
      const workcell = 'http://cell:8005/base';
      model.workflows.value = {
        workcell,
        active: [],
        counts,
        waiting: new Map(),
        blocked: [],
        running,
        at: performance.now(),
      };
    };
    setRunning([run('transfer'), run('never ran before')]);
    expect(activity()).not.toHaveProperty('overdue_steps');
    await advanceTime(5000);
    const since = '2026-11-22T11:53:00.000Z';
    expect(activity()?.overdue_steps).toEqual([
      { id: 'transfer', name: 'Assay', step: 'Move', node: 'arm', start: start_time, since, longest_seconds: 13 },
    ]);
    setRunning(null);
    expect(activity()).not.toHaveProperty('overdue_steps');
  });

  it('reports active workflows that the manager no longer has, without those that ended before', async () => {
    const { lab, model, activity } = createTestWatch();
    const queued = { completed: false, failed: false, cancelled: false, running: false, has_started: false };
    const workflow = (id: string) => ({
      ...completed,
      workflow_id: id,
      name: `Assay ${id}`,
      status: { ...completed.status, ...queued },
    });
    lab.active = { a: workflow('a'), b: workflow('b'), c: workflow('c') };
    await advanceTime(65_000);
    lab.archived = { a: { ...completed, workflow_id: 'a' } };
    await advanceTime(20_000);
    lab.active = {};
    lab.requests.length = 0;
    await advanceTime(90_000);
    expect(activity()?.lost_workflows).toEqual({
      seen: expect.stringMatching(/^2026-11-22T12:01/),
      missed: expect.stringMatching(/^2026-11-22T12:02/),
      total: 2,
      workflows: [
        { id: 'b', name: 'Assay b', state: 'queued' },
        { id: 'c', name: 'Assay c', state: 'queued' },
      ],
    });
    expect(lab.requests.filter((url) => url.includes('workflow/'))).toEqual(['http://cell:8005/base/workflow/b']);
    lab.active = { b: workflow('b') };
    await advanceTime(65_000);
    expect(activity()?.lost_workflows).toBeUndefined();
    lab.active = {};
    await advanceTime(90_000);
    expect(activity()?.lost_workflows?.total).toBe(1);
    await advanceTime(24 * 3_600_000);
    expect(activity()?.lost_workflows).toBeUndefined();
    setAddress(model, 'workcell', 'http://other:8005/');
    expect(activity()?.lost_workflows).toBeUndefined();
  });

  it('reports no loss when all active workflows have ended, although the read part of the archive has none of them', async () => {
    const { lab, activity } = createTestWatch();
    const status = { ...completed.status, completed: false, running: true };
    lab.active = Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, { ...completed, workflow_id: id, status }]));
    await advanceTime(65_000);
    lab.active = {};
    lab.ended = ['a', 'b', 'c'];
    lab.requests.length = 0;
    await advanceTime(90_000);
    expect(lab.requests.filter((url) => url.includes('workflow/')).map((url) => url.slice(-1))).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(activity()?.lost_workflows).toBeUndefined();
  });

  it('ignores a response that is not a list of nodes', async () => {
    const { lab, activity } = createTestWatch();
    lab.nodes = { detail: 'Internal Server Error' };
    await advanceTime(5000);
    expect(activity()?.nodes).toBeNull();
  });

  it('counts nodes without a valid status, and ignores an entry that is a text', async () => {
    const { lab, activity } = createTestWatch();
    lab.nodes = { arm: { status: 'fine' }, note: 'no node', reader: null };
    await advanceTime(5000);
    expect(activity()?.nodes).toEqual({ total: 2, in_need: [] });
  });
});

describe('the flags of the nodes', () => {
  it('are the last read ones with the time of that read', async () => {
    const { lab, model } = createTestWatch();
    expect(model.flags()).toBeNull();
    lab.nodes = { arm: { status: { ...ready, ready: false, stopped: true, locked: true } }, gone: { status: null } };
    await advanceTime(0);
    const readAt = Date.now();
    await advanceTime(4000);
    const arm = { name: 'arm', isKnown: true, stopped: true, locked: true, paused: false };
    const missing = { name: 'gone', isKnown: false, stopped: false, locked: false, paused: false };
    expect(model.flags()?.nodes).toEqual([arm, missing]);
    expect(Math.abs((model.flags()?.at ?? 0) - readAt)).toBeLessThan(1000);
  });
});

it('readEnded reports a workflow that is completed and cancelled as cancelled if its last step is cancelled', () => {
  const flags = { current_step_index: 0, paused: false, failed: false, running: false, has_started: true };
  const status = {
    ...flags,
    completed: true,
    cancelled: true,
    queued: false,
    active: false,
    terminal: true,
    started: false,
    ok: false,
  };
  const body = { a: { workflow_id: 'a', name: 'Both', status, steps: [{ name: 'Wait', status: 'cancelled' }] } };
  expect(readEnded(readArchived(body), '2026-11-23T14:00:00Z', null)[0]?.workflow.state).toBe('cancelled');
});
