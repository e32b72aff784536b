/** Two lab managers with one history in Debian's PostgreSQL. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { labHistory, type LabHistory } from '../../api/lab/lab.ts';
import type { Query } from '../../server/database/query.ts';
import { insertRecords, readRecords } from '../../server/history/sharedHistory.ts';
import { serializeRecord, type HistoryRecord } from '../../server/history/record.ts';
import { pickFreePort, startLab, type FakeLab } from '../support/managers.ts';
import { databasePassword, TestPostgres } from '../support/postgres.ts';
import { makeService, type TestService } from '../support/service.ts';

let postgres: TestPostgres;
let lab: FakeLab;
let database: string;
let count = 0;
const services: TestService[] = [];
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  postgres = await TestPostgres.start();
});
afterAll(() => postgres.stop());

beforeEach(async () => {
  if (!postgres.isRunning) await postgres.resume();
  lab = await startLab();
  database = `lab${(count += 1)}`;
  await postgres.query(`CREATE DATABASE ${database}`);
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
  await lab.stop();
});

/** Opens a proxy to the database that the test can interrupt. */
async function startInterruptibleProxy(): Promise<{ readonly url: string; setOpen(isOpen: boolean): void }> {
  let isOpen = true;
  const sockets = new Set<Socket>();
  const proxy: Server = createServer((socket) => {
    if (!isOpen) return void socket.destroy();
    const upstream = connect(postgres.port, '127.0.0.1');
    for (const connection of [socket, upstream]) {
      sockets.add(connection);
      connection.on('error', () => undefined);
      connection.on('close', () => sockets.delete(connection));
    }
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => void proxy.close());
  return {
    url: postgres.url(database).replace(`:${postgres.port}/`, `:${(proxy.address() as AddressInfo).port}/`),
    setOpen: (open) => {
      isOpen = open;
      // Without FIN, as in a network that drops all packets, the server would keep the session until its time limit.
      if (!open) for (const socket of sockets) socket.destroy();
    },
  };
}

interface ServerOptions {
  readonly url?: string;
  /** The history from before the database. */
  readonly past?: readonly HistoryRecord[];
  /** `LAB_SERVER_URL`. */
  readonly serverUrl?: string;
  /** The receiver of notifications. */
  readonly webhook?: string;
  /** The name of the lab. */
  readonly name?: string;
}

/** The file with the records that the database has not stored. */
const historyFile = 'history.jsonl';

async function startServer({
  url = postgres.url(database),
  past = [],
  serverUrl,
  webhook,
  name,
}: ServerOptions = {}): Promise<TestService> {
  const port = await pickFreePort();
  const settings = [
    lab.settings,
    'lab_watch_interval: 1',
    ...(serverUrl === undefined ? [] : [`lab_server_url: ${serverUrl}`]),
    ...(name === undefined ? [] : [`lab_manager_name: ${name}`]),
    ...(webhook === undefined ? [] : [`lab_notify_webhook_url: ${webhook}`]),
    '',
  ];
  const service = await makeService({
    files: { 'settings.yaml': settings.join('\n') },
    env: { LAB_DATABASE_URL: url, LAB_LISTEN_PORT: String(port) },
  });
  services.push(service);
  const file = service.statePath(historyFile, port);
  await mkdir(dirname(file), { recursive: true });
  if (past.length > 0) await writeFile(file, past.map(serializeRecord).join(''));
  await service.manager.start();
  return service;
}

async function readHistory(service: TestService, hours = 2): Promise<LabHistory> {
  return labHistory.parse(await (await fetch(`${service.url}lab_health/history?hours=${hours}`)).json());
}

const isActive = async (service: TestService) => (await readHistory(service)).standby === undefined;
const readIncidents = async (service: TestService, hours?: number) =>
  (await readHistory(service, hours)).incidents?.map(({ id, from, to }) => [id, from, to === null ? 'lasts' : 'ended']);

/** Returns the rows of the history: the kind, or for a state, the manager and its state. */
async function readRows(condition = 'NOT superseded'): Promise<string[]> {
  const stored = await postgres.query<{ body: string }>(
    `SELECT body FROM lab_manager.records WHERE ${condition} ORDER BY at, id`,
    [],
    database,
  );
  return stored.map(({ body }) => {
    const record = JSON.parse(body) as HistoryRecord;
    return record.kind === 'state' ? `${record.manager} ${record.state}` : record.kind;
  });
}

it('one of two servers leads and records, and both show the same history, also after a failover', async () => {
  const first = await startServer();
  await expect.poll(() => isActive(first)).toBe(true);
  const second = await startServer();
  await expect.poll(async () => (await readHistory(second)).standby).toContain(`:${first.port} is the leader`);

  await lab.managers.data.stop();
  await expect.poll(() => readIncidents(first)).toEqual([['data', expect.any(String), 'lasts']]);
  const incidents = await readIncidents(first);
  await expect.poll(() => readIncidents(second)).toEqual(incidents);

  await first.manager.stop();
  await expect.poll(() => isActive(second)).toBe(true);
  await lab.managers.data.start();
  await expect.poll(() => readIncidents(second)).toEqual([['data', incidents?.[0]?.[1], 'ended']]);
  await expect
    .poll(() => readRows())
    .toEqual(expect.arrayContaining(['start', 'data unreachable', 'stop', 'data healthy']));
});

it('an unavailable database loses no record, and the leader remains the leader', async () => {
  const first = await startServer();
  await expect.poll(() => isActive(first)).toBe(true);
  const second = await startServer();
  await expect.poll(() => isActive(second)).toBe(false);
  await postgres.crash();
  await expect.poll(async () => (await readHistory(first)).database?.problem?.reason).toBeDefined();
  await lab.managers.data.stop();
  await expect.poll(() => readIncidents(first)).toHaveLength(1);
  await expect.poll(async () => (await readHistory(first)).database?.waiting).toBeGreaterThan(0);
  expect(await isActive(first)).toBe(true);

  // The waiting records survive the end of the service, because they are in the file.
  const file = first.statePath(historyFile);
  await expect.poll(() => readFile(file, 'utf8')).toContain('"manager":"data","state":"unreachable"');
  await first.manager.stop();
  const lines = (await readFile(file, 'utf8')).split('\n');
  const waitingRecord = lines.find((line) => line.includes('"manager":"data","state":"unreachable"'));
  await postgres.resume();
  await first.manager.start();
  await expect.poll(async () => (await readHistory(first)).database).toEqual({ problem: null, waiting: 0 });
  const stored = await postgres.query('SELECT FROM lab_manager.records WHERE body = $1', [waitingRecord], database);
  expect(stored).toHaveLength(1);
  await expect.poll(() => readFile(file, 'utf8')).toBe('');
  await expect.poll(() => readIncidents(second)).toHaveLength(1);
});

it('records of a leader that is separated from the database do not count while another server leads', async () => {
  const proxy = await startInterruptibleProxy();
  const first = await startServer({ url: proxy.url });
  await expect.poll(() => isActive(first)).toBe(true);
  const second = await startServer();
  proxy.setOpen(false);
  await expect.poll(() => isActive(second)).toBe(true);
  expect(await isActive(first)).toBe(true);
  await expect.poll(() => readRows()).toContain('event healthy');
  await lab.managers.data.stop();
  await expect.poll(() => readIncidents(second)).toHaveLength(1);
  await expect.poll(() => readIncidents(first)).toHaveLength(1);

  proxy.setOpen(true);
  await expect.poll(() => isActive(first)).toBe(false);
  await expect.poll(async () => (await readHistory(first)).database).toEqual({ problem: null, waiting: 0 });
  expect(await readRows('superseded')).toContain('data unreachable');
  expect((await readRows()).filter((row) => row === 'data unreachable')).toHaveLength(1);
  await expect.poll(() => readIncidents(first)).toEqual(await readIncidents(second));
});

it('a server that was not the leader becomes active if the leader fails together with the database', async () => {
  const first = await startServer();
  await expect.poll(() => isActive(first)).toBe(true);
  const second = await startServer({ serverUrl: first.url });
  await expect.poll(() => isActive(second)).toBe(false);
  await postgres.crash();
  await expect.poll(async () => (await readHistory(second)).standby).toContain('the database cannot be used');
  await first.manager.stop();
  await expect.poll(() => isActive(second)).toBe(true);
  await postgres.resume();
  await expect.poll(async () => (await readHistory(second)).database).toEqual({ problem: null, waiting: 0 });
  expect(await isActive(second)).toBe(true);
});

it('a server of another lab does not use the database, and watches its own lab', async () => {
  const first = await startServer({ name: 'Bench' });
  await expect.poll(() => isActive(first)).toBe(true);
  const otherLabServer = await startServer({ name: 'Culture' });
  const problem = async () => (await readHistory(otherLabServer)).database?.problem?.reason;
  await expect.poll(problem).toContain('it belongs to the lab “Bench”, and each lab needs a database of its own');
  await expect.poll(() => isActive(otherLabServer)).toBe(true);
  expect(await isActive(first)).toBe(true);
  // The database still belongs to the lab “Bench” while none of its servers has the lock.
  await first.manager.stop();
  const next = await startServer({ name: 'Culture' });
  await expect.poll(async () => (await readHistory(next)).database?.problem?.reason).toContain('“Bench”');
  const renamed = await startServer({ name: 'Bench' });
  await expect.poll(() => isActive(renamed)).toBe(true);
  expect((await readHistory(renamed)).database?.problem).toBeNull();
});

it('the existing history of each of two servers is stored once, and both show the same incidents', async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const url = lab.managers.data.url;
  const past = (from: number): HistoryRecord[] => [
    { kind: 'start', at: minutesAgo(from), version: '0.0.9' },
    { kind: 'state', at: minutesAgo(from), manager: 'data', state: 'healthy', reason: null, url },
    { kind: 'state', at: minutesAgo(from - 1), manager: 'data', state: 'unhealthy', reason: 'its disk is full', url },
    { kind: 'watched', at: minutesAgo(from - 2), since: minutesAgo(from) },
    { kind: 'state', at: minutesAgo(from - 2), manager: 'data', state: 'healthy', reason: null, url },
    { kind: 'stop', at: minutesAgo(from - 2) },
  ];
  const first = await startServer({ past: past(60) });
  await expect.poll(async () => (await readHistory(first)).incidents).toHaveLength(1);
  const second = await startServer({ past: [...past(90), ...past(60)] });
  await expect.poll(() => readIncidents(second)).toHaveLength(2);
  await expect.poll(() => readIncidents(first)).toEqual(await readIncidents(second));
  const stored = (await readRows('true')).length;

  // After a crash before the file was emptied, the server finds the records in it again.
  const { port } = first;
  const file = first.statePath(historyFile, port);
  await first.manager.stop();
  const all = await postgres.query<{ body: string }>(
    `SELECT body FROM lab_manager.records JOIN lab_manager.servers ON server = servers.id
     WHERE name LIKE '%:${port}' ORDER BY records.id`,
    [],
    database,
  );
  await writeFile(file, all.map(({ body }) => `${body}\n`).join(''));
  await first.manager.start();
  await expect.poll(async () => (await readHistory(first)).database).toEqual({ problem: null, waiting: 0 });
  await expect.poll(() => readIncidents(first)).toHaveLength(2);
  expect(stored).toBeGreaterThan(18);
  expect((await readRows('true')).filter((row) => row === 'data unhealthy')).toHaveLength(3);
});

