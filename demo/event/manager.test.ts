import { describe, expect, it } from 'vitest';
import { send, testParts } from '../base/testRequest.ts';
import { createEventManager } from './manager.ts';

const hour = 3_600_000;

function createLab() {
  const parts = testParts();
  return { ...parts, manager: createEventManager(parts) };
}

/** Returns a lab with events of these times. */
function withEvents(...times: string[]) {
  const { manager, clock } = createLab();
  for (const [index, time] of times.entries()) {
    send(manager, 'addEvent', {
      body: { event_id: `e${index}`, event_timestamp: time, log_level: index % 2 === 0 ? 'info' : 40 },
    });
  }
  return { manager, clock };
}

const keys = (response: { body: unknown }) => Object.keys(response.body as object);

describe('the log of the event manager', () => {
  it('fills in missing fields', () => {
    const { manager, clock } = createLab();
    const { body } = send(manager, 'addEvent', { body: {} });
    expect(body).toMatchObject({
      event_type: 'unknown',
      log_level: 20,
      alert: false,
      event_timestamp: clock.naive(),
      event_data: {},
      archived: false,
      archived_at: null,
    });
    expect(body).toHaveProperty('source.manager_id');
  });

  it.each([
    ['Warning', 30],
    ['CRITICAL', 50],
    [10, 10],
    [0, 0],
  ])('accepts the level %s', (level, number) => {
    expect(send(createLab().manager, 'addEvent', { body: { log_level: level } }).body).toMatchObject({
      log_level: number,
    });
  });

  it.each([
    [{ log_level: 35 }, 'log_level'],
    [{ log_level: 'loud' }, 'log_level'],
    [{ event_type: 'party' }, 'event_type'],
    [{ event_timestamp: 'yesterday' }, 'event_timestamp'],
  ])('rejects %j', (body, field) => {
    const response = send(createLab().manager, 'addEvent', { body });
    expect(response.status).toBe(422);
    expect(JSON.stringify(response.body)).toContain(field);
  });

  it('ignores a second event with the same ID', () => {
    const { manager } = createLab();
    send(manager, 'addEvent', { body: { _id: 'same', event_data: 1 } });
    expect(send(manager, 'addEvent', { body: { _id: 'same', event_data: 2 } }).status).toBe(200);
    expect(send(manager, 'getEvent', { params: { event_id: 'same' } }).body).toMatchObject({ event_data: 1 });
    expect(manager.health()).toMatchObject({ total_events: 1 });
  });

  it('returns the unknown event ID in its error', () => {
    expect(send(createLab().manager, 'getEvent', { params: { event_id: 'X' } })).toEqual({
      status: 404,
      body: { detail: 'Event with ID X not found' },
    });
  });

  it('sorts by timestamps as text, and by the order of storing for equal ones', () => {
    const { manager } = withEvents('2026-11-21T08:00:00', '2026-11-21T09:00:00', '2026-11-21T08:00:00', '2026-11-20');
    expect(keys(send(manager, 'getEvents'))).toEqual(['e1', 'e0', 'e2', 'e3']);
  });

  it.each([
    [{ number: '2' }, ['e2', 'e1']],
    [{ number: '1', offset: '1' }, ['e1']],
    [{ number: '0' }, ['e2', 'e1', 'e0']],
    [{ level: '30' }, ['e1']],
    [{ level: 'ERROR' }, ['e1']],
    [{ start_time: '2026-11-21T08:30:00' }, ['e2', 'e1']],
    [{ end_time: '2026-11-21T09:00:00' }, ['e1', 'e0']],
  ])('filters by %j', (query, expected) => {
    const { manager } = withEvents('2026-11-21T08:00:00', '2026-11-21T09:00:00', '2026-11-21T10:00:00');
    expect(keys(send(manager, 'getEvents', { query }))).toEqual(expected);
  });

  it.each([{ level: 'loud' }, { start_time: 'soon' }, { number: 'many' }])('rejects the filter %j', (query) => {
    expect(send(createLab().manager, 'getEvents', { query: { ...query } as Record<string, string> }).status).toBe(422);
  });

  it.each([
    [{}, ['e0', 'e1', 'e2']],
    [{ log_level: 40 }, ['e1']],
    [{ log_level: { $gte: 20, $lte: 30 } }, ['e0', 'e2']],
    [{ $or: [{ _id: 'e2' }, { _id: 'e0' }] }, ['e0', 'e2']],
    [{ $and: [{ log_level: 20 }, { _id: { $ne: 'e0' } }] }, ['e2']],
    [{ _id: { $in: ['e1', 'e9'] } }, ['e1']],
    // The in-memory store doesn't support $regex and ignores it.
    [{ _id: { $regex: '^e1' } }, ['e0', 'e1', 'e2']],
  ])('returns the results of the query %j in the order of storing', (body, expected) => {
    const { manager } = withEvents('2026-11-21T10:00:00', '2026-11-21T09:00:00', '2026-11-21T08:00:00');
    expect(keys(send(manager, 'queryEvents', { body }))).toEqual(expected);
  });

  it.each([[[]], ['text']])('returns a plain 500 for the selector %j', (body) => {
    const { manager } = withEvents('2026-11-21T10:00:00');
    expect(send(manager, 'queryEvents', { body })).toEqual({ status: 500, body: 'Internal Server Error' });
  });
});

