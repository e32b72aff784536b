/** Tests the limits of access by client: CORS, host check and rate limit. */
import { afterEach, describe, expect, it } from 'vitest';
import { hostname } from 'node:os';
import { labContext } from '#api/lab/lab.ts';
import { sendRequest } from '#e2e/support/rawRequest.ts';
import { findOutsideAddress, startService, type TestService } from '#e2e/support/service.ts';

let service: TestService;
afterEach(() => service.stop());

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await startService({ env });
}

const origin = 'http://lab-pc:8000';
const preflight = (from = origin) => ({
  method: 'OPTIONS',
  headers: { origin: from, 'access-control-request-method': 'GET' },
});
const endpoints = ['/context', '/health', '/lab_health/history', '/settings', '/openapi.json', '/docs', '/definition'];

describe('CORS', () => {
  it.each(endpoints)('permits every origin to read %s by default, including preflights', async (path) => {
    await start();
    const response = await sendRequest(service.port, path, { headers: { origin } });
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['access-control-expose-headers']).toContain('Retry-After');
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    const flight = await sendRequest(service.port, path, preflight());
    expect([flight.status, flight.body]).toEqual([204, '']);
    expect(flight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD',
    });
  });

  it('permits only the listed origins to read, and sends Vary', async () => {
    await start({ LAB_CORS_ALLOWED_ORIGINS: JSON.stringify([origin, 'https://other.example']) });
    const listedOriginResponse = await sendRequest(service.port, '/context', { headers: { origin } });
    expect(listedOriginResponse.headers).toMatchObject({
      'access-control-allow-origin': origin,
      vary: expect.stringContaining('Origin'),
    });
    for (const foreignOrigin of ['http://evil.example', 'https://lab-pc:8000', 'http://lab-pc', 'null']) {
      const response = await sendRequest(service.port, '/context', { headers: { origin: foreignOrigin } });
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      expect(response.headers['vary']).toContain('Origin');
      expect((await sendRequest(service.port, '/context', preflight(foreignOrigin))).headers).not.toHaveProperty(
        'access-control-allow-origin',
      );
    }
    expect((await sendRequest(service.port, '/context', preflight())).headers['access-control-allow-origin']).toBe(
      origin,
    );
  });

  it('allows no origin with an empty list', async () => {
    await start({ LAB_CORS_ALLOWED_ORIGINS: '[]' });
    const response = await sendRequest(service.port, '/context', { headers: { origin } });
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('permits reading errors as well, but not files', async () => {
    await start();
    const error = await sendRequest(service.port, '/settings?include_schema=x', { headers: { origin } });
    expect([error.status, error.headers['access-control-allow-origin']]).toEqual([422, '*']);
    const wrong = await sendRequest(service.port, '/context', { method: 'POST', headers: { origin } });
    expect([wrong.status, wrong.headers['access-control-allow-origin']]).toEqual([405, '*']);
    expect((await sendRequest(service.port, '/', { headers: { origin } })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });
});

if (findOutsideAddress() === null)
  console.log('This machine has only loopback addresses: the rate limit is tested without their exemption');

describe('the host check', () => {
  const restricted = { LAB_CORS_ALLOWED_ORIGINS: `["${origin}"]`, LAB_SERVER_URL: 'http://lab.example:8000/' };

  it('rejects this machine’s browser under a foreign name everywhere with restricted origins', async () => {
    await start(restricted);
    for (const path of ['/context', '/lab_health', '/settings', '/', '/assets/plain.js', '/docs', '/definition']) {
      const response = await sendRequest(service.port, path, { headers: { host: 'evil.example' } });
      expect([path, response.status]).toEqual([path, 421]);
      expect(JSON.parse(response.body)).toHaveProperty('detail');
    }
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:8000', hostname(), 'lab.example:8000'])
      expect((await sendRequest(service.port, '/context', { headers: { host } })).status).toBe(200);
  });

  it('accepts every name when all origins are allowed', async () => {
    await start();
    expect((await sendRequest(service.port, '/context', { headers: { host: 'evil.example' } })).status).toBe(200);
  });

  const outside = findOutsideAddress();
  it.runIf(outside)('rejects another machine’s browser under a foreign name and accepts it by address', async () => {
    await start({ ...restricted, LAB_ALLOWED_HOSTS: 'bench.example' });
    const statusFor = async (host: string) =>
      (await sendRequest(service.port, '/context', { host: outside ?? '', headers: { host } })).status;
    expect(await statusFor('evil.example')).toBe(421);
    expect(await statusFor(`${outside}:8000`)).toBe(200);
    expect(await statusFor('bench.example')).toBe(200);
  });
});

describe('the rate limit', () => {
  const outside = findOutsideAddress();
  /** Uses this machine's own network address; without one, loopback is not exempt. */
  const host = outside ?? '127.0.0.1';
  const counted: Record<string, string> = outside === null ? { LAB_RATE_LIMIT_EXEMPT_IPS: '[]' } : {};
  // A window of an hour, so that none ends during the test.
  const settings = { LAB_RATE_LIMIT_SHORT_REQUESTS: '5', LAB_RATE_LIMIT_SHORT_WINDOW: '3600', ...counted };

  it('rejects another machine’s excess requests and states when it may retry', async () => {
    await start(settings);
    const responses = [];
    for (let i = 0; i < 6; i += 1)
      responses.push(await sendRequest(service.port, '/context', { host, headers: { origin } }));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(responses[0]?.headers).toMatchObject({
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '299',
      'x-ratelimit-burst-limit': '5',
      'x-ratelimit-burst-remaining': '4',
    });
    const refused = responses[5];
    expect(JSON.parse(refused?.body ?? '')).toEqual({
      detail: 'Rate limit exceeded: 5 requests per 3600 seconds (burst limit)',
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    // Browsers may read the response.
    expect(refused?.headers['access-control-allow-origin']).toBe('*');
    expect(refused?.headers['access-control-expose-headers']).toContain('X-RateLimit-Remaining');
  });

  it('counts every endpoint, but no file', async () => {
    await start(settings);
    for (let i = 0; i < 20; i += 1) {
      const response = await sendRequest(service.port, i % 2 ? '/' : '/assets/plain.js', { host });
      expect(response.status).toBe(200);
      expect(response.headers).not.toHaveProperty('x-ratelimit-limit');
    }
    for (const path of ['/context', '/health', '/settings', '/docs', '/definition'])
      expect((await sendRequest(service.port, path, { host })).status).toBeLessThan(429);
    expect((await sendRequest(service.port, '/openapi.json', { host })).status).toBe(429);
  });

  it('exempts this machine unless configured otherwise', async () => {
    await start({ LAB_RATE_LIMIT_SHORT_REQUESTS: '5', LAB_RATE_LIMIT_SHORT_WINDOW: '3600' });
    for (let i = 0; i < 10; i += 1) expect((await sendRequest(service.port, '/context')).status).toBe(200);
    await service.stop();
    await start({ ...settings, LAB_RATE_LIMIT_EXEMPT_IPS: '[]' });
    for (let i = 0; i < 5; i += 1) await sendRequest(service.port, '/context');
    expect((await sendRequest(service.port, '/context')).status).toBe(429);
  });

  it('can be switched off', async () => {
    await start({ ...settings, LAB_RATE_LIMIT_ENABLED: 'off' });
    for (let i = 0; i < 10; i += 1) expect((await sendRequest(service.port, '/context', { host })).status).toBe(200);
  });
});

describe('requests through a TLS proxy on this machine', () => {
  const limited = { LAB_RATE_LIMIT_SHORT_REQUESTS: '3', LAB_RATE_LIMIT_SHORT_WINDOW: '3600' };
  const proxied = { LAB_TRUSTED_PROXY: '["127.0.0.1"]', LAB_SERVER_URL: 'https://lab.example/' };
  const requestFrom = (client: string) => ({ headers: { 'x-forwarded-for': client, 'x-forwarded-proto': 'https' } });

  it('are limited for each client, unlike direct requests of this machine', async () => {
    await start({ ...limited, ...proxied });
    const statuses = async (client: string) => {
      const responses = [];
      for (let i = 0; i < 4; i += 1) responses.push(await sendRequest(service.port, '/context', requestFrom(client)));
      return responses.map(({ status }) => status);
    };
    expect(await statuses('192.0.2.7')).toEqual([200, 200, 200, 429]);
    expect(await statuses('192.0.2.8')).toEqual([200, 200, 200, 429]);
    // A forged loopback address has no effect: the proxy appends the actual client.
    expect((await sendRequest(service.port, '/context', requestFrom('127.0.0.1, 192.0.2.7'))).status).toBe(429);
    for (let i = 0; i < 6; i += 1) expect((await sendRequest(service.port, '/context')).status).toBe(200);
  });

  it('count as those of this machine without the setting, with a warning', async () => {
    await start(limited);
    for (let i = 0; i < 6; i += 1)
      expect((await sendRequest(service.port, '/context', requestFrom('192.0.2.7'))).status).toBe(200);
    expect(service.log.filter((line) => line.includes('LAB_TRUSTED_PROXY'))).toHaveLength(1);
  });

  it('get addresses with the advertised host, with auto that of LAB_SERVER_URL', async () => {
    const events = async (options: Parameters<typeof sendRequest>[2]) =>
      labContext.parse(JSON.parse((await sendRequest(service.port, '/context', options)).body)).event_server_url;
    await start({ ...proxied, LAB_ADVERTISED_HOST: 'auto' });
    expect(await events(requestFrom('192.0.2.7'))).toBe('http://lab.example:8001/');
    expect(await events({})).toBe('http://localhost:8001/');
    await service.stop();
    await start({ ...proxied, LAB_ADVERTISED_HOST: 'bench-4' });
    expect(await events(requestFrom('192.0.2.7'))).toBe('http://bench-4:8001/');
  });

  it('are rejected under a foreign name when the origins are restricted', async () => {
    await start({ ...proxied, LAB_CORS_ALLOWED_ORIGINS: '["https://lab.example"]' });
    const status = async (host: string) => {
      const { headers } = requestFrom('192.0.2.7');
      return (await sendRequest(service.port, '/context', { headers: { ...headers, host } })).status;
    };
    expect(await status('lab.example')).toBe(200);
    expect(await status('192.0.2.1')).toBe(200);
    expect(await status('evil.example')).toBe(421);
  });
});