it('watched times are read as spans, and states before the 90 days only if they are the last of their subject', async () => {
  const server = await startServer();
  await expect.poll(() => isActive(server)).toBe(true);
  await server.manager.stop();
  const now = Date.now();
  const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  const day = 24 * 60;
  const state = (minutes: number, reason: string): HistoryRecord => {
    return { kind: 'state', at: minutesAgo(minutes), manager: 'location', state: 'unhealthy', reason };
  };
  const watched = (minutes: number): HistoryRecord => ({
    kind: 'watched',
    at: minutesAgo(minutes),
    since: minutesAgo(minutes + 1),
  });
  const batch = [
    state(101 * day, 'older'),
    state(100 * day, 'old'),
    watched(9),
    watched(8),
    state(7.5, 'new'),
    watched(7),
    watched(3),
  ];
  const client = new Client({ connectionString: postgres.url(database) });
  await client.connect();
  const query: Query = async (text, values = []) => (await client.query({ text, values: [...values] })).rows;
  await insertRecords(query, batch, { server: 'old:8000', isLeader: false }, now);
  const { records } = await readRecords(query, now);
  await client.end();
  const isFromBatch = (record: HistoryRecord) =>
    record.kind === 'watched' || (record.kind === 'state' && record.manager === 'location');
  const read = records.filter((record) => Date.parse(record.at) <= now - 3 * 60_000 && isFromBatch(record));
  expect(read).toEqual([batch[1], batch[4], { kind: 'watched', at: minutesAgo(7), since: minutesAgo(10) }, watched(3)]);
});

