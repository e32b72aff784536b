/** The limits of the relay over real sockets, with concurrent and slow clients. */
import express from 'express';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useManualClock, type ManualClock } from '../../api/fixtures/manualClock.ts';
import { relayFailureHeader } from '../../api/client/relayFailure.ts';
import { testRelay } from '../fixtures/testRelay.ts';
import type { RelayParts } from './relay.ts';

const kibibyte = 1024;

let manager: http.Server;
let service: http.Server;
/** The paths of the requests that the manager received, and how it responds. */
let receivedPaths: string[] = [];
let respond: (request: http.IncomingMessage, response: http.ServerResponse) => void;
let port = 0;
/** The number of requests that the relay has received, and of those that have ended. */
let arrivedCount = 0;
let closedCount = 0;
let time: ManualClock;

beforeEach(async () => {
  time = useManualClock();
  receivedPaths = [];
  manager = http.createServer((request, response) => {
    receivedPaths.push(request.url ?? '');
    respond(request, response);
  });
  await new Promise<void>((resolve) => manager.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const server of [service, manager]) {
    server.closeAllConnections();
    server.close();
  }
});

async function start(limits: RelayParts['limits'] = {}): Promise<void> {
  const address = `http://127.0.0.1:${(manager.address() as AddressInfo).port}`;
  const app = express();
  app.set('trust proxy', true);
  app.use(
    testRelay({
      address,
      // Each user of these tests has a separate address; clients in 198.51.100.0/24 have no role, those in 203.0.113.0/24
      // are viewers.
      identifyCaller: ({ ip }) =>
        ip?.startsWith('198.51.100.') === true
          ? null
          : { name: String(ip), role: ip?.startsWith('203.0.113.') ? 'viewer' : 'operator', via: 'session' },
      limits,
    }),
  );
  service = app.listen(0, '127.0.0.1');
  [arrivedCount, closedCount] = [0, 0];
  service.on('request', (_request, response: http.ServerResponse) => {
    arrivedCount += 1;
    response.once('close', () => (closedCount += 1));
  });
  await new Promise<void>((resolve) => service.once('listening', resolve));
  ({ port } = service.address() as AddressInfo);
}

/** Reads the whole response, so that its connection is not in use at the end of the test. */
async function send(path: string, method = 'GET', client = '192.0.2.1'): Promise<Response> {
  const url = `http://127.0.0.1:${port}/managers/${path}`;
  const response = await fetch(url, { method, headers: { 'x-forwarded-for': client } });
  return new Response(await response.arrayBuffer(), response);
}

function respondWithJson(response: http.ServerResponse, bytes: number): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify('x'.repeat(bytes - 2)));
}

/** Requests `path` without reading the response. */
function requestUnread(path: string, client = '192.0.2.1'): net.Socket {
  const socket = net.connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(`GET /managers/${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-forwarded-for: ${client}\r\n\r\n`);
  return socket;
}

describe('responses that exceed the memory of the relay', () => {
  it('are reported as lost when they belong to commands, which the manager may have executed', async () => {
    respond = (_request, response) => respondWithJson(response, 64 * kibibyte);
    await start({ memoryBytes: 32 * kibibyte, commandBytes: 0 });
    const command = await send('workcell/admin/lock', 'POST');
    expect([command.status, command.headers.get(relayFailureHeader)]).toEqual([502, 'lost']);
    expect(command.headers.has('retry-after')).toBe(false);
    expect(await command.json()).toMatchObject({ detail: expect.stringContaining('may have been executed') });
    const read = await send('workcell/state');
    expect([read.status, read.headers.get('retry-after'), read.headers.get(relayFailureHeader)]).toEqual([
      503,
      '1',
      'refused',
    ]);
  });

  it('leave reserved parts of the memory to operators and to commands', async () => {
    respond = (_request, response) => respondWithJson(response, 64 * kibibyte);
    await start({ memoryBytes: 192 * kibibyte, commandBytes: 64 * kibibyte, operatorBytes: 80 * kibibyte });
    expect((await send('workcell/state', 'GET', '203.0.113.1')).status).toBe(503);
    expect((await send('workcell/state')).status).toBe(200);
    expect((await send('workcell/admin/lock', 'POST')).status).toBe(200);
  });

  it('are refused while the client has not received earlier ones', async () => {
    const bytes = 24 * kibibyte * kibibyte;
    respond = (_request, response) => respondWithJson(response, bytes);
    await start({ unreadBytes: 1.5 * bytes });
    const unread = requestUnread('workcell/state?unread', '192.0.2.1');
    await once(unread, 'readable');
    const refused = await send('workcell/state?a');
    expect([refused.status, refused.headers.get(relayFailureHeader)]).toEqual([503, 'refused']);
    expect((await send('workcell/state?b', 'GET', '192.0.2.2')).status).toBe(200);
    unread.destroy();
    await time.waitFor(async () => expect((await send('workcell/state?c')).status).toBe(200));
  });

  it('are discarded when the client does not receive them within the timeout', async () => {
    // More than the buffers of the sockets hold.
    const bytes = 24 * kibibyte * kibibyte;
    respond = (_request, response) => respondWithJson(response, bytes);
    await start({ memoryBytes: bytes * 1.5, commandBytes: 0, receiveTimeoutMs: 2000 });
    let isClosed = false;
    service.once('connection', (socket) => socket.once('close', () => (isClosed = true)));
    const slow = requestUnread('workcell/state?slow');
    await time.waitFor(() => expect(isClosed).toBe(true));
    expect(receivedPaths).toEqual(['/state?slow']);
    slow.resume();
    const quick = await send('workcell/state?quick');
    expect([quick.status, (await quick.text()).length]).toEqual([200, bytes]);
    expect(slow.bytesRead).toBeLessThan(bytes);
  });
});

