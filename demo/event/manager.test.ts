import { describe, expect, it } from 'vitest';
import { ask, testParts } from '../base/asking.ts';
import { createEventManager } from './manager.ts';

const hour = 3_600_000;

function lab() {
  const parts = testParts();
  return { ...parts, manager: createEventManager(parts) };
}

/** A lab with events of these times. */
function withEvents(...times: string[]) {
  const { manager, clock } = lab();
  for (const [index, time] of times.entries()) {
    ask(manager, 'addEvent', {
      body: { event_id: `e${index}`, event_timestamp: time, log_level: index % 2 === 0 ? 'info' : 40 },
    });
  }
  return { manager, clock };
}

const keys = (answer: { body: unknown }) => Object.keys(answer.body as object);

describe('events', () => {
  it('fills in what was not sent', () => {
    const { manager, clock } = lab();
    const { body } = ask(manager, 'addEvent', { body: {} });
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
  ])('takes the level %s', (level, number) => {
    expect(ask(lab().manager, 'addEvent', { body: { log_level: level } }).body).toMatchObject({ log_level: number });
  });

  it.each([
    [{ log_level: 35 }, 'log_level'],
    [{ log_level: 'loud' }, 'log_level'],
    [{ event_type: 'party' }, 'event_type'],
    [{ event_timestamp: 'yesterday' }, 'event_timestamp'],
  ])('refuses %j', (body, field) => {
    const answer = ask(lab().manager, 'addEvent', { body });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(field);
  });

  it('stores an ID once', () => {
    const { manager } = lab();
    ask(manager, 'addEvent', { body: { _id: 'same', event_data: 1 } });
    expect(ask(manager, 'addEvent', { body: { _id: 'same', event_data: 2 } }).status).toBe(200);
    expect(ask(manager, 'getEvent', { params: { event_id: 'same' } }).body).toMatchObject({ event_data: 1 });
    expect(manager.health()).toMatchObject({ total_events: 1 });
  });

  it('says which event it does not know', () => {
    expect(ask(lab().manager, 'getEvent', { params: { event_id: 'X' } })).toEqual({
      status: 404,
      body: { detail: 'Event with ID X not found' },
    });
  });

  it('lists by comparing timestamps as text, equal ones in the order of storing', () => {
    const { manager } = withEvents('2026-11-21T08:00:00', '2026-11-21T09:00:00', '2026-11-21T08:00:00', '2026-11-20');
    expect(keys(ask(manager, 'getEvents'))).toEqual(['e1', 'e0', 'e2', 'e3']);
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
    expect(keys(ask(manager, 'getEvents', { query }))).toEqual(expected);
  });

  it.each([{ level: 'loud' }, { start_time: 'soon' }, { number: 'many' }])('refuses to filter by %j', (query) => {
    expect(ask(lab().manager, 'getEvents', { query: { ...query } as Record<string, string> }).status).toBe(422);
  });

  it.each([
    [{}, ['e0', 'e1', 'e2']],
    [{ log_level: 40 }, ['e1']],
    [{ log_level: { $gte: 20, $lte: 30 } }, ['e0', 'e2']],
    [{ $or: [{ _id: 'e2' }, { _id: 'e0' }] }, ['e0', 'e2']],
    [{ $and: [{ log_level: 20 }, { _id: { $ne: 'e0' } }] }, ['e2']],
    [{ _id: { $in: ['e1', 'e9'] } }, ['e1']],
    // The in-memory store knows no $regex: it filters nothing.
    [{ _id: { $regex: '^e1' } }, ['e0', 'e1', 'e2']],
  ])('queries %j in the order of storing', (body, expected) => {
    const { manager } = withEvents('2026-11-21T10:00:00', '2026-11-21T09:00:00', '2026-11-21T08:00:00');
    expect(keys(ask(manager, 'queryEvents', { body }))).toEqual(expected);
  });

  it.each([[[]], ['text']])('fails inside on the selector %j', (body) => {
    const { manager } = withEvents('2026-11-21T10:00:00');
    expect(ask(manager, 'queryEvents', { body })).toEqual({ status: 500, body: 'Internal Server Error' });
  });
});