it('the password of the database is in no response, no log and no message', async () => {
  await postgres.query(`CREATE ROLE other LOGIN PASSWORD 'x'`, [], database);
  const wrongPasswordUrl = postgres.url(database).replace('//lab:', '//other:');
  const service = await startServer({ url: wrongPasswordUrl });
  await expect
    .poll(async () => (await readHistory(service)).database?.problem?.reason)
    .toContain('authentication failed');
  const settings = await (await fetch(`${service.url}settings`)).text();
  expect(settings).toContain('database_url');
  const all = [settings, JSON.stringify(await readHistory(service)), service.log.join('\n')].join('\n');
  expect(all).not.toContain(databasePassword);
});

interface ReceivedNotification {
  readonly title: string;
  readonly key: string;
}

/** Starts a receiver of notifications that accepts or refuses them. */
async function startNotificationReceiver() {
  const received: ReceivedNotification[] = [];
  const refused: ReceivedNotification[] = [];
  const state = { isAccepting: true };
  const server = http.createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    const { title, key } = JSON.parse(Buffer.concat(body).toString()) as ReceivedNotification;
    (state.isAccepting ? received : refused).push({ title, key });
    response.writeHead(state.isAccepting ? 204 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, refused, state };
}

it('a new leader sends a notification that the former leader did not deliver, and the end of a reported outage', async () => {
  const { url: webhook, received, refused, state } = await startNotificationReceiver();
  const first = await startServer({ webhook });
  await expect.poll(() => isActive(first)).toBe(true);
  const second = await startServer({ webhook });
  await expect.poll(() => isActive(second)).toBe(false);
  await expect.poll(() => readRows()).toContain('event healthy');
  await lab.managers.event.stop();
  await expect.poll(() => received.map(({ title }) => title)).toEqual(['Event Manager: unreachable']);
  state.isAccepting = false;
  await lab.managers.data.stop();
  await expect.poll(() => refused.length).toBeGreaterThan(0);
  const undelivered = () => postgres.query('SELECT FROM lab_manager.notifications WHERE done IS NULL', [], database);
  await expect.poll(undelivered).toHaveLength(1);

  state.isAccepting = true;
  await first.manager.stop();
  await expect.poll(() => received.length).toBe(2);
  expect(received[1]).toEqual(refused[0]);
  await expect.poll(undelivered).toEqual([]);
  await lab.managers.event.start();
  await expect.poll(() => received.length).toBe(3);
  expect(received[2]?.title).toBe('Event Manager is back');
});