describe('the archive of events', () => {
  const times = ['2026-11-19T10:00:00', '2026-11-20T10:00:00', '2026-11-21T08:00:00'] as const;

  it.each([
    [{ event_ids: ['e0', 'e9'] }, ['e0']],
    [{ before_date: '2026-11-21' }, ['e0', 'e1']],
  ])('removes events from the list for the request %j', (body, archived) => {
    const { manager, clock } = withEvents(...times);
    expect(send(manager, 'archiveEvents', { body }).body).toEqual({
      archived_count: archived.length,
      message: `Successfully archived ${archived.length} events`,
    });
    expect(send(manager, 'archiveEvents', { body }).body).toMatchObject({ archived_count: 0 });
    expect(keys(send(manager, 'getEvents'))).not.toContain('e0');
    expect(keys(send(manager, 'getEvents', { query: { include_archived: 'true' } }))).toContain('e0');
    expect(keys(send(manager, 'getArchivedEvents')).toSorted()).toEqual(archived);
    expect(send(manager, 'getEvent', { params: { event_id: 'e0' } }).body).toMatchObject({
      archived: true,
      archived_at: clock.zoned(),
    });
  });

  it('requires IDs or a valid date', () => {
    expect(send(createLab().manager, 'archiveEvents', { body: {} }).status).toBe(422);
    expect(send(createLab().manager, 'archiveEvents', { body: { before_date: 'x' } }).status).toBe(422);
  });

  it('lists the last archived event first and supports pages', () => {
    const { manager, clock } = withEvents(...times);
    send(manager, 'archiveEvents', { body: { event_ids: ['e1'] } });
    clock.advance(1000);
    send(manager, 'archiveEvents', { body: { event_ids: ['e0'] } });
    expect(keys(send(manager, 'getArchivedEvents'))).toEqual(['e0', 'e1']);
    expect(keys(send(manager, 'getArchivedEvents', { query: { number: '1', offset: '1' } }))).toEqual(['e1']);
  });

  it('deletes events that were archived long ago', () => {
    const { manager, clock } = withEvents(...times);
    send(manager, 'archiveEvents', { body: { event_ids: ['e0'] } });
    expect(send(manager, 'deleteArchivedEvents').body).toMatchObject({ deleted_count: 0 });
    clock.advance(48 * hour);
    expect(send(manager, 'deleteArchivedEvents', { query: { older_than_days: '1' } }).body).toEqual({
      deleted_count: 1,
      message: 'Permanently deleted 1 archived events older than 1 days',
    });
    expect(send(manager, 'getEvent', { params: { event_id: 'e0' } }).status).toBe(404);
    expect(keys(send(manager, 'getEvents'))).toEqual(['e2', 'e1']);
  });
});

