import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { requestJson, servesPage } from './requestJson.ts';

const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('requestJson', () => {
  it.each([
    [200, '{"a": 1}', { ok: true, body: { a: 1 } }],
    [200, '[1]', { ok: false, status: 200, reason: 'answered with something that is not a JSON object' }],
    [200, '<html>', { ok: false, status: 200, reason: 'answered with something that is not a JSON object' }],
    [404, '{"a": 1}', { ok: false, status: 404, reason: 'HTTP 404' }],
  ])('handles the status %i with the body %s', async (status, body, expected) => {
    const url = await serve((_request, response) => response.writeHead(status).end(body));
    expect(await requestJson(url, 1000)).toEqual(expected);
  });

  it('ends after a timeout, on abort and for a response of more than 4 MiB', async () => {
    const unresponsive = await serve(() => undefined);
    expect(await requestJson(unresponsive, 100)).toEqual({ ok: false, reason: 'timed out after 0.1 s' });
    expect((await requestJson(unresponsive, 5000, AbortSignal.timeout(50))).ok).toBe(false);
    const large = await serve((_request, response) => response.end('x'.repeat(5 * 1024 * 1024)));
    expect(await requestJson(large, 5000)).toEqual({
      ok: false,
      status: 200,
      reason: 'answered with more than 4 MiB',
    });
  });

  it('removes terminal sequences and rejects invalid UTF-8', async () => {
    const respondWith = (body: Buffer) => serve((_request, response) => response.end(body));
    const evil = await respondWith(Buffer.from(JSON.stringify({ name: '\u001b]0;owned\u0007Bench\u202e 4\u009b2J' })));
    expect(await requestJson(evil, 5000)).toEqual({ ok: true, body: { name: 'Bench 4' } });
    const latin = await respondWith(Buffer.from('{"name":"\xff"}', 'latin1'));
    expect(await requestJson(latin, 5000)).toEqual({
      ok: false,
      status: 200,
      reason: 'answered with something that is not a JSON object',
    });
  });
});

describe('servesPage', () => {
  it.each([
    [true, 200, 'text/html; charset=utf-8'],
    [false, 200, 'application/json'],
    [false, 404, 'text/html'],
  ])('is %s for the status %i with the type %s', async (page, status, type) => {
    const url = await serve((_request, response) => response.writeHead(status, { 'content-type': type }).end());
    expect(await servesPage(url, 1000)).toBe(page);
  });

  it('is false for a server that never responds', async () => {
    expect(await servesPage(await serve(() => undefined), 100)).toBe(false);
  });
});
