import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useManualClock, type ManualClock } from '../../api/fixtures/manualClock.ts';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { AttachedReader, type AttachedLab } from './attach.ts';
import { silentLog } from '../logging/log.ts';
import type { LostConnection } from './labManagerReader.ts';

const history = labEndpoints.find(({ path }) => path === '/lab_health/history')?.example;
let behaviour: 'well' | 'fails' | 'other' = 'well';
let hasDashboard = true;
let requestCount = 0;
let server: http.Server;
let received: AttachedLab[] = [];
let lost: LostConnection[] = [];
let attachment: AttachedReader;
let time: ManualClock;

beforeEach(async () => {
  time = useManualClock();
  [behaviour, hasDashboard, requestCount, received, lost] = ['well', true, 0, [], []];
  server = http.createServer((request, response) => {
    if (request.url === '/') {
      const type = hasDashboard ? 'text/html' : 'application/json';
      return void response.writeHead(hasDashboard ? 200 : 404, { 'content-type': type }).end();
    }
    requestCount += 1;
    response.writeHead(behaviour === 'fails' ? 500 : 200).end(JSON.stringify(behaviour === 'other' ? {} : history));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  attachment = new AttachedReader(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, silentLog);
  attachment.lab.subscribe((response) => response && received.push(response));
  attachment.lost.subscribe((connection) => connection && lost.push(connection));
});
afterEach(() => {
  attachment.stop();
  server.close();
  server.closeAllConnections();
});

const waitForReceived = (count: number) => vi.waitFor(() => expect(received).toHaveLength(count));

describe('AttachedReader', () => {
  it('reports the state and version of the running service and whether it has a dashboard', async () => {
    void attachment.start();
    await waitForReceived(1);
    expect(received[0]?.lab.lab_name).toBe('Example Lab');
    expect(received[0]).toMatchObject({ version: '0.1.0', hasDashboard: true, owner: null });
    hasDashboard = false;
    time.advance(5000);
    await waitForReceived(2);
    expect(received[1]?.hasDashboard).toBe(false);
  });

  it('reports since when and why the service is lost, waits for it and recovers by itself', async () => {
    const waitForTimer = () => vi.waitFor(() => expect(time.pendingCount).toBe(1), { interval: 1 });
    void attachment.start();
    await waitForReceived(1);
    await waitForTimer();
    behaviour = 'fails';
    time.advance(5000);
    await vi.waitFor(() => expect(lost).toHaveLength(1));
    expect(lost[0]?.reason).toBe('HTTP 500');
    behaviour = 'other';
    await waitForTimer();
    time.advance(1000);
    await vi.waitFor(() => expect(lost).toHaveLength(2));
    expect(lost[1]).toEqual({ since: lost[0]?.since, reason: 'its answer is not a lab history' });
    const before = requestCount;
    const startedAt = time.monotonic();
    await time.waitFor(() => expect(requestCount).toBe(before + 60));
    // It tries again a second after each failure.
    expect(time.monotonic() - startedAt).toBeGreaterThanOrEqual(60_000);
    expect(time.monotonic() - startedAt).toBeLessThan(90_000);
    expect(lost).toHaveLength(2);
    behaviour = 'well';
    // The only timer can be the limit of a request that is still pending.
    await time.waitFor(() => expect(received).toHaveLength(2));
  });

  it('runs one polling loop, however often readNow is called', async () => {
    void attachment.start();
    void attachment.readNow();
    void attachment.readNow();
    await waitForReceived(3);
    expect(time.pendingCount).toBe(1);
    time.advance(5000);
    await waitForReceived(4);
    expect(time.pendingCount).toBe(1);
  });

  it('stops polling when it is stopped', async () => {
    void attachment.start();
    await waitForReceived(1);
    const before = requestCount;
    attachment.stop();
    time.advance(60_000);
    expect(requestCount).toBe(before);
  });
});
