/** Tests the GET endpoints with every method and many spellings of its path, over real sockets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, requestBytes, requestRaw, type RawResponse } from '../../e2e/support/rawRequest.ts';
import { startLab, type FakeLab } from '../../e2e/support/managers.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { errorResponse } from '../../api/lab/lab.ts';
import { reservedNames } from './files/paths.ts';

let lab: FakeLab;
let service: TestService;
let port = 0;

beforeAll(async () => {
  lab = await startLab();
  service = await startService({ files: { 'settings.yaml': lab.settings } });
  ({ port } = service);
});
afterAll(async () => {
  await service.stop();
  await lab.stop();
});

const endpoints = [
  '/context',
  '/health',
  '/lab_health',
  '/lab_health/history',
  '/managers',
  '/settings',
  '/summary',
  '/fleet/labs',
  '/openapi.json',
  '/docs',
];
/** Responses that clients cache and revalidate with their ETag. */
const revalidated: ReadonlySet<string> = new Set(['/docs', '/fleet/labs']);
const json = 'application/json; charset=utf-8';

/** Checks the headers of every response. */
function expectSafe(response: RawResponse): void {
  expect(response.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  });
  expect(response.headers).not.toHaveProperty('x-powered-by');
}

/** Checks an error response: its status, headers and body. */
function expectError(response: RawResponse, status: number): void {
  expect(response.status).toBe(status);
  expectSafe(response);
  expect(response.headers['content-type']).toBe(json);
  expect(response.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
  errorResponse.parse(JSON.parse(response.body));
}

describe('the table of endpoints', () => {
  it('contains only endpoints that these tests cover, all with reserved names', () => {
    for (const { path } of labEndpoints) expect(endpoints).toContain(path);
    for (const path of endpoints) expect(reservedNames).toContain(path.split('/')[1]);
  });

  it.each(labEndpoints)('describes the response of $path', async ({ path, response }) => {
    const result = await sendRequest(port, path);
    expect(result.status).toBe(200);
    response.parse(JSON.parse(result.body));
  });
});

describe.each(endpoints)('the endpoint %s', (path) => {
  it('responds to GET, and to HEAD without a body, and no cache reuses its response unchecked', async () => {
    const get = await sendRequest(port, path);
    const head = await sendRequest(port, path, { method: 'HEAD' });
    expect([get.status, head.status]).toEqual([200, 200]);
    expect(head.body).toBe('');
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    expect(get.headers['content-type']).toBe(path === '/docs' ? 'text/html; charset=utf-8' : json);
    expect(get.headers['cache-control']).toBe(revalidated.has(path) ? 'no-cache' : 'no-store');
    expectSafe(get);
    expectSafe(head);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'])(
    'rejects %s and lists the allowed methods',
    async (method) => {
      const response = await sendRequest(port, path, { method });
      expect(response.headers['allow']).toBe('GET, HEAD');
      expect(response.status).toBe(405);
      expectSafe(response);
      expect(JSON.parse(response.body)).toEqual({ detail: 'Method Not Allowed' });
    },
  );

  it('accepts one trailing slash, a query and an absolute target', async () => {
    const slash = await sendRequest(port, `${path}/`);
    if (path === '/docs') expect([slash.status, slash.headers['location']]).toEqual([302, '../docs']);
    else expect(slash.status).toBe(200);
    expect((await sendRequest(port, `${path}?a=1&b`)).status).toBe(200);
    expect((await sendRequest(port, `${path}?`)).status).toBe(200);
    expect((await requestRaw(port, `http://anything${path}`)).status).toBe(200);
  });

  it.each([
    ['two trailing slashes', (p: string) => `${p}//`],
    ['an additional slash', (p: string) => `/${p}`],
    ['an encoded letter', (p: string) => `/%${p.charCodeAt(1).toString(16)}${p.slice(2)}`],
    ['a path below it', (p: string) => `${p}/nothing`],
    ['a file below it', (p: string) => `${p}/nothing.js`],
    ['an encoded slash', (p: string) => `${p}%2F`],
    ['an encoded backslash', (p: string) => `${p}%5Cx`],
    ['a backslash', (p: string) => `${p}\\x`],
    ['dots below it', (p: string) => `${p}/../index.html`],
    ['encoded dots below it', (p: string) => `${p}/%2e%2e/index.html`],
  ])('has no page of the dashboard at its path with %s', async (_name, transform) => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      const response = await requestRaw(port, transform(path), { method, headers: { accept: 'text/html' } });
      expect(response.status).toBe(404);
      expectSafe(response);
      if (method === 'GET') expect(Object.keys(JSON.parse(response.body))).toEqual(['detail']);
    }
  });

  it.each(['%', '%zz', '%00', '%0d%0aX-Evil: 1', '%c3%28'])(
    'returns 400 when the undecodable text %s follows it',
    async (odd) => {
      const response = await requestRaw(port, `${path}/${odd.replaceAll(' ', '%20')}`);
      expect(response.status).toBe(400);
      expectSafe(response);
      expect(response.headers).not.toHaveProperty('x-evil');
    },
  );

  it('ignores Range and conditional headers', async () => {
    const headers = {
      range: 'bytes=0-3',
      'if-none-match': '"x"',
      'if-modified-since': 'Sun, 01 Jan 2090 00:00:00 GMT',
    };
    const response = await sendRequest(port, path, { headers });
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('content-range');
  });

  it('returns 200, or 404 for a reserved name, for its path in capitals or with an additional letter', async () => {
    for (const other of [path.toUpperCase(), `${path}s`].filter((candidate) => !candidate.includes('.'))) {
      const first = other.split('/')[1] ?? '';
      const isReserved = (reservedNames as readonly string[]).includes(first);
      expect((await sendRequest(port, other)).status).toBe(isReserved ? 404 : 200);
    }
  });
});

