import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import { attachedReader, type AttachedService } from './attach.ts';
import { silentLog } from '../logging/log.ts';
import type { LabManagerReader, Lost } from './labManagerReader.ts';

const history = labEndpoints.find(({ path }) => path === '/lab_health/history')?.example;
let answers: 'well' | 'fails' | 'other' = 'well';
let hasDashboard = true;
let asked = 0;
let server: http.Server;
let heard: { lab: LabStatus; service: AttachedService }[] = [];
let lost: Lost[] = [];
let attachment: LabManagerReader;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  [answers, hasDashboard, asked, heard, lost] = ['well', true, 0, [], []];
  server = http.createServer((request, response) => {
    if (request.url === '/') {
      const type = hasDashboard ? 'text/html' : 'application/json';
      return void response.writeHead(hasDashboard ? 200 : 404, { 'content-type': type }).end();
    }
    asked += 1;
    response.writeHead(answers === 'fails' ? 500 : 200).end(JSON.stringify(answers === 'other' ? {} : history));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  attachment = attachedReader(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, silentLog, {
    onLab: (lab, service) => heard.push({ lab, service }),
    onLost: (found) => lost.push(found),
  });
});
afterEach(() => {
  attachment.stop();
  vi.useRealTimers();
  server.close();
  server.closeAllConnections();
});

const heardTimes = (count: number) => vi.waitFor(() => expect(heard).toHaveLength(count));

describe('attachedReader', () => {
  it('reports the state and version of the running service and whether it has a dashboard', async () => {
    void attachment.start();
    await heardTimes(1);
    expect(heard[0]?.lab.lab_name).toBe('Example Lab');
    expect(heard[0]?.service).toEqual({ version: '0.1.0', hasDashboard: true });
    hasDashboard = false;
    await vi.advanceTimersByTimeAsync(5000);
    await heardTimes(2);
    expect(heard[1]?.service.hasDashboard).toBe(false);
  });

  it('reports since when and why the service is lost, waits for it and recovers by itself', async () => {
    const waiting = () => vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    void attachment.start();
    await heardTimes(1);
    await waiting();
    answers = 'fails';
    await vi.advanceTimersByTimeAsync(5000);
    await vi.waitFor(() => expect(lost).toHaveLength(1));
    expect(lost[0]?.reason).toBe('HTTP 500');
    answers = 'other';
    await waiting();
    await vi.advanceTimersByTimeAsync(1000);
    await vi.waitFor(() => expect(lost).toHaveLength(2));
    expect(lost[1]).toEqual({ since: lost[0]?.since, reason: 'its answer is not a lab history' });
    const before = asked;
    for (let second = 0; second < 60; second += 1) {
      await waiting();
      await vi.advanceTimersByTimeAsync(1000);
      await vi.waitFor(() => expect(asked).toBe(before + second + 1));
    }
    expect(lost).toHaveLength(2);
    await waiting();
    answers = 'well';
    await vi.advanceTimersByTimeAsync(1000);
    await heardTimes(2);
  });

  it('runs one polling loop, however often it is checked', async () => {
    void attachment.start();
    void attachment.readNow();
    void attachment.readNow();
    await heardTimes(3);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    await heardTimes(4);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('stops polling when it is stopped', async () => {
    void attachment.start();
    await heardTimes(1);
    const before = asked;
    attachment.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(before);
  });
});
