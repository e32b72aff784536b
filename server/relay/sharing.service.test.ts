/** Shared reads of the relay over real sockets: the requests to the managers, and the responses to the clients. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../e2e/support/service.ts';

let server: http.Server;
let service: TestService;
let received: string[] = [];
let value = 'a';
/** Resolves when the managers may respond. */
let responseGate: Promise<void> = Promise.resolve();

beforeAll(async () => {
  server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', async () => {
      // Ignore the service's own health checks, which, unlike relayed requests, accept compression.
      if (request.headers['accept-encoding'] === 'identity') {
        received.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`.trim());
        await responseGate;
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ value }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  service = await startService({
    env: { LAB_REMOTE_ACCESS: 'operate', RESOURCE_SERVER_URL: address, WORKCELL_SERVER_URL: address },
  });
});
afterAll(async () => {
  await service.stop();
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  received = [];
  value = 'a';
  responseGate = Promise.resolve();
});

const url = (path: string) => `http://127.0.0.1:${service.port}/managers/${path}`;
const read = (path: string, headers: Readonly<Record<string, string>> = {}) => fetch(url(path), { headers });
const query = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url('resource/resource/query'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('reads through the relay', () => {
  it.each([
    ['GET', () => read('workcell/nodes', { 'cache-control': 'max-age=30' })],
    ['a query by POST', () => query({ multiple: true }, { 'cache-control': 'max-age=30' })],
  ])(
    'are sent once if they are identical, and share the response while it is pending and afterwards: %s',
    async (_name, send) => {
      let release = (): void => undefined;
      responseGate = new Promise((resolve) => (release = resolve));
      const responses = Array.from({ length: 50 }, send);
      await expect.poll(() => received.length).toBe(1);
      release();
      const texts = await Promise.all((await Promise.all(responses)).map((response) => response.text()));
      expect(new Set(texts)).toEqual(new Set(['{"value":"a"}']));
      expect(received).toHaveLength(1);
    },
  );

  it('are sent separately if they are queries with different bodies', async () => {
    await Promise.all([query({ a: 1 }), query({ a: 2 })]);
    expect(received.toSorted()).toEqual(['POST /resource/query {"a":1}', 'POST /resource/query {"a":2}']);
  });

  it('return a cached response with its age and ETag, or 304', async () => {
    const first = await read('workcell/workflows/active', { 'cache-control': 'max-age=30' });
    expect([first.headers.get('age'), first.headers.get('cache-control')]).toEqual(['0', 'private, no-cache']);
    value = 'b';
    const second = await read('workcell/workflows/active', { 'cache-control': 'max-age=30' });
    expect(await second.json()).toEqual({ value: 'a' });
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(second.headers.get('etag')).toBe(etag);
    const third = await read('workcell/workflows/active', { 'cache-control': 'max-age=30', 'if-none-match': etag });
    expect([third.status, await third.text()]).toEqual([304, '']);
    expect(received).toHaveLength(1);
    const readAge = async () =>
      Number((await read('workcell/workflows/active', { 'cache-control': 'max-age=30' })).headers.get('age'));
    await expect.poll(readAge).toBeGreaterThanOrEqual(1);
  });

  it('return a new response for `Cache-Control: no-cache`', async () => {
    await read('workcell/state', { 'cache-control': 'max-age=30' });
    value = 'b';
    const fresh = await read('workcell/state', { 'cache-control': 'no-cache' });
    expect(await fresh.json()).toEqual({ value: 'b' });
    expect(received).toHaveLength(2);
  });

  it('return a new response after a command to the same manager', async () => {
    await read('workcell/workcell', { 'cache-control': 'max-age=30' });
    value = 'b';
    await fetch(url('workcell/admin/pause'), { method: 'POST' });
    const after = await read('workcell/workcell', { 'cache-control': 'max-age=30' });
    expect(await after.json()).toEqual({ value: 'b' });
  });

  it('are rejected if they are queries larger than 1 MiB', async () => {
    const response = await query({ text: 'x'.repeat(1024 * 1024) });
    expect([response.status, await response.json()]).toMatchObject([413, { reason: 'more than 1 MiB' }]);
    expect(received).toEqual([]);
  });
});

it('the relay rejects a command larger than 16 MiB', async () => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ text: 'x'.repeat(17 * 1024 * 1024) });
  const response = await fetch(url('resource/resource/add'), { method: 'POST', headers, body });
  expect([response.status, await response.json()]).toMatchObject([413, { reason: 'more than 16 MiB' }]);
});
