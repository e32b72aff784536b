/** The stream of changes over real sockets, with many receivers, slow receivers, and receivers that lose their access. */
import express from 'express';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useManualClock, type ManualClock } from '../../api/fixtures/manualClock.ts';
import { announcedIntervals, changesPath, readAnnouncement, type Announcement } from '../../api/lab/changes.ts';
import type { RemoteAccess } from '../../api/lab/relay.ts';
import { startService } from '../../e2e/support/service.ts';
import type { Caller } from '../access/sender.ts';
import { testRelay } from '../fixtures/testRelay.ts';

let manager: http.Server;
let service: http.Server;
let port = 0;
/** The paths of the requests that the manager received, and of those that were aborted before its response. */
let receivedPaths: string[] = [];
let abortedPaths: string[] = [];
/** The content of the manager's response; `null`: status 500, `unanswered`: no response. */
let value: string | null = null;
let mode: RemoteAccess = 'operate';
let caller: Caller | null = null;
const ann: Caller = { name: 'ann', role: 'operator', via: 'session' };
/** Called for each request to the service before the relay. */
let onRequest: (response: http.ServerResponse) => unknown = () => undefined;
const streams: Stream[] = [];

let time: ManualClock;

beforeEach(async () => {
  time = useManualClock();
  [receivedPaths, abortedPaths, value, mode, caller] = [[], [], 'a', 'operate', ann];
  onRequest = () => undefined;
  manager = http.createServer((request, response) => {
    const path = request.url ?? '';
    receivedPaths.push(path);
    response.once('close', () => response.writableFinished || abortedPaths.push(path));
    if (path.startsWith('/admin')) value = 'commanded';
    if (value === 'unanswered') return;
    response.writeHead(value === null ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ value }));
  });
  await new Promise<void>((resolve) => manager.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(manager.address() as AddressInfo).port}`;
  const app = express();
  app.use((_request, response, next) => {
    onRequest(response);
    next();
  });
  app.use(
    testRelay({
      address,
      mode: () => mode,
      identifyCaller: ({ headers }) => caller && { ...caller, name: String(headers['x-name'] ?? caller.name) },
    }),
  );
  service = app.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => service.once('listening', resolve));
  ({ port } = service.address() as AddressInfo);
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
  for (const server of [service, manager]) {
    server.closeAllConnections();
    server.close();
  }
});

interface Stream {
  readonly response: http.IncomingMessage;
  /** The text received so far. */
  readonly text: () => string;
  readonly announcements: (endpoint?: Announcement['endpoint']) => Announcement[];
  readonly close: () => void;
}

function openStream(headers: http.OutgoingHttpHeaders = {}, method = 'GET', servicePort = port): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const request = http.request({
      port: servicePort,
      host: '127.0.0.1',
      path: changesPath,
      method,
      headers,
      agent: false,
    });
    request.once('error', reject);
    request.once('response', (response) => {
      let text = '';
      response.on('error', () => undefined);
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      const stream: Stream = {
        response,
        text: () => text,
        announcements: (endpoint = 'getState') =>
          [...text.matchAll(/^data: (.*)$/gm)]
            .map(([, data = '']) => readAnnouncement(data))
            .filter((event) => event?.endpoint === endpoint)
            .map((event) => event as Announcement),
        close: () => request.destroy(),
      };
      streams.push(stream);
      resolve(stream);
    });
    request.end();
  });
}
const revisions = (stream: Stream) => [...new Set(stream.announcements().map(({ revision }) => revision))];
const connections = () => new Promise((resolve) => service.getConnections((_error, count) => resolve(count)));
const countReads = (path: string) => receivedPaths.filter((requestPath) => requestPath === path).length;

describe('the stream of changes', () => {
  it('announces revision and request time of each read, unbuffered and without CORS headers', async () => {
    const stream = await openStream();
    await time.waitFor(() => expect(stream.announcements().length).toBe(2));
    expect(stream.announcements('getActiveWorkflows').length).toBe(1);
    const response = await fetch(`http://127.0.0.1:${port}/managers/workcell/state`, {
      headers: { 'cache-control': 'max-age=30' },
    });
    expect(revisions(stream).map((revision) => `"${revision}"`)).toEqual([response.headers.get('etag')]);
    value = 'b';
    await time.waitFor(() => expect(revisions(stream).length).toBe(2));
    const times = stream.announcements().map(({ requested_ms: ms }) => ms);
    expect(times).toEqual(times.map((_, index) => index * announcedIntervals.getState));
    // The client's read was served from the cache of the service's own read.
    expect(countReads('/state')).toBe(times.length);
    const { headers } = stream.response;
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(Object.keys(headers)).not.toContain('access-control-allow-origin');
    expect(Object.keys(headers)).not.toContain('content-encoding');
  });

  it('reads the manager once per interval for fifty receivers', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, (_, index) => openStream({ 'x-name': `user${index}` })));
    await time.waitFor(() =>
      expect(Math.min(...all.map((stream) => stream.announcements().length))).toBeGreaterThanOrEqual(2),
    );
    const announced = Math.max(...all.map((stream) => stream.announcements().length));
    // One more may be pending.
    expect(countReads('/state')).toBeLessThanOrEqual(announced + 1);
    expect(new Set(all.flatMap(revisions)).size).toBe(1);
  });

  it('stops reading when the last receiver disconnects', async () => {
    value = 'unanswered';
    const [first, second] = [await openStream(), await openStream()];
    await expect.poll(() => receivedPaths.toSorted()).toEqual(['/state', '/workflows/active']);
    first.close();
    await expect.poll(connections).toBe(1);
    expect(abortedPaths).toEqual([]);
    second.close();
    await expect.poll(() => abortedPaths.toSorted()).toEqual(['/state', '/workflows/active']);
    value = 'a';
    const third = await openStream();
    await time.waitFor(() => expect(third.announcements().length).toBe(2));
    expect(countReads('/state')).toBe(3);
  });

  it('announces the effect of a command before the next interval', async () => {
    const stream = await openStream();
    await expect.poll(() => stream.announcements().length).toBe(1);
    const command = await fetch(`http://127.0.0.1:${port}/managers/workcell/admin/lock`, { method: 'POST' });
    expect(command.status).toBe(200);
    // No time passes.
    await expect.poll(() => revisions(stream).length).toBe(2);
  });

  it('announces nothing while the manager fails', async () => {
    value = null;
    const stream = await openStream();
    await time.waitFor(() => expect(countReads('/state')).toBe(2));
    expect(stream.text()).toBe('event: heartbeat\ndata: {}\n\n');
    value = 'a';
    await time.waitFor(() => expect(stream.announcements().length).toBe(1));
  });

  it.each([
    ['a sign-out', () => (caller = null)],
    ['a change of role', () => (caller = { ...ann, role: 'viewer' })],
    ['the end of remote access', () => (mode = 'off')],
  ])('ends after %s, without another announcement', async (_name, change) => {
    const stream = await openStream();
    await expect.poll(() => stream.announcements().length).toBe(1);
    change();
    value = 'b';
    await time.waitFor(() => expect(stream.response.complete).toBe(true));
    expect(revisions(stream).length).toBe(1);
  });

  it('closes the connection of a receiver that does not read', async () => {
    const responses: http.ServerResponse[] = [];
    onRequest = (response) => responses.push(response);
    const slow = await openStream();
    slow.response.pause();
    // More than the buffers of the sockets hold.
    const filler = `:${'x'.repeat(24 * 1024 * 1024)}\n\n`;
    responses[0]?.write(filler);
    const quick = await openStream({ 'x-name': 'ben' });
    await time.waitFor(() => expect(quick.announcements().length).toBe(2));
    slow.response.resume();
    await expect.poll(() => slow.response.destroyed).toBe(true);
    expect([slow.response.complete, slow.text().length < filler.length]).toEqual([false, true]);
  });
});

