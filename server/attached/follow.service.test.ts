import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ManagerKey } from '../../api/managers.ts';
import type { ManagerState } from '../../api/states.ts';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { Follower } from './follow.ts';
import { silentLog, type Log } from '../logging/log.ts';

const example = labEndpoints[0].example;
let bodies: Record<string, unknown> = {};
let requestCount = 0;
let server: http.Server;
let url = '';
const warnings: string[] = [];
const log: Log = { ...silentLog, warn: (message) => warnings.push(message) };

beforeEach(async () => {
  // Only timers are faked: the responses use real sockets.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  bodies = { '/context': example, '/settings': { settings: { manager_name: 'Other Lab' } } };
  requestCount = 0;
  warnings.length = 0;
  server = http.createServer((request, response) => {
    if (request.url === '/context') requestCount += 1;
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

const measuredLab = (states: Partial<Record<ManagerKey, ManagerState>>) => ({
  managers: Object.entries(states).map(([manager, state]) => ({ manager: manager as ManagerKey, state })),
});

/** Triggers the next reading, after the previous one has set its timer. */
async function readAgain(follower: Follower, expectedRequests: number): Promise<void> {
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(5000);
  await vi.waitFor(() => expect(requestCount).toBe(expectedRequests));
  expect(follower.context).toHaveProperty('lab_server_url', example.lab_server_url);
}

describe('Follower', () => {
  it('has the addresses and the name of the other lab manager after the first response', async () => {
    let changes = 0;
    const follower = new Follower(url, log);
    follower.state.subscribe(() => (changes += 1));
    changes = 0;
    expect(follower.context).toBeNull();
    await follower.start();
    expect(follower.context).toHaveProperty('lab_server_url', example.lab_server_url);
    expect(follower.state.value.labName).toBe('Other Lab');
    expect(changes).toBe(1);
    follower.stop();
  });

  it('polls every 5 s and reports changes only', async () => {
    let changes = 0;
    const follower = new Follower(url, log);
    follower.state.subscribe(() => (changes += 1));
    changes = 0;
    await follower.start();
    await readAgain(follower, 2);
    bodies['/context'] = { ...example, event_server_url: null };
    await readAgain(follower, 3);
    await vi.waitFor(() => expect(changes).toBe(2));
    expect(follower.context?.event_server_url).toBeNull();
    follower.stop();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(requestCount).toBe(3);
  });

  it('keeps the last addresses without a response and reports since when and why', async () => {
    let changes = 0;
    const follower = new Follower(url, log);
    follower.state.subscribe(() => (changes += 1));
    changes = 0;
    await follower.start();
    expect(follower.lost).toBeNull();
    bodies = {};
    await readAgain(follower, 2);
    await vi.waitFor(() => expect(follower.lost?.reason).toBe('/context: HTTP 503'));
    const since = follower.lost?.since;
    bodies = { '/context': { nothing: 'useful' } };
    await readAgain(follower, 3);
    await vi.waitFor(() => expect(follower.lost?.reason).toContain('event_server_url is missing'));
    expect(follower.lost?.since).toBe(since);
    expect(follower.context).toHaveProperty('lab_server_url', example.lab_server_url);
    bodies = { '/context': example };
    await readAgain(follower, 4);
    await vi.waitFor(() => expect(follower.lost).toBeNull());
    expect(changes).toBe(4);
    follower.stop();
  });

  it('accepts addresses from a lab manager without readable settings', async () => {
    bodies = { '/context': example };
    const follower = new Follower(url, log);
    await follower.start();
    expect(follower.context).toHaveProperty('lab_server_url', example.lab_server_url);
    expect(follower.state.value.labName).toBeNull();
    follower.stop();
  });

  it('can be stopped during a request', async () => {
    const follower = new Follower(url, log);
    const started = follower.start();
    follower.stop();
    await started;
    expect(follower.context).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has the valid maintenance entries of the other lab', async () => {
    const data = { kind: 'manager', id: 'data', name: 'Data Manager', from: '2026-03-02T08:00:00.000Z' };
    const every = { days: ['Mon'], at: '08:00', minutes: 600 };
    bodies['/lab_health/history'] = {
      maintenance: [
        { ...data, until: '2026-03-02T18:00:00.000Z' },
        { ...data, until: 'later' },
      ],
      planned_maintenance: [
        { ...data, until: '2026-03-02T18:00:00.000Z', every },
        { ...data, until: 'later', every },
      ],
    };
    const follower = new Follower(url, log);
    await follower.start();
    expect(follower.state.value.maintenance).toEqual({
      current: [{ ...data, until: '2026-03-02T18:00:00.000Z' }],
      planned: [{ ...data, until: '2026-03-02T18:00:00.000Z', every }],
    });
    bodies['/lab_health/history'] = { maintenance: 'all of it' };
    await readAgain(follower, 2);
    await vi.waitFor(() => expect(follower.state.value.maintenance).toEqual({ current: [], planned: [] }));
    follower.stop();
  });

  it('needs a confirmation of a loopback address, and a new one for another lab or connection', async () => {
    const follower = new Follower(url, log);
    await follower.start();
    expect(follower.state.value.lab).toMatchObject({ machine: new URL(url).host, identified: false });
    follower.confirmMachine();
    expect(follower.state.value.lab.identified).toBe(true);
    await readAgain(follower, 2);
    expect(follower.state.value.lab.identified).toBe(true);
    // A tunnel that now leads to another bench.
    bodies['/settings'] = { settings: { manager_name: 'Third Lab' } };
    await readAgain(follower, 3);
    await vi.waitFor(() => expect(follower.state.value.lab.identified).toBe(false));
    follower.confirmMachine();
    bodies = {};
    await readAgain(follower, 4);
    await vi.waitFor(() => expect(follower.lost?.reason).toContain('HTTP 503'));
    bodies = { '/context': example, '/settings': { settings: { manager_name: 'Third Lab' } } };
    await readAgain(follower, 5);
    await vi.waitFor(() => expect(follower.lost).toBeNull());
    expect(follower.state.value.lab.identified).toBe(false);
    follower.stop();
  });

  it('reports a difference from its own measurement after two reads', async () => {
    const measured = measuredLab({ event: 'healthy', data: 'unhealthy' });
    const entry = (manager: string, state: string) => ({ manager, state });
    bodies['/lab_health/history'] = { managers: [entry('event', 'unreachable'), entry('data', 'unhealthy')] };
    const follower = new Follower(url, log);
    follower.measured = { currentStatus: () => measured };
    await follower.start();
    expect(follower.state.value.lab.reported).toEqual({ total_managers: 2, healthy_managers: 0, differing: [] });
    await readAgain(follower, 2);
    await vi.waitFor(() => expect(follower.state.value.lab.reported?.differing).toEqual(['event']));
    follower.stop();
  });

  it('reads the health of another kind of lab manager from its /lab_health', async () => {
    bodies['/lab_health'] = { managers: { event_manager: { healthy: false }, data_manager: { healthy: true } } };
    const measured = measuredLab({ event: 'healthy', data: 'healthy' });
    const follower = new Follower(url, log);
    follower.measured = { currentStatus: () => measured };
    await follower.start();
    await readAgain(follower, 2);
    await readAgain(follower, 3);
    await vi.waitFor(() =>
      expect(follower.state.value.lab.reported).toEqual({
        total_managers: 2,
        healthy_managers: 1,
        differing: ['event'],
      }),
    );
    follower.stop();
  });
});