describe('the response for a reserved name', () => {
  it('names the replacement of /definition', async () => {
    for (const path of ['/definition', '/definition/', '/definition/x']) {
      const response = await sendRequest(port, path, { headers: { accept: 'text/html' } });
      expectError(response, 404);
      expect(response.body).toContain('/context and /lab_health');
    }
  });

  it('names /docs in place of /redoc', async () => {
    const response = await sendRequest(port, '/redoc');
    expectError(response, 404);
    expect(response.body).toContain('/docs');
  });
});

describe('an invalid request', () => {
  it.each([
    ['an asterisk', '*'],
    ['an invalid port', 'http://e:99999999/'],
    ['another scheme', 'file:///etc/passwd'],
    ...['/', '/assets/', '/help/', '/docs/', '/context/'].map((path) => [
      `U+10FFFF, which aborts libuv on Windows, below ${path}`,
      `${path}%F4%8F%bf%bf.js`,
    ]),
  ])('with %s in its target gets a 400 without a log line', async (_name, target) => {
    const before = service.log.length;
    expectError(await requestRaw(port, target), 400);
    expect(service.log.slice(before)).toEqual([]);
  });

  it('with two Host headers gets a 400', async () => {
    const { status } = await requestBytes(
      port,
      'GET /health HTTP/1.1\r\nhost: localhost\r\nHost: evil\r\nconnection: close\r\n\r\n',
    );
    expect(status).toBe(400);
  });
});

describe('invalid HTTP', () => {
  it.each([
    ['garbage', 'GARBAGE\r\n\r\n', 400],
    ['another protocol', '\u0016\u0003\u0001\u0002', 400],
    ['an unknown method', 'BREW /context HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a missing host', 'GET /context HTTP/1.1\r\n\r\n', 400],
    ['endless headers', `GET /context HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('(%s) is rejected, and the service continues', async (_name, bytes, status) => {
    expect((await requestBytes(port, bytes)).status).toBe(status);
    expect((await sendRequest(port, '/health')).status).toBe(200);
  });
});
