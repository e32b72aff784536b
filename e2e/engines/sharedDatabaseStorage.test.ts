/** Checks what servers store and delete in the shared database, also after refused statements and crashes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createContextRecord } from '../../api/managers.ts';
import { Database } from '../../server/database/database.ts';
import type { Query } from '../../server/database/query.ts';
import { migrations } from '../../server/database/migrations.ts';
import { sampleNotification } from '../../server/fixtures/sampleNotification.ts';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { createTestModel } from '../../server/fixtures/testModel.ts';
import { HistoryFile } from '../../server/history/historyFile.ts';
import { serializeRecord, type HistoryRecord } from '../../server/history/record.ts';
import { insertRecords, readRecords, SharedHistory } from '../../server/history/sharedHistory.ts';
import { deleteOldRecords } from '../../server/history/sharedRetention.ts';
import { silentLog } from '../../server/logging/log.ts';
import type { StoredMessage } from '../../server/notifications/notificationsFile.ts';
import { reportDelayMs, StateStartTimes } from '../../server/notifications/otherServer.ts';
import { SharedNotifications } from '../../server/notifications/sharedNotifications.ts';
import { TestPostgres } from '../support/postgres.ts';

let postgres: TestPostgres;
let name: string;
let count = 0;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  postgres = await TestPostgres.start();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  name = `faults${(count += 1)}`;
  await postgres.query(`CREATE DATABASE ${name}`);
});
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

const query = <Row extends object>(text: string, values: readonly unknown[] = []) =>
  postgres.query<Row>(text, values, name);

/** Creates a server of the lab; the one that connects first is the leader. */
function server(id: string, host = id): { readonly database: Database; readonly lines: readonly string[] } {
  const identity = { id, renew: () => (identity.id = `${id} renewed`) };
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const lab = createTestModel({ managerName: 'Bench', context: createContextRecord(() => null) });
  const database = new Database({
    url: postgres.url(name),
    identity,
    name: `${host}:8000`,
    lab,
    log: { ...silentLog, info: log, warn: log },
  });
  database.state.subscribe(({ isLeader }) => void (lab.standby.value = isLeader ? null : 'not the leader'));
  cleanups.push(() => database.stop());
  return { database, lines };
}

/** Runs statements in one session. */
async function inSession<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: postgres.url(name) });
  await client.connect();
  const sessionQuery: Query = async (text, values = []) => (await client.query({ text, values: [...values] })).rows;
  return work(sessionQuery).finally(() => client.end());
}

async function connect(database: Database): Promise<void> {
  database.start();
  await expect.poll(() => database.connection.state).toBe('connected');
}

/** Opens a history whose file has these records at the start. */
async function openHistory(
  database: Database,
  past: readonly HistoryRecord[] = [],
  onRecords: (records: readonly HistoryRecord[]) => void = () => undefined,
  maxAgeDays: number | null = null,
) {
  const folder = await makeTempFolder();
  cleanups.push(() => folder.remove());
  const path = join(folder.path, 'history.jsonl');
  await writeFile(path, past.map(serializeRecord).join(''));
  const { file, records } = await HistoryFile.open(path, silentLog);
  cleanups.push(() => file.close());
  const lab = createTestModel({ databaseRetentionDays: maxAgeDays });
  const parts = { lab, onReload: () => undefined, onRecords, log: silentLog };
  return new SharedHistory({ database, file, records, ...parts });
}

const state = (at: number, reason: string | null = null): HistoryRecord => {
  return { kind: 'state', at: new Date(at).toISOString(), manager: 'data', state: 'unhealthy', reason };
};

describe('two servers with the same host name', () => {
  it('are distinguished by their IDs, also in messages', async () => {
    const { database: leader } = server('a', 'lab-pc');
    const history = await openHistory(leader);
    await connect(leader);
    const { database: secondDatabase } = server('b', 'lab-pc');
    const followed: HistoryRecord[] = [];
    const standbyHistory = await openHistory(secondDatabase, [], (records) => void followed.push(...records));
    await connect(secondDatabase);
    await standbyHistory.waitUntilLoaded(5000);
    expect([leader.leader, secondDatabase.leader]).toEqual(['lab-pc:8000', 'another lab-pc:8000']);
    const record = state(Date.now());
    await history.append(record);
    await expect.poll(() => followed).toEqual([record]);
  });

  it('with a copy of the same state folder get different IDs', async () => {
    const { database: first, lines } = server('a', 'lab-pc');
    await connect(first);
    const copy = server('a', 'lab-pc');
    copy.database.start();
    await expect.poll(() => copy.database.connection.state).toBe('connected');
    expect([first.server, copy.database.server]).toEqual(['a', 'a renewed']);
    expect(
      [lines, copy.lines].map((serverLines) => serverLines.filter((line) => line.includes('has a new ID')).length),
    ).toEqual([0, 1]);
    expect([first.isLeader, copy.database.isLeader]).toEqual([true, false]);
  });
});

