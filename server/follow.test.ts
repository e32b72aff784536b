import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { labEndpoints } from '../api/endpoints.ts';
import { Follower } from './follow.ts';
import { silentLog, type Log } from './log.ts';

const example = labEndpoints[0].example;
let bodies: Record<string, unknown> = {};
let asked = 0;
let server: http.Server;
let url = '';
const warnings: string[] = [];
const log: Log = { ...silentLog, warn: (message) => warnings.push(message) };

beforeEach(async () => {
  // Timers alone: the answers come over real sockets.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  bodies = { '/context': example, '/settings': { settings: { manager_name: 'Other Lab' } } };
  asked = 0;
  warnings.length = 0;
  server = http.createServer((request, response) => {
    if (request.url === '/context') asked += 1;
    const body = bodies[request.url ?? ''];
    response.writeHead(body === undefined ? 503 : 200).end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  vi.useRealTimers();
  server.close();
  server.closeAllConnections();
});

describe('Follower', () => {
  it('has the other lab manager’s addresses and name after the first answer', async () => {
    let changes = 0;
    const follower = new Follower(url, log, () => (changes += 1));
    expect(follower.context).toBeNull();
    await follower.start();
    expect(follower.context).toEqual(example);
    expect(follower.labName).toBe('Other Lab');
    expect(changes).toBe(1);
    follower.stop();
  });

  it('reads again every 30 s, and tells of changes only', async () => {
    let changes = 0;
    const follower = new Follower(url, log, () => (changes += 1));
    await follower.start();
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(() => expect(asked).toBe(2));
    bodies['/context'] = { ...example, event_server_url: null };
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(() => expect(changes).toBe(2));
    expect(follower.context?.event_server_url).toBeNull();
    follower.stop();
    vi.advanceTimersByTime(120_000);
    expect(asked).toBe(3);
  });

  it('keeps the last answer while there is none, and says so', async () => {
    const follower = new Follower(url, log, () => undefined);
    await follower.start();
    bodies = {};
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(() => expect(warnings).toEqual([`${url}/context: HTTP 503; its last answer stays`]));
    bodies = { '/context': { nothing: 'useful' } };
    vi.advanceTimersByTime(30_000);
    await vi.waitFor(() => expect(warnings).toHaveLength(2));
    expect(warnings[1]).toBe(`${url}/context: not a lab context; its last answer stays`);
    expect(follower.context).toEqual(example);
    follower.stop();
  });

  it('takes addresses from a lab manager that keeps its settings to itself', async () => {
    bodies = { '/context': example };
    const follower = new Follower(url, log, () => undefined);
    await follower.start();
    expect(follower.context).toEqual(example);
    expect(follower.labName).toBeNull();
    follower.stop();
  });

  it('stops while it asks', async () => {
    const follower = new Follower(url, log, () => undefined);
    const started = follower.start();
    follower.stop();
    await started;
    expect(follower.context).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });
});
