/** Events: stored, read, searched, archived; and the responses of the reports and backups of 0.8.1. */
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { createCommandEvent, createRecord, readRecordedCommand } from '#api/commandRecord.ts';
import { PendingSender, type PendingRecord } from '#api/pendingRecords.ts';
import { events, uniqueName, getId, itOnRealLab, jsonRequest, unknownId, fetchRaw, catchRefusal } from './lab.ts';

const store = (text: string, fields: object = {}) =>
  events.addEvent({ body: { event_type: 'test', log_level: 'warning', event_data: { message: text }, ...fields } });

it('the event manager returns its health and its settings', async () => {
  expect(await events.health()).toMatchObject({ healthy: true, version: '0.8.1', db_connected: true });
  const { settings, schema } = await events.settings({ include_schema: true });
  expect(settings).toHaveProperty('manager_id');
  expect(schema).toHaveProperty('properties');
  expect((await fetchRaw('event', 'settings?include_schema=maybe')).status).toBe(422);
});

describe('an event', () => {
  it('is stored with defaults for missing fields and can be read again', async () => {
    const stored = await store('hello');
    expect(stored).toMatchObject({ event_type: 'test', log_level: 30, alert: false, archived: false });
    expect(await events.getEvent({ event_id: getId(stored) })).toEqual(stored);
    const plainTextEvent = await events.addEvent({ body: { log_level: 40, event_data: 'plain words' } });
    expect(plainTextEvent.event_data).toBe('plain words');
  });

  it('is rejected with an unknown level and not found with an unknown ID', async () => {
    expect((await fetchRaw('event', 'event', jsonRequest('POST', { log_level: 35 }))).status).toBe(422);
    const error = await catchRefusal(events.getEvent({ event_id: unknownId }));
    expect(error).toMatchObject({ status: 404, reason: `Event with ID ${unknownId} not found` });
  });
});

describe('the record of a command', () => {
  const commandRecord = (sentAt: number) => ({
    command: 'pause',
    target: { kind: 'node', id: null, name: 'arm' } as const,
    result: 'done' as const,
    reason: '',
    sent_at: new Date(sentAt).toISOString(),
    duration_ms: 5,
    application: 'desktop app' as const,
    machine: 'lab-pc',
    user: 'ada',
  });

  it('is stored once although it is sent three times with the same ID', async () => {
    const id = ulid();
    const record = createRecord(commandRecord(Date.now()), 'Pause arm');
    // All requests succeed: the database of a lab keeps the first record, the in-memory store the last.
    for (let time = 0; time < 3; time += 1) await events.addEvent({ body: createCommandEvent({ id, record }, null) });
    const matching = await events.queryEvents({ body: { 'event_data.sent_at': record.sent_at } });
    expect(Object.keys(matching)).toEqual([id]);
    expect(readRecordedCommand(matching[id])?.record).toMatchObject({ result: 'done', user: 'ada' });
  });

  it('leaves the queue when it is sent again after a lost response and keeps the time of the command', async () => {
    const id = ulid();
    const sentAt = Date.parse('2026-11-23T22:30:00Z');
    let pending: readonly PendingRecord[] = [{ id, lab: '', record: createRecord(commandRecord(sentAt), 'Pause arm') }];
    let isLost = true;
    const client: Pick<typeof events, 'addEvent'> = {
      addEvent: async (...request) => {
        const stored = await events.addEvent(...request);
        if (!isLost) return stored;
        isLost = false;
        throw new Error('the answer was lost');
      },
    };
    const sender = new PendingSender({
      pending: () => pending,
      remove: (sent) => (pending = pending.filter((record) => record.id !== sent)),
      manager: () => ({ address: '', client }),
      clock: () => ({ zone: 'Asia/Tokyo', aheadMs: 0 }),
      now: () => Date.now(),
      onFailure: () => undefined,
    });
    await sender.flush();
    expect(pending).toHaveLength(1);
    await sender.flush();
    expect(pending).toEqual([]);
    const matching = await events.queryEvents({ body: { _id: id } });
    expect(Object.values(matching)).toMatchObject([
      { event_timestamp: expect.stringMatching(/^2026-11-24T07:30:00(\.0+)?$/), event_data: commandRecord(sentAt) },
    ]);
  });
});

