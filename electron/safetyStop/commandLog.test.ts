import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../server/logging/log.ts';
import { stateFilesSettled } from '../../server/stateFile.ts';
import { CommandLog } from './commandLog.ts';

let folder: string;
let path: string;
let status: number;
let asked: number;
let received: { _id: string; event_timestamp?: string; event_data: { command: string } }[];
let manager: string | null;
let server: http.Server;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
  path = join(folder, 'commands.json');
  status = 200;
  asked = 0;
  received = [];
  server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const event = JSON.parse(text) as (typeof received)[number];
      asked += 1;
      if (status === 200) received.push(event);
      const stored = { log_level: 20, event_type: 'log', event_timestamp: '2026-11-23T14:00:00', source: {}, ...event };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(stored));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  manager = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

/** As at a start, with everything written that was recorded before. */
async function open(): Promise<CommandLog> {
  await stateFilesSettled();
  const log = new CommandLog({
    path,
    eventManager: () => manager,
    clock: () => ({ zone: 'Asia/Tokyo', aheadMs: 0 }),
    log: silentLog,
  });
  await log.load();
  return log;
}
const facts = (command: string, sentAt = Date.now()) => ({
  command,
  target: { kind: 'lab', id: null, name: 'all nodes' } as const,
  result: 'done' as const,
  reason: '',
  sent_at: new Date(sentAt).toISOString(),
  duration_ms: 5,
});

describe('the record of the app’s commands', () => {
  it('is sent at once, with the time of the event manager', async () => {
    const id = (await open()).record(facts('safety_stop'), 'Safety stop');
    await vi.waitFor(() => expect(received).toHaveLength(1));
    expect(received[0]).toMatchObject({ _id: id, event_data: { command: 'safety_stop', application: 'desktop app' } });
    expect(received[0]).not.toHaveProperty('event_timestamp');
    await vi.waitFor(() => expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual([]));
  });

  it('has IDs in its order, also within one millisecond: tools sort events by them', async () => {
    manager = null;
    const log = await open();
    const ids = Array.from({ length: 20 }, () => log.record(facts('safety_stop_result'), 'Safety stop'));
    expect(ids).toEqual(ids.toSorted());
  });

  it('waits in a file while there is no event manager, and is sent by the next start in its order', async () => {
    const address = manager;
    manager = null;
    const first = await open();
    const ids = [
      first.record(facts('safety_stop', Date.now() - 60_000), 'Safety stop'),
      first.record(facts('reset'), 'Reset'),
    ];
    manager = address;
    await (await open()).flush();
    expect(received.map(({ _id: id }) => id)).toEqual(ids);
    expect(received[0]?.event_timestamp).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+$/);
  });

  it('is kept when the event manager is overloaded, and dropped when it refuses the record for good', async () => {
    status = 429;
    const log = await open();
    log.record(facts('safety_stop'), 'Safety stop');
    await vi.waitFor(() => expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(1));
    await log.flush();
    await stateFilesSettled();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(1);
    status = 422;
    await vi.waitFor(async () => {
      await log.flush();
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual([]);
    });
  });

  it('of one lab is not sent to another', async () => {
    status = 503;
    const log = await open();
    const lab = manager;
    log.record(facts('safety_stop'), 'Safety stop');
    await vi.waitFor(() => expect(asked).toBe(1));
    status = 200;
    manager = `${lab}other/`;
    await log.flush();
    expect(received).toEqual([]);
    manager = lab;
    await log.flush();
    expect(received).toHaveLength(1);
  });

  it('starts anew where the file cannot be read', async () => {
    writeFileSync(path, '{"not": "a list"}');
    (await open()).record(facts('safety_stop'), 'Safety stop');
    await vi.waitFor(() => expect(received).toHaveLength(1));
  });

  it.skipIf(process.platform === 'win32')('is sent all the same where a FIFO lies in the file’s place', async () => {
    execFileSync('mkfifo', [path]);
    (await open()).record(facts('safety_stop'), 'Safety stop');
    await vi.waitFor(() => expect(received).toHaveLength(1));
    await stateFilesSettled();
    expect(lstatSync(path).isFIFO()).toBe(true);
  });
});
