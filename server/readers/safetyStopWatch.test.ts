import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCommandEvent, createRecord, stopCommands, type RecordFields } from '../../api/commandRecord.ts';
import type { JsonResult, requestJson } from '../net/requestJson.ts';
import { silentLog } from '../logging/log.ts';
import { createTestModel, setAddress } from '../fixtures/testModel.ts';
import { SafetyStopWatch } from './safetyStopWatch.ts';

const now = Date.UTC(2026, 10, 23, 14);
beforeEach(() => void vi.useFakeTimers({ now }));
afterEach(() => void vi.useRealTimers());
const advanceTime = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function event(id: string, command: string, changedFields: Partial<RecordFields> = {}) {
  const fields: RecordFields = {
    command,
    target: { kind: 'lab', id: null, name: 'all nodes' },
    result: 'done',
    reason: '',
    sent_at: new Date(now).toISOString(),
    duration_ms: 5,
    application: 'dashboard',
    machine: 'lab-pc',
    ...changedFields,
  };
  return createCommandEvent({ id, record: createRecord(fields, command) }, null);
}

/** Starts a watch over an event manager with `events`. */
function start(events: Record<string, object>) {
  const lab = {
    isResponding: true,
    isHanging: false,
    readings: 0,
    requests: [] as unknown[],
  };
  const model = createTestModel();
  setAddress(model, 'event', 'http://events:8001/');
  setAddress(model, 'workcell', 'http://lab-a:8005/');
  const request: typeof requestJson = async (url, _timeoutMs, signal, options): Promise<JsonResult> => {
    if (lab.isHanging) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    lab.requests.push([url, options?.query]);
    return lab.isResponding ? { ok: true, body: { ...events } } : { ok: false, reason: 'no connection' };
  };
  const watch = new SafetyStopWatch(model, silentLog, request);
  model.stopLog.subscribe((reading) => reading && (lab.readings += 1));
  watch.start();
  return {
    lab,
    model,
    watch,
    isRead: () => model.currentStatus().stops_read,
    current: () => watch.stopInEffect(new Set()),
  };
}

describe('the watch over recorded safety stops', () => {
  it('reports a stop with its machine until it is released', async () => {
    const events: Record<string, object> = {};
    const { lab, watch, current } = start(events);
    await advanceTime(5000);
    expect(current()).toBeNull();
    events['a'] = event('a', stopCommands.stop, { result: 'sent' });
    await advanceTime(5000);
    expect(current()).toMatchObject({ id: 'a', machine: 'lab-pc' });
    events['b'] = event('b', stopCommands.release, { stop_id: 'a' });
    await advanceTime(5000);
    expect(current()).toBeNull();
    expect(watch.last).toEqual({ at: new Date(now).toISOString(), machine: 'lab-pc' });
    expect(lab.readings).toBe(3);
    expect(lab.requests[0]).toEqual([
      'http://events:8001/events/query',
      expect.objectContaining({ event_timestamp: { $gte: '2026-11-15T14:00:05.000' } }),
    ]);
  });

  it('keeps its data while the event manager is unavailable and polls less often', async () => {
    const { lab, current } = start({ a: event('a', stopCommands.stop) });
    await advanceTime(5000);
    lab.isResponding = false;
    await advanceTime(5000);
    const before = lab.requests.length;
    await advanceTime(25_000);
    expect(lab.requests).toHaveLength(before);
    expect(current()?.id).toBe('a');
  });

  it('reports no stop and an unread event log after the address of the event manager changes', async () => {
    const { model, isRead, current } = start({ a: event('a', stopCommands.stop) });
    await advanceTime(5000);
    setAddress(model, 'event', 'http://other:8001/');
    expect([current(), isRead()]).toEqual([null, false]);
    setAddress(model, 'event', null);
    await advanceTime(5000);
    expect([current(), isRead()]).toEqual([null, false]);
  });

  it('reports whether it has read the event log', async () => {
    const { lab, isRead } = start({});
    lab.isResponding = false;
    await advanceTime(5000);
    expect([isRead(), lab.readings]).toEqual([false, 0]);
    lab.isResponding = true;
    await advanceTime(30_000);
    expect(isRead()).toBe(true);
    lab.isResponding = false;
    await advanceTime(60_000);
    expect(isRead()).toBe(true);
  });

  it('is read at once, within a limit', async () => {
    const { lab, watch, isRead, current } = start({ a: event('a', stopCommands.stop) });
    lab.isHanging = true;
    const isOver = vi.fn();
    void watch.readWithin(500).then(isOver);
    await advanceTime(499);
    expect(isOver).not.toHaveBeenCalled();
    await advanceTime(1);
    expect([isOver.mock.calls.length, isRead()]).toEqual([1, false]);
    lab.isHanging = false;
    await watch.readWithin(500);
    expect(current()?.id).toBe('a');
  });

  it('does not report a stop that has ended, whatever the event log contains', async () => {
    const { watch } = start({
      a: event('a', stopCommands.stop),
      b: event('b', stopCommands.acknowledge, { stop_id: 'a' }),
    });
    await advanceTime(5000);
    expect(watch.stopInEffect(new Set())?.id).toBe('a');
    expect([watch.isAcknowledged('a'), watch.releasedAt('a')]).toEqual([true, null]);
    expect(watch.stopInEffect(new Set(['a']))).toBeNull();
  });

  it.each([
    ['another workcell', 'http://lab-b:8005/', ['arm_a'], null],
    ['a page, with nodes of another workcell', '', ['arm_a'], null],
    ['this workcell, whose node was removed since', 'http://lab-a:8005/', ['arm_a'], 'a'],
    ['this workcell by another address', 'http://10.0.0.5:8005/', ['arm_b'], 'a'],
    ['any workcell while no node is known', 'http://lab-b:8005/', [], 'a'],
  ])('shows only stops of its lab in a shared event log: a stop of %s', async (_what, workcell, nodeNames, id) => {
    const node = { name: 'arm_b', workcell, result: 'confirmed' as const, reason: '', did: [], before: [] };
    const { model, watch, current } = start({ a: event('a', stopCommands.stop, { nodes: [node] }) });
    const nodes = nodeNames.map((name) => ({ name, url: null, commands: null }));
    model.stopNodes.value = { workcell: 'http://lab-a:8005/', nodes };
    await advanceTime(5000);
    expect([current()?.id ?? null, watch.last === null]).toEqual([id, id === null]);
  });

  it('ignores events that are not records of a command', async () => {
    const { current } = start({
      a: { _id: 'a', event_data: 'Safety stop' },
      b: null as never,
      c: event('c', stopCommands.stop),
    });
    await advanceTime(5000);
    expect(current()?.id).toBe('c');
  });
});