describe('a database of the first version', () => {
  it('is updated, and what a server stored under its name remains and is not stored again', async () => {
    const past = [state(Date.now() - 7_200_000, 'before'), state(Date.now() - 7_100_000, 'after')];
    await query(`CREATE SCHEMA lab_manager; CREATE TABLE lab_manager.version (version int NOT NULL); ${migrations[0]}`);
    await query('INSERT INTO lab_manager.version VALUES (1)');
    await query(`INSERT INTO lab_manager.state (name, content) VALUES ('leader', 'lab-pc:8000')`);
    await inSession((sessionQuery) => insertRecords(sessionQuery, past, { server: 'lab-pc:8000', isLeader: true }));

    const { database } = server('a', 'lab-pc');
    const history = await openHistory(database, past);
    await connect(database);
    await expect.poll(() => history.pendingCount).toBe(0);
    const { records } = await database.transaction((sessionQuery) => readRecords(sessionQuery, Date.now()));
    expect(records).toEqual(past);
    expect(database.leader).toBe('lab-pc:8000');
  });
});

describe('the ID of a server whose former session has not ended', () => {
  it('stays the same', async () => {
    const former = server('a');
    await connect(former.database);
    const next = server('a');
    next.database.start();
    const isWaiting = () => query(`SELECT FROM pg_stat_activity WHERE wait_event = 'advisory'`);
    await expect.poll(isWaiting).toHaveLength(1);
    await former.database.stop();
    await expect.poll(() => next.database.connection.state).toBe('connected');
    expect([next.database.server, next.database.leader]).toEqual(['a', 'a:8000']);
  });
});