describe('reports of the event manager', () => {
  it('require a valid period', () => {
    for (const name of ['getPeriodReport', 'getUserReport'] as const) {
      expect(send(createLab().manager, name)).toMatchObject({
        status: 200,
        body: { error: 'start_time and end_time are required' },
      });
    }
    const invalidQuery = { start_time: '2026-11-21', end_time: 'x' };
    expect(send(createLab().manager, 'getPeriodReport', { query: invalidQuery }).body).toHaveProperty('error');
    const reversedQuery = { start_time: '2026-11-21', end_time: '2026-11-20' };
    expect(send(createLab().manager, 'getPeriodReport', { query: reversedQuery }).body).toHaveProperty('error');
  });

  it('contain the hours of experiments', () => {
    const { manager, clock } = createLab();
    const line = { level: 'info', component: 'ExperimentManager', message: '', source: {} } as const;
    const data = { experiment_id: 'x' };
    const start = clock.now() - 6 * hour;
    manager.logAt(start, { ...line, eventType: 'experiment_start', data });
    manager.logAt(start + 3 * hour, { ...line, eventType: 'experiment_complete', data });
    const query = {
      start_time: new Date(clock.now() - 24 * hour).toISOString(),
      end_time: new Date(clock.now()).toISOString(),
      analysis_type: 'hourly',
    };
    const { body } = send(manager, 'getPeriodReport', { query });
    expect(body).toMatchObject({
      key_metrics: { total_experiments: 1, total_runtime_hours: 3, peak_utilization: 100, average_utilization: 12.5 },
      summary_metadata: { total_periods: 24 },
    });
  });

  it('contain the workflows and hours of each author', () => {
    const { manager, clock } = createLab();
    const line = { level: 'info', component: 'WorkcellManager', message: '', source: {}, bare: true } as const;
    for (const [ago, author, seconds] of [
      [2, 'Ann', 1800],
      [3, 'Ann', 5400],
      [4, null, null],
      [30, 'Ann', 60],
    ] as const) {
      const data = { author, duration_seconds: seconds };
      manager.logAt(clock.now() - ago * hour, { ...line, eventType: 'workflow_complete', data });
    }
    const query = {
      start_time: new Date(clock.now() - 24 * hour).toISOString(),
      end_time: new Date(clock.now()).toISOString(),
    };
    expect(send(manager, 'getUserReport', { query }).body).toMatchObject({
      user_utilization: {
        Ann: { total_workflows: 2, total_runtime_hours: 2 },
        'Unknown Author': { total_workflows: 1, total_runtime_hours: 0 },
      },
    });
  });
});

describe('the event manager', () => {
  it('stores log lines in the format of the real managers', () => {
    const { manager } = createLab();
    manager.log({
      level: 'error',
      component: 'ExperimentManager',
      message: 'Experiment failed',
      eventType: 'experiment_failed',
      source: {},
      data: { run_name: 'run 1' },
    });
    expect(Object.values(send(manager, 'getEvents').body as object)[0]).toMatchObject({
      event_type: 'log_error',
      log_level: 40,
      event_data: { message: 'Experiment failed', component_name: 'ExperimentManager', run_name: 'run 1' },
    });
    manager.log({ level: 'notset', component: 'x', message: '', eventType: 'log', source: {} });
    expect(manager.settings()).toHaveProperty('manager_type', 'event_manager');
  });

  it('stores a hundred thousand events and lists the newest hundred', () => {
    const { manager } = createLab();
    manager.scale.addEvents(100_000);
    expect(manager.health()).toMatchObject({ total_events: 100_000 });
    expect(keys(send(manager, 'getEvents'))).toHaveLength(100);
  });
});
