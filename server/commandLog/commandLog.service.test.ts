import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostClock } from '../../api/time/time.ts';
import { silentLog } from '../logging/log.ts';
import { accountName, CommandLog } from './commandLog.ts';

let folder: string;
let status: number;
let requests: number;
let received: { _id: string; event_timestamp?: string; event_data: { command: string; user?: string } }[];
/** The address of the event manager; `null` if there is none. */
let managerUrl: string | null;
let server: http.Server;
const logs: CommandLog[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
  status = 200;
  requests = 0;
  received = [];
  server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const event = JSON.parse(text) as (typeof received)[number];
      requests += 1;
      if (status === 200) received.push(event);
      const stored = { log_level: 20, event_type: 'log', event_timestamp: '2026-11-23T14:00:00', source: {}, ...event };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(stored));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  managerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  await Promise.all(logs.splice(0).map((log) => log.stop()));
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const tokyo = { zone: 'Asia/Tokyo', aheadMs: 0 };
// A record has another name while it is written.
const waiting = () => readdirSync(join(folder, 'commands')).filter((name) => name.endsWith('.json'));
const open = (eventManager = () => managerUrl, clock: () => HostClock | null = () => tokyo) => {
  const log = new CommandLog({ folder: join(folder, 'commands'), eventManager, clock, log: silentLog });
  logs.push(log);
  return log;
};
const createFields = (command: string, sentAt = Date.now()) => ({
  command,
  application: 'desktop app' as const,
  target: { kind: 'lab', id: null, name: 'all nodes' } as const,
  result: 'done' as const,
  reason: '',
  sent_at: new Date(sentAt).toISOString(),
  duration_ms: 5,
});

describe('the record of a command', () => {
  it('is sent at once without a time, which the event manager adds', async () => {
    const id = open().record(createFields('safety_stop'), 'Safety stop');
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(received[0]).toMatchObject({ _id: id, event_data: { command: 'safety_stop', application: 'desktop app' } });
    expect(received[0]).not.toHaveProperty('event_timestamp');
    await vi.waitFor(() => expect(waiting()).toEqual([]));
  });

  it('names the user who runs the program, also under sudo', async () => {
    open().record(createFields('safety_stop'), 'Safety stop');
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(received[0]?.event_data.user).toBe(accountName());
    expect(received[0]?.event_data).toMatchObject({ message: expect.stringContaining(`(${accountName()} on `) });
    expect(accountName({ SUDO_USER: 'ada' }, true)).toBe('ada');
    expect(accountName({ SUDO_USER: 'ada' }, false)).not.toBe('ada');
  });

  it('has a higher ID than earlier ones, even within one millisecond, because tools sort events by ID', async () => {
    const log = open(() => null);
    const ids = Array.from({ length: 20 }, () => log.record(createFields('safety_stop_result'), 'Safety stop'));
    expect(ids).toEqual(ids.toSorted());
    await log.stop();
  });

  it('waits in a folder while there is no event manager, and is sent at the next start with its own time', async () => {
    const first = open(() => null);
    const pressed = Date.parse('2026-11-23T22:30:00.250Z');
    const ids = [
      first.record(createFields('safety_stop', pressed), 'Safety stop'),
      first.record(createFields('reset'), 'Reset'),
    ];
    await first.stop();
    expect(waiting().toSorted()).toEqual(ids.map((id) => `${id}.json`));
    const next = open();
    next.start();
    await vi.waitFor(() => expect(received.map(({ _id: id }) => id)).toEqual(ids));
    expect(received[0]?.event_timestamp).toBe('2026-11-24T07:30:00');
    await vi.waitFor(() => expect(waiting()).toEqual([]));
    await next.stop();
  });

  it('waits for the time zone of the event manager', async () => {
    const first = open(() => null);
    const id = first.record(createFields('reset', Date.parse('2026-11-23T22:30:00Z')), 'Reset');
    await first.stop();
    let zone: HostClock | null = null;
    const next = open(undefined, () => zone);
    next.start();
    await next.flush();
    expect(received).toEqual([]);
    zone = tokyo;
    await next.flush();
    expect(received).toMatchObject([{ _id: id, event_timestamp: '2026-11-24T07:30:00' }]);
    await next.stop();
  });

  it('is sent by the service after another program has stored it in the same folder', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const address = managerUrl;
    managerUrl = null;
    const service = open();
    service.start();
    const id = open(() => null).record(createFields('maintenance'), 'Maintenance');
    await vi.waitFor(() => expect(waiting()).toHaveLength(1));
    managerUrl = address;
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(() => expect(received.map(({ _id: stored }) => stored)).toEqual([id]));
    await service.stop();
    vi.useRealTimers();
  });

  it('stays queued when the event manager is overloaded and is dropped when it rejects the record', async () => {
    status = 429;
    const log = open();
    log.record(createFields('safety_stop'), 'Safety stop');
    await vi.waitFor(() => expect(waiting()).toHaveLength(1));
    await log.flush();
    expect(waiting()).toHaveLength(1);
    status = 422;
    await vi.waitFor(async () => {
      await log.flush();
      expect(waiting()).toEqual([]);
    });
  });

  it('is not sent to the event manager of another lab', async () => {
    status = 503;
    const log = open();
    const address = managerUrl;
    log.record(createFields('safety_stop'), 'Safety stop');
    await vi.waitFor(() => expect(requests).toBe(1));
    status = 200;
    managerUrl = `${address}other/`;
    await log.flush();
    expect(received).toEqual([]);
    managerUrl = address;
    await log.flush();
    expect(received).toHaveLength(1);
  });

  it('is sent although another record is damaged, whose file is kept', async () => {
    const damaged = `${'0'.repeat(26)}.json`;
    mkdirSync(join(folder, 'commands'));
    writeFileSync(join(folder, 'commands', damaged), '[{"id"');
    const log = open();
    log.start();
    log.record(createFields('safety_stop'), 'Safety stop');
    await vi.waitFor(() => expect(received).toHaveLength(1));
    await vi.waitFor(() => expect(waiting()).toEqual([damaged]));
    await log.stop();
  });

  it('is sent although the folder can’t be written to', async () => {
    writeFileSync(join(folder, 'commands'), '');
    open().record(createFields('safety_stop'), 'Safety stop');
    await vi.waitFor(() => expect(received).toHaveLength(1));
  });
});