describe('a statement that PostgreSQL refuses', () => {
  it('costs neither the connection nor the leadership, and is reported until the record is stored', async () => {
    const { database, lines } = server('a');
    const history = await openHistory(database);
    await connect(database);
    const sessions = () =>
      query<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'lab-m%'`);
    const [session] = await sessions();
    await query('ALTER TABLE lab_manager.records ADD CONSTRAINT refused CHECK (false) NOT VALID');
    await history.append(state(Date.now()));
    await expect.poll(() => database.problem?.reason).toContain('violates check constraint "refused"');
    expect([database.isLeader, database.connection.state, history.pendingCount]).toEqual([true, 'connected', 1]);
    expect(lines.filter((line) => line.includes('refuses a statement'))).toHaveLength(1);

    await query('ALTER TABLE lab_manager.records DROP CONSTRAINT refused');
    await expect.poll(() => database.problem).toBeNull();
    expect([history.pendingCount, await sessions()]).toEqual([0, [session]]);
    expect(lines.at(-1)).toBe('The database stores records again');
  });
});

describe('the records of a file', () => {
  it('are stored once, also if they are several batches and the server ended before its file was emptied', async () => {
    const past = Array.from({ length: 4500 }, (_, index) => state(Date.now() - 3_600_000 + index, `number ${index}`));
    const { database: first } = server('a');
    const history = await openHistory(first, past);
    await connect(first);
    await expect.poll(() => history.pendingCount).toBe(0);
    await first.stop();

    const { database: second } = server('a');
    const secondHistory = await openHistory(second, [...past, state(Date.now(), 'new')]);
    await connect(second);
    await expect.poll(() => secondHistory.pendingCount).toBe(0);
    const [stored] = await query(
      `SELECT count(*)::int AS all, count(DISTINCT body)::int AS different FROM lab_manager.records`,
    );
    expect(stored).toEqual({ all: 4501, different: 4501 });
  });
});

describe('a record of a server that was separated from the database', () => {
  it('is hidden for the time after the leader’s last record, until the leader’s next one', async () => {
    const { database: leader } = server('a');
    await connect(leader);
    const { database: standby } = server('b');
    await connect(standby);
    await expect.poll(() => leader.isLeader).toBe(true);
    const now = Date.now();
    await leader.transaction((sessionQuery) =>
      insertRecords(sessionQuery, [state(now - 200_000), state(now - 100_000)], leader),
    );
    const reasons = ['before', 'covered', 'since the last record', 'long after'];
    const times = [now - 300_000, now - 150_000, now - 40_000, now + 100_000];
    const late = times.map((at, index) => state(at, reasons[index]));
    await standby.transaction((sessionQuery) => insertRecords(sessionQuery, late, standby));
    const superseded = await query<{ reason: string }>(
      `SELECT body::json->>'reason' AS reason FROM lab_manager.records WHERE superseded ORDER BY at`,
    );
    expect(superseded.map(({ reason }) => reason)).toEqual(['covered', 'since the last record']);
  });
});

describe('a server on standby', () => {
  it('drops its waiting messages only while no message of the last day waits at the active server', async () => {
    const message: StoredMessage = {
      address: 'https://hooks.example.com/1',
      key: 'a1',
      notification: sampleNotification(),
      tries: 0,
      nextAt: 0,
      queuedAt: 0,
    };
    const queue = { isPaused: false, waiting: [], discard: () => undefined, discardBefore: () => undefined };
    const { database: leader } = server('a');
    const activeNotifications = new SharedNotifications({
      database: leader,
      state: () => ({ reported: [], outages: [{ key: 'manager data', since: null }] }),
      queue,
      starts: new StateStartTimes(),
      log: silentLog,
    });
    await connect(leader);
    activeNotifications.queueChange([message], false);
    await expect.poll(() => query('SELECT FROM lab_manager.notifications')).toHaveLength(1);

    const { database: standby } = server('b');
    const deliveredUntil: number[] = [];
    let outages = 0;
    const startedAt = performance.now();
    const starts = new StateStartTimes();
    vi.spyOn(starts, 'remember').mockImplementation(() => void (outages += 1));
    void new SharedNotifications({
      database: standby,
      state: () => null,
      queue: { ...queue, isPaused: true, discardBefore: (until) => void deliveredUntil.push(until) },
      starts,
      log: silentLog,
    });
    await connect(standby);
    await expect.poll(() => outages).toBeGreaterThan(1);
    expect(deliveredUntil).toEqual([]);
    activeNotifications.queueChange([message], true);
    await expect.poll(() => deliveredUntil.length).toBeGreaterThan(0);
    // The active server may report the same incident later than the server on standby.
    expect(deliveredUntil[0]).toBeGreaterThan(startedAt - reportDelayMs);
    expect(deliveredUntil[0]).toBeLessThan(performance.now() - reportDelayMs);

    const setWaitingSince = (age: string) =>
      query(`UPDATE lab_manager.notifications SET done = NULL, queued = now() - $1::interval`, [age]);
    await setWaitingSince('1 hour');
    const countsBefore = [deliveredUntil.length, outages] as const;
    await expect.poll(() => outages).toBeGreaterThan(countsBefore[1] + 1);
    expect(deliveredUntil.length - countsBefore[0]).toBeLessThan(2);
    await setWaitingSince('25 hours');
    const countBefore = deliveredUntil.length;
    await expect.poll(() => deliveredUntil.length).toBeGreaterThan(countBefore);
  });
});

describe('a row that no lab manager writes', () => {
  it('is skipped and reported once, and the others are read', async () => {
    const { database, lines } = server('a');
    await connect(database);
    const at = new Date(Date.now() - 60_000).toISOString();
    const healthy: HistoryRecord = { kind: 'state', at, manager: 'data', state: 'healthy', reason: null };
    const watched: HistoryRecord = { kind: 'watched', at, since: at };
    await database.transaction((sessionQuery) => insertRecords(sessionQuery, [healthy, watched], database));
    const copies = [
      ['infinity', 'body'],
      ['-infinity', 'body'],
      [at, "'no JSON'"],
      [at, `replace(body, '"since":"', '"since":"never ')`],
    ];
    for (const [time, body] of copies)
      await query(
        `INSERT INTO lab_manager.records (at, class, subject, server, superseded, body)
         SELECT '${time}', class, subject, server, superseded, ${body} FROM lab_manager.records WHERE id <= 2`,
      );
    await query(
      `INSERT INTO lab_manager.notifications (key, receiver, body, queued) VALUES ('k', 'r', 'no JSON', 'infinity')`,
    );
    const records: HistoryRecord[][] = [];
    const shared = new SharedHistory({
      database,
      file: null,
      records: [],
      lab: createTestModel({ databaseRetentionDays: null }),
      onReload: (all) => void records.push([...all]),
      onRecords: () => undefined,
      log: { ...silentLog, warn: (line) => void (lines as string[]).push(line) },
    });
    await shared.waitUntilLoaded(20_000);
    expect(records[0]).toContainEqual(healthy);
    expect(records[0]).toContainEqual(watched);
    expect(lines.filter((line) => line.includes('can’t be read'))).toHaveLength(1);
    expect(database.connection.state).toBe('connected');
  });
});

describe('records that are older than the retention', () => {
  const day = 86_400_000;
  const node = (days: number, nodeName: string): HistoryRecord => {
    return {
      kind: 'node',
      at: new Date(Date.now() - days * day).toISOString(),
      name: nodeName,
      state: 'ready',
      reason: null,
    };
  };
  const watched = (days: number): HistoryRecord => {
    const at = new Date(Date.now() - days * day).toISOString();
    return { kind: 'watched', at, since: at };
  };
  const listRecords = async () =>
    (await query<{ body: string }>('SELECT body FROM lab_manager.records ORDER BY at, id')).map(({ body }) => {
      const { kind, at, ...rest } = JSON.parse(body) as HistoryRecord;
      return [kind, Math.round((Date.now() - Date.parse(at)) / day), 'name' in rest ? rest.name : null];
    });

  /** Creates the tables, and stores records as a server that is not the leader. */
  async function store(records: readonly HistoryRecord[], id = 'other'): Promise<void> {
    const { database } = server('tables');
    await connect(database);
    await database.stop();
    await inSession((sessionQuery) => insertRecords(sessionQuery, records, { server: id, isLeader: false }));
  }

  it('are deleted by the leader, also if they are many or superseded, except the last of each subject', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => node(500 - index / 100, 'arm'));
    const old = [node(700, 'reader'), ...many, watched(400), watched(366)];
    const young = [node(364, 'arm'), watched(300), state(Date.now())];
    await store([...old, ...young]);
    await store([node(450, 'arm')], 'separated');
    expect(await query('SELECT FROM lab_manager.records WHERE superseded')).toHaveLength(0);
    await query(`UPDATE lab_manager.records SET superseded = true WHERE server = 'separated'`);

    const { database: leader } = server('a');
    await openHistory(leader, [], undefined, 365);
    await connect(leader);
    await expect.poll(listRecords).toEqual([
      ['node', 700, 'reader'],
      ['node', 488, 'arm'],
      ['node', 364, 'arm'],
      ['watched', 300, null],
      ['state', 0, null],
    ]);
    expect(await query(`SELECT FROM lab_manager.coverage WHERE last < now() - interval '365 days'`)).toEqual([]);
    const { records } = await leader.transaction((sessionQuery) => readRecords(sessionQuery, Date.now()));
    expect(records.filter(({ kind }) => kind === 'node')).toEqual([old[0], young[0]]);
  });

  it('remain while no server with a retention is the leader', async () => {
    await store([watched(400)]);
    const { database: leader } = server('a');
    await openHistory(leader, [], undefined, null);
    await connect(leader);
    const { database: standby } = server('b');
    await openHistory(standby, [], undefined, 365);
    let heartbeats = 0;
    standby.onHeartbeat(async () => void (heartbeats += 1));
    await connect(standby);
    await expect.poll(() => heartbeats).toBeGreaterThan(1);
    expect(await listRecords()).toEqual([['watched', 400, null]]);
    await leader.stop();
    await expect.poll(listRecords).toEqual([]);
  });

  it('remain if only the clock of this server is ahead', async () => {
    await store([watched(300)]);
    const deleteOlderThanYear = (now: number) => inSession((sessionQuery) => deleteOldRecords(sessionQuery, 365, now));
    await deleteOlderThanYear(Date.now() + 10_000 * day);
    expect(await listRecords()).toHaveLength(1);
    await inSession((sessionQuery) => deleteOldRecords(sessionQuery, 299));
    expect(await listRecords()).toEqual([]);
  });
});