describe('a request for the stream of changes', () => {
  const refusals: [number, string, () => unknown, http.OutgoingHttpHeaders, string][] = [
    [404, 'remote access is off', () => (mode = 'off'), {}, 'GET'],
    [401, 'its sender is unknown', () => (caller = null), {}, 'GET'],
    [403, 'a page of another site sends it', () => null, { 'sec-fetch-site': 'cross-site' }, 'GET'],
    [403, 'a page of another origin sends it', () => null, { origin: 'https://evil.example' }, 'GET'],
    [405, 'it is a HEAD', () => null, {}, 'HEAD'],
    [405, 'it is a POST', () => null, {}, 'POST'],
  ];
  it.each(refusals)('returns %i when %s', async (status, _reason, prepare, headers, method) => {
    prepare();
    const { response } = await openStream(headers, method);
    expect([response.statusCode, response.headers['access-control-allow-origin']]).toEqual([status, undefined]);
    if (status === 405) expect(response.headers.allow).toBe('GET');
    expect(receivedPaths).toEqual([]);
  });

  it('returns 503 beyond 16 streams of one caller or 256 in total', async () => {
    const openAs = (name: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => openStream({ 'x-name': name })));
    const statuses = (all: readonly Stream[]) => new Set(all.map(({ response }) => response.statusCode));
    const [first] = await openAs('user0', 16);
    const refused = await openStream({ 'x-name': 'user0' });
    expect([refused.response.statusCode, refused.response.headers['retry-after']]).toEqual([503, '30']);
    for (let index = 1; index < 16; index += 1)
      expect(statuses(await openAs(`user${index}`, 16))).toEqual(new Set([200]));
    expect(statuses(await openAs('another', 1))).toEqual(new Set([503]));
    first?.close();
    await expect.poll(async () => (await openStream({ 'x-name': 'another' })).response.statusCode).toBe(200);
  });
});

it('the stream of changes ends when the service stops', async () => {
  const lab = await startService({ env: { LAB_REMOTE_ACCESS: 'view' } });
  try {
    const stream = await openStream({}, 'GET', lab.port);
    expect([stream.response.statusCode, stream.text()]).toEqual([200, expect.any(String)]);
    await lab.manager.stop();
    await expect.poll(() => stream.response.destroyed).toBe(true);
    // Connections that the service closes after its grace period have no complete response.
    expect(stream.response.complete).toBe(true);
  } finally {
    await lab.stop();
  }
});