describe('the list of events', () => {
  it('is sorted newest first by the text of the time and supports a minimum level and pages', async () => {
    const source = { user_id: unknownId };
    const atMinute = (minute: number) => ({ event_timestamp: `2099-01-01T00:0${minute}:00.000000`, source });
    const [a, b, c] = [await store('a', atMinute(1)), await store('b', atMinute(3)), await store('c', atMinute(2))];
    const futureEvents = await events.getEvents({ start_time: '2099-01-01T00:00:00', number: 0 });
    expect(Object.keys(futureEvents)).toEqual([getId(b), getId(c), getId(a)]);
    const second = await events.getEvents({ start_time: '2099-01-01T00:00:00', number: 1, offset: 1 });
    expect(Object.keys(second)).toEqual([getId(c)]);
    expect(await events.getEvents({ start_time: '2099-01-01T00:00:00', level: 40 })).toEqual({});
    expect(Object.keys(await events.getEvents({ end_time: '2099-01-01T00:01:30', number: 1 }))).toEqual([getId(a)]);
    expect((await fetchRaw('event', 'events?number=many')).status).toBe(422);
  });

  it('returns the matches of a selector in the order of storing, and a plain 500 for anything but an object', async () => {
    const word = uniqueName('word');
    const first = await store('1', { trace_id: word, log_level: 20 });
    const second = await store('2', { trace_id: word, log_level: 40 });
    expect(Object.keys(await events.queryEvents({ body: { trace_id: word } }))).toEqual([getId(first), getId(second)]);
    const severe = await events.queryEvents({ body: { trace_id: word, log_level: { $gte: 40 } } });
    expect(Object.keys(severe)).toEqual([getId(second)]);
    const broken = await fetchRaw('event', 'events/query', jsonRequest('POST', [1]));
    expect(broken).toMatchObject({ status: 500, text: 'Internal Server Error' });
    expect(broken.headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('the archive of events', () => {
  it('contains events that the list omits by default, and deletes none of the last 30 days', async () => {
    const trace_id = uniqueName('archived');
    const { _id } = await store('old', { trace_id });
    expect(await events.archiveEvents({ body: { event_ids: [_id] } })).toMatchObject({ archived_count: 1 });
    expect(await events.getArchivedEvents({ number: 1000 })).toHaveProperty(_id);
    expect(await events.getEvents({ number: 0 })).not.toHaveProperty(_id);
    expect(await events.getEvents({ number: 0, include_archived: true })).toHaveProperty(_id);
    expect((await events.getEvent({ event_id: _id })).archived_at).toBeTypeOf('string');
    expect(await events.deleteArchivedEvents({ older_than_days: 30 })).toMatchObject({ deleted_count: 0 });
  });

  it('rejects a request without IDs, and an offset or age that is not a number', async () => {
    expect((await catchRefusal(events.archiveEvents({ body: {} }))).status).toBe(422);
    expect((await fetchRaw('event', 'events/archived?offset=x')).status).toBe(422);
    expect((await fetchRaw('event', 'events/archived?older_than_days=x', { method: 'DELETE' })).status).toBe(422);
  });
});

itOnRealLab('the event manager lists its backups and refuses to create one without mongodump', async () => {
  expect(await events.getBackupStatus()).toHaveProperty('available_backups');
  expect((await catchRefusal(events.createBackup({ body: { description: 'before' } }))).status).toBe(500);
});

const period = { start_time: '2026-01-01T00:00:00', end_time: '2026-01-02T00:00:00' };

it('the event manager reports by period and user, and refuses missing and wrong times with status 200', async () => {
  expect(await events.getPeriodReport({ ...period, analysis_type: 'daily' })).toHaveProperty('summary_metadata');
  expect(await events.getUserReport(period)).toHaveProperty('report_metadata');
  const reports = [() => events.getPeriodReport({}), () => events.getUserReport({ start_time: 'yesterday' })];
  for (const refused of reports) expect((await catchRefusal(refused())).status).toBe(200);
});

itOnRealLab(
  'the event manager refuses the report of sessions with status 200, and returns the report of users also as CSV',
  async () => {
    expect((await catchRefusal(events.getSessionReport(period))).status).toBe(200);
    const sheet = await fetchRaw('event', `utilization/user?start_time=${period.start_time}&csv_format=true`);
    expect(sheet.headers.get('content-type')).toContain('text/csv');
    expect(sheet.text).toContain('Author,Total Workflows,Completed');
    expect((await fetchRaw('event', 'utilization/user?csv_format=x')).status).toBe(422);
  },
);
