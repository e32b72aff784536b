import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Api } from '../../api/client/endpoint.ts';
import { settingsEndpoint, healthEndpoint, serviceHealth } from '../../api/lab/service.ts';
import { ManualClock } from '../base/clock.ts';
import { Bytes, InternalFailure, ErrorResponse } from '../base/handlers.ts';
import { readBody, readText } from '../base/parseRequest.ts';
import { managerApp, type ServerFault } from './managerServer.ts';

const api = {
  server: 'data',
  endpoints: {
    health: healthEndpoint(serviceHealth),
    settings: settingsEndpoint,
    named: { purpose: 'x', method: 'GET', path: '/thing/{name}', response: z.unknown() },
    fixed: {
      purpose: 'x',
      method: 'GET',
      path: '/thing/all',
      query: z.object({ number: z.optional(z.int()) }),
      response: z.unknown(),
    },
    add: {
      purpose: 'x',
      method: 'POST',
      path: '/thing',
      body: { type: 'json', schema: z.object({ label: z.string(), size: z.optional(z.int()) }) },
      response: z.unknown(),
    },
    upload: {
      purpose: 'x',
      method: 'POST',
      path: '/upload',
      body: {
        type: 'multipart',
        fields: z.object({ id: z.string(), more: z.nullish(z.string()) }),
        files: { part: 'files' },
      },
      response: z.unknown(),
    },
    bytes: { purpose: 'x', method: 'GET', path: '/bytes', response: 'blob' },
    refused: { purpose: 'x', method: 'GET', path: '/refused', response: z.unknown() },
    broken: { purpose: 'x', method: 'GET', path: '/broken', response: z.unknown() },
  },
} as const satisfies Api;

let fault: ServerFault | null = null;
let server: Server;
let base = '';

