import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createContextRecord, managerKeys, type ManagerKey } from '../../api/managers.ts';
import { formatManagerTime } from '../../api/time/time.ts';
import type { JsonResult } from '../net/requestJson.ts';
import { silentLog } from '../logging/log.ts';
import { changeSettings, checkOf, createTestModel, setAddress, setChecks } from '../fixtures/testModel.ts';
import type { LabModel } from '../lab/labModel.ts';
import { ManagerZones } from './managerZones.ts';

const start = Date.UTC(2026, 10, 22, 12);
beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());
const advanceTime = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const fields: Partial<Record<ManagerKey, readonly [id: string, stamp: string]>> = {
  event: ['_id', 'event_timestamp'],
  experiment: ['_id', 'started_at'],
  data: ['_id', 'data_timestamp'],
};

/** Sets an active workflow of the workcell manager as just read. */
function readSubmission(model: LabModel, zone: string, at: number): void {
  const active = [{ id: ulid(at), stamp: formatManagerTime(new Date(at), zone) }];
  model.submissions.value = { workcell: model.address('workcell') ?? '', archived: [], active };
}

/** Starts the measurement of a lab whose managers run on separate hosts until the test changes their addresses. */
function lab(zones: Partial<Record<ManagerKey, string>>, localZone = 'Europe/Berlin') {
  const state = {
    zones,
    /** The creation time of each manager's newest record, in ms since the epoch. */
    recordAt: start - 3_600_000,
    requests: [] as string[],
    changes: 0,
  };
  const context = createContextRecord((key) => `http://${key}.example:8000/`);
  const model = createTestModel({ context });
  const setReachable = (isReachable: boolean) =>
    setChecks(
      model,
      managerKeys.map((key) => checkOf(key, isReachable ? 'healthy' : 'unreachable')),
    );
  setReachable(true);
  const measurement = new ManagerZones(model, {
    log: silentLog,
    localZone,
    request: async (url, _timeout, _signal, options): Promise<JsonResult> => {
      state.requests.push(url);
      const manager = managerKeys.find((key) => url.startsWith(model.address(key) ?? 'none'));
      const zone = manager === undefined ? undefined : state.zones[manager];
      const [id, stamp] = (manager && fields[manager]) ?? ['', ''];
      if (zone === undefined) return { ok: true, body: {} };
      const record = { [id]: ulid(state.recordAt), [stamp]: formatManagerTime(new Date(state.recordAt), zone) };
      return { ok: true, body: options?.reduce?.({ 0: record, 1: null, 2: { [id]: 7 } } as never) ?? {} };
    },
  });
  measurement.start();
  if (zones.workcell !== undefined) readSubmission(model, zones.workcell, state.recordAt);
  model.zones.subscribe(() => (state.changes += 1));
  state.changes = 0;
  const all = () => Object.fromEntries(managerKeys.map((key) => [key, model.zone(key)]));
  return { state, model, setReachable, all };
}

describe('the time zones of the managers’ hosts', () => {
  it('are measured from records, are UTC for the resource manager and unknown for the location manager', async () => {
    const { all } = lab({
      event: 'Asia/Tokyo',
      experiment: 'America/New_York',
      data: 'Asia/Kolkata',
      workcell: 'Europe/Berlin',
    });
    await advanceTime(0);
    expect(all()).toEqual({
      event: '+09:00',
      experiment: '-05:00',
      // SQLite writes UTC; with PostgreSQL each time has its zone.
      resource: 'UTC',
      data: '+05:30',
      // The records match this machine's zone, which is used by name, so that daylight saving time is correct too.
      workcell: 'Europe/Berlin',
      // The location manager stores no record that shows its zone.
      location: null,
    });
  });

  it('are read from another manager on the same host when a manager has no records', async () => {
    const { model, all } = lab({ event: 'Asia/Tokyo' });
    setAddress(model, 'event', 'http://lab:8001/');
    setAddress(model, 'location', 'http://lab:8006/');
    await advanceTime(0);
    expect(all()).toMatchObject({ event: '+09:00', location: '+09:00', workcell: null });
  });

  it('are those of the settings, except for the resource manager, which uses UTC', async () => {
    const { model, all } = lab({ event: 'Asia/Tokyo' });
    changeSettings(model, { eventTimeZone: 'Asia/Seoul', locationTimeZone: 'Europe/Paris' });
    expect(all()).toMatchObject({ event: 'Asia/Seoul', location: 'Europe/Paris', resource: 'UTC', data: null });
  });

  it('are measured again soon in an idle lab and rarely once they are known', async () => {
    const { state, model } = lab({});
    await advanceTime(60_000);
    expect(model.zone('event')).toBeNull();
    expect(state.requests.filter((url) => url.includes('/events'))).toHaveLength(4);
    state.zones = { event: 'Asia/Tokyo' };
    await advanceTime(20_000);
    expect(model.zone('event')).toBe('+09:00');
    expect(state.changes).toBe(1);
    const before = state.requests.filter((url) => url.includes('/events')).length;
    await advanceTime(599_000);
    expect(state.requests.filter((url) => url.includes('/events'))).toHaveLength(before);
  });

  it('follow daylight saving time of a zone that is known by its offset only', async () => {
    const { state, model } = lab({ event: 'America/New_York' }, 'UTC');
    await advanceTime(0);
    expect(model.zone('event')).toBe('-05:00');
    state.recordAt = Date.UTC(2027, 2, 15);
    await advanceTime(600_000);
    expect(model.zone('event')).toBe('-04:00');
  });

  it('are not measured for an unavailable manager', async () => {
    const { state, model, setReachable } = lab({ event: 'Asia/Tokyo' });
    setReachable(false);
    await advanceTime(30_000);
    expect(state.requests).toEqual([]);
    setReachable(true);
    await advanceTime(1000);
    expect(model.zone('event')).toBe('+09:00');
  });

  it('are unknown again at another address', async () => {
    const { model } = lab({ event: 'Asia/Tokyo' });
    await advanceTime(0);
    setAddress(model, 'event', 'http://elsewhere:8001/');
    expect(model.zone('event')).toBeNull();
  });

  it('use the workflows that the reader of the workcell manager has read', async () => {
    const { state, model } = lab({});
    await advanceTime(60_000);
    expect(state.requests.filter((url) => url.includes('workcell'))).toEqual([]);
    readSubmission(model, 'Asia/Tokyo', start);
    expect(model.zone('workcell')).toBe('+09:00');
    expect(state.changes).toBe(1);
    readSubmission(model, 'Asia/Tokyo', start + 60_000);
    model.submissions.value = { workcell: model.address('workcell') ?? '', archived: [], active: [] };
    expect([state.changes, model.zone('workcell')]).toEqual([1, '+09:00']);
    setAddress(model, 'workcell', 'http://elsewhere:8005/');
    expect(model.zone('workcell')).toBeNull();
  });
});