describe('requests to which the manager does not respond', () => {
  /** Sends `count` different requests and waits until the manager has received them. */
  async function sendPending(count: number, path: string, method: string, client?: string): Promise<void> {
    const before = receivedPaths.length;
    for (let index = 0; index < count; index += 1)
      send(`${path}?number=${index}&from=${client}`, method, client).catch(() => undefined);
    await expect.poll(() => receivedPaths.length).toBe(before + count);
  }
  const readDetail = async (response: Response) => [
    response.status,
    ((await response.json()) as { detail: string }).detail,
  ];

  beforeEach(async () => {
    respond = (request, response) => {
      if (request.url?.includes('number=') !== true) respondWithJson(response, 10);
    };
    await start();
  });

  it('are limited to 16 reads of one client, without limiting other clients and commands', async () => {
    await sendPending(16, 'workcell/state', 'GET', '192.0.2.1');
    expect(await readDetail(await send('event/events'))).toEqual([
      503,
      expect.stringContaining('16 reads of this client are under way already'),
    ]);
    expect((await send('workcell/state', 'GET', '192.0.2.2')).status).toBe(200);
    expect((await send('workcell/workflow/1/resume', 'POST')).status).toBe(200);
  });

  it('are limited to 48 reads of one manager, without limiting its commands and other managers', async () => {
    for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      await sendPending(16, 'workcell/state', 'GET', client);
    expect(await readDetail(await send('workcell/state', 'GET', '192.0.2.4'))).toEqual([
      503,
      expect.stringContaining('48 reads are under way already'),
    ]);
    expect((await send('event/events', 'GET', '192.0.2.4')).status).toBe(200);
    expect((await send('workcell/workflow/1/resume', 'POST')).status).toBe(200);
  });

  it('are limited to 16 commands to one manager, except commands that stop something', async () => {
    await sendPending(16, 'workcell/workflow/1/resume', 'POST');
    expect(await readDetail(await send('workcell/workflow/1/resume', 'POST'))).toEqual([
      503,
      expect.stringContaining('16 commands are under way already'),
    ]);
    for (const path of ['admin/safety_stop', 'admin/lock/arm', 'workflow/1/pause', 'workflow/1/cancel'])
      expect((await send(`workcell/${path}`, 'POST')).status).toBe(200);
    expect((await send('workcell/state')).status).toBe(200);
  });

  it('no longer count after their client disconnects', async () => {
    const controller = new AbortController();
    for (let index = 0; index < 16; index += 1)
      fetch(`http://127.0.0.1:${port}/managers/workcell/state?number=${index}`, {
        headers: { 'x-forwarded-for': '192.0.2.1' },
        signal: controller.signal,
      }).catch(() => undefined);
    await expect.poll(() => receivedPaths.length).toBe(16);
    expect((await send('workcell/state')).status).toBe(503);
    controller.abort();
    await expect.poll(async () => (await send('workcell/state')).status).toBe(200);
  });
});