beforeAll(async () => {
  const app = managerApp({
    api,
    clock: new ManualClock(),
    health: () => ({ healthy: true, description: 'Manager is running normally.', version: '0.8.1' }),
    settings: () => ({ server_url: 'http://127.0.0.1/', manager_id: 'M' }),
    cors: true,
    fault: () => fault,
    handlers: {
      named: ({ params }) => params,
      fixed: ({ query }) => readText(query, 'number'),
      add: ({ body }) => readBody(api.endpoints.add.body.schema, body),
      upload: ({ fields, files }) => ({ fields, files: files.map((file) => [file.filename, file.bytes.length]) }),
      bytes: () => new Bytes(new Uint8Array([1, 2]), 'application/zip'),
      refused: () => {
        throw new ErrorResponse(404, '', { message: 'no' });
      },
      broken: () => {
        throw new InternalFailure('broken');
      },
    },
  });
  await new Promise<void>((resolve) => {
    server = app.listen(0, '127.0.0.1', () => resolve());
  });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const origin = { Origin: 'http://page' };

describe('the HTTP server of a manager', () => {
  const table: [what: string, path: string, init: RequestInit, status: number, body: unknown][] = [
    ['health', '/health', {}, 200, { healthy: true, description: 'Manager is running normally.', version: '0.8.1' }],
    ['settings', '/settings', {}, 200, { settings: { server_url: 'http://127.0.0.1/', manager_id: 'M' } }],
    ['settings without defaults', '/settings?include_defaults=OFF', {}, 200, { settings: { manager_id: 'M' } }],
    [
      'an invalid boolean',
      '/settings?include_schema=2',
      {},
      422,
      {
        detail: [{ loc: ['query', 'include_schema'], msg: 'Input should be a valid boolean' }],
      },
    ],
    ['a fixed path before a path parameter', '/thing/all?number=3', {}, 200, '3'],
    ['an encoded path parameter', '/thing/a%2Fb%20c', {}, 200, { name: 'a/b c' }],
    ['an unknown path', '/nope', {}, 404, { detail: 'Not Found' }],
    ['an unsupported method', '/health', { method: 'POST' }, 405, { detail: 'Method Not Allowed' }],
    ['an error with its own body', '/refused', {}, 404, { message: 'no' }],
    [
      'a missing field',
      '/thing',
      { method: 'POST', body: '{"size":1}', headers: { 'content-type': 'application/json' } },
      422,
      { detail: [{ loc: ['body', 'label'], msg: expect.any(String) as string }] },
    ],
    [
      'a missing query parameter',
      '/thing/all',
      {},
      422,
      { detail: [{ loc: ['query', 'number'], msg: 'Field required' }] },
    ],
    [
      'a body that is not JSON',
      '/thing',
      { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      422,
      { detail: [{ loc: ['body'], msg: 'Input should be JSON or a form' }] },
    ],
    [
      'a form without files',
      '/upload',
      { method: 'POST', body: new URLSearchParams({ id: '1' }) },
      200,
      { fields: { id: '1' }, files: [] },
    ],
  ];
  it.each(table)('handles %s as FastAPI does', async (_what, path, init, status, body) => {
    const response = await fetch(base + path, { redirect: 'manual', ...init });
    expect({ status: response.status, body: await response.json() }).toEqual({ status, body });
  });

  it('reads the fields and the files of a multipart form', async () => {
    const body =
      '--x\r\nContent-Disposition: form-data; name="id"\r\n\r\n7\r\n' +
      '--x\r\nContent-Disposition: form-data; name="files"; filename="doc"\r\nContent-Type: text/plain\r\n\r\nabc\r\n--x--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const response = await fetch(`${base}/upload`, { method: 'POST', body, headers });
    expect(await response.json()).toEqual({ fields: { id: '7' }, files: [['doc', 3]] });
  });

  it('returns bytes with their media type', async () => {
    const response = await fetch(`${base}/bytes`);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect((await response.arrayBuffer()).byteLength).toBe(2);
  });

  it('allows other origins only for requests with an origin, and mirrors the headers of a preflight', async () => {
    expect((await fetch(`${base}/health`)).headers.has('access-control-allow-origin')).toBe(false);
    const withOrigin = await fetch(`${base}/health`, { headers: origin });
    expect(withOrigin.headers.get('access-control-allow-origin')).toBe('*');
    const preflight = await fetch(`${base}/thing`, {
      method: 'OPTIONS',
      headers: { ...origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'x-a' },
    });
    expect(preflight.status).toBe(200);
    expect(await preflight.text()).toBe('OK');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-a');
    expect((await fetch(`${base}/health`, { method: 'OPTIONS' })).status).toBe(405);
  });

  it('returns a plain 500 without CORS headers for an internal error', async () => {
    const response = await fetch(`${base}/broken`, { headers: origin });
    expect([response.status, await response.text()]).toEqual([500, 'Internal Server Error']);
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('faults of a manager', () => {
  it.each<[ServerFault, number, string]>([
    [{ kind: 'error500' }, 500, 'Internal Server Error'],
    [{ kind: 'limit429' }, 429, '{"detail":"Rate limit exceeded: 300 requests per 60 seconds"}'],
    [{ kind: 'garbage' }, 200, '{"healthy": tru'],
  ])('lead to the expected response: %o', async (simulatedFault, status, text) => {
    fault = simulatedFault;
    const response = await fetch(`${base}/health`);
    fault = null;
    expect([response.status, await response.text()]).toEqual([status, text]);
  });

  it('lead to no response: “hang”', async () => {
    fault = { kind: 'hang' };
    await expect(fetch(`${base}/health`, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
    fault = null;
  });

  it('lead to a response without CORS headers: “withoutCors”', async () => {
    fault = { kind: 'withoutCors' };
    const response = await fetch(`${base}/health`, { headers: origin });
    fault = null;
    expect([response.status, response.headers.has('access-control-allow-origin')]).toEqual([200, false]);
  });
});