describe('the archive', () => {
  const times = ['2026-11-19T10:00:00', '2026-11-20T10:00:00', '2026-11-21T08:00:00'] as const;

  it.each([
    [{ event_ids: ['e0', 'e9'] }, ['e0']],
    [{ before_date: '2026-11-21' }, ['e0', 'e1']],
  ])('takes %j out of the list', (body, archived) => {
    const { manager, clock } = withEvents(...times);
    expect(ask(manager, 'archiveEvents', { body }).body).toEqual({
      archived_count: archived.length,
      message: `Successfully archived ${archived.length} events`,
    });
    expect(ask(manager, 'archiveEvents', { body }).body).toMatchObject({ archived_count: 0 });
    expect(keys(ask(manager, 'getEvents'))).not.toContain('e0');
    expect(keys(ask(manager, 'getEvents', { query: { include_archived: 'true' } }))).toContain('e0');
    expect(keys(ask(manager, 'getArchivedEvents')).toSorted()).toEqual(archived);
    expect(ask(manager, 'getEvent', { params: { event_id: 'e0' } }).body).toMatchObject({
      archived: true,
      archived_at: clock.zoned(),
    });
  });

  it('wants one of the two', () => {
    expect(ask(lab().manager, 'archiveEvents', { body: {} }).status).toBe(422);
    expect(ask(lab().manager, 'archiveEvents', { body: { before_date: 'x' } }).status).toBe(422);
  });

  it('lists the last archived first and pages', () => {
    const { manager, clock } = withEvents(...times);
    ask(manager, 'archiveEvents', { body: { event_ids: ['e1'] } });
    clock.advance(1000);
    ask(manager, 'archiveEvents', { body: { event_ids: ['e0'] } });
    expect(keys(ask(manager, 'getArchivedEvents'))).toEqual(['e0', 'e1']);
    expect(keys(ask(manager, 'getArchivedEvents', { query: { number: '1', offset: '1' } }))).toEqual(['e1']);
  });

  it('deletes what was archived long ago', () => {
    const { manager, clock } = withEvents(...times);
    ask(manager, 'archiveEvents', { body: { event_ids: ['e0'] } });
    expect(ask(manager, 'deleteArchivedEvents').body).toMatchObject({ deleted_count: 0 });
    clock.advance(48 * hour);
    expect(ask(manager, 'deleteArchivedEvents', { query: { older_than_days: '1' } }).body).toEqual({
      deleted_count: 1,
      message: 'Permanently deleted 1 archived events older than 1 days',
    });
    expect(ask(manager, 'getEvent', { params: { event_id: 'e0' } }).status).toBe(404);
    expect(keys(ask(manager, 'getEvents'))).toEqual(['e2', 'e1']);
  });
});

describe('reports', () => {
  it('needs a period', () => {
    for (const name of ['getPeriodReport', 'getUserReport'] as const) {
      expect(ask(lab().manager, name)).toMatchObject({
        status: 200,
        body: { error: 'start_time and end_time are required' },
      });
    }
    const wrong = { start_time: '2026-11-21', end_time: 'x' };
    expect(ask(lab().manager, 'getPeriodReport', { query: wrong }).body).toHaveProperty('error');
    const turned = { start_time: '2026-11-21', end_time: '2026-11-20' };
    expect(ask(lab().manager, 'getPeriodReport', { query: turned }).body).toHaveProperty('error');
  });

  it('reports the hours of experiments', () => {
    const { manager, clock } = lab();
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
    const { body } = ask(manager, 'getPeriodReport', { query });
    expect(body).toMatchObject({
      key_metrics: { total_experiments: 1, total_runtime_hours: 3, peak_utilization: 100, average_utilization: 12.5 },
      summary_metadata: { total_periods: 24 },
    });
  });

  it('reports the workflows and hours of their authors', () => {
    const { manager, clock } = lab();
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
    expect(ask(manager, 'getUserReport', { query }).body).toMatchObject({
      user_utilization: {
        Ann: { total_workflows: 2, total_runtime_hours: 2 },
        'Unknown Author': { total_workflows: 1, total_runtime_hours: 0 },
      },
    });
  });
});

describe('the manager', () => {
  it('stores log lines as the real managers log', () => {
    const { manager } = lab();
    manager.log({
      level: 'error',
      component: 'ExperimentManager',
      message: 'Experiment failed',
      eventType: 'experiment_failed',
      source: {},
      data: { run_name: 'run 1' },
    });
    expect(Object.values(ask(manager, 'getEvents').body as object)[0]).toMatchObject({
      event_type: 'log_error',
      log_level: 40,
      event_data: { message: 'Experiment failed', component_name: 'ExperimentManager', run_name: 'run 1' },
    });
    manager.log({ level: 'notset', component: 'x', message: '', eventType: 'log', source: {} });
    expect(manager.settings()).toHaveProperty('manager_type', 'event_manager');
  });

  it('holds a hundred thousand events and lists the newest quickly', () => {
    const { manager } = lab();
    manager.scale.addEvents(100_000);
    expect(manager.health()).toMatchObject({ total_events: 100_000 });
    const before = performance.now();
    expect(keys(ask(manager, 'getEvents'))).toHaveLength(100);
    expect(performance.now() - before).toBeLessThan(500);
  });
});
