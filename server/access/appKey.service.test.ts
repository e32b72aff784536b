/** Tests that the app key gives the app's window the administrator role, against a running service. */
import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { appKeyHeader, sessionResponse } from '../../api/lab/access.ts';
import { requestBytes, sendRequest } from '../../e2e/support/rawRequest.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';

const services: TestService[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
});

const appKey = 'a'.repeat(43);
const appKeyHeaders = { [appKeyHeader]: appKey };
const appUser = { name: `Lab Manager app on ${hostname()}`, role: 'administrator', via: 'app', screen: false };

async function start(env: Readonly<Record<string, string>> = {}, managerOptions = { appKey }): Promise<TestService> {
  const proxy = { LAB_TRUSTED_PROXY: '["127.0.0.1", "::1"]' };
  const service = await startService({ env: { LAB_REMOTE_ACCESS: 'operate', ...proxy, ...env }, managerOptions });
  services.push(service);
  return service;
}

async function readUser(service: TestService, headers: Readonly<Record<string, string>>) {
  const { body } = await sendRequest(service.port, '/session', { headers });
  return sessionResponse.parse(JSON.parse(body)).user;
}

describe('the window of the app', () => {
  it('is administrator behind a trusted proxy on this machine, where loopback alone has no role', async () => {
    const service = await start();
    expect(await readUser(service, {})).toBeNull();
    expect(await readUser(service, appKeyHeaders)).toEqual(appUser);
    expect(service.log.join('\n')).not.toContain(appKey);
  });

  it('is identified as the app rather than as loopback when no proxy is trusted', async () => {
    const service = await start({ LAB_TRUSTED_PROXY: '[]' });
    expect(await readUser(service, appKeyHeaders)).toEqual(appUser);
    expect(await readUser(service, {})).toMatchObject({ via: 'loopback' });
  });

  it.each<readonly [string, Readonly<Record<string, string>>]>([
    ['a wrong key', { [appKeyHeader]: 'b'.repeat(43) }],
    ['a part of the key', { [appKeyHeader]: appKey.slice(1) }],
    ['an empty key', { [appKeyHeader]: '' }],
    ['the key through a proxy', { ...appKeyHeaders, 'x-forwarded-for': '127.0.0.1' }],
    ['the key for another Host', { ...appKeyHeaders, host: 'lab.example' }],
    ['the key with an invalid token', { ...appKeyHeaders, authorization: 'Bearer lmt_unknown' }],
    ['the key with the password of a proxy', { ...appKeyHeaders, authorization: 'Basic YW5uOng=' }],
  ])('is not recognised by %s', async (_name, headers) => {
    expect(await readUser(await start(), headers)).toBeNull();
  });

  it('is not recognised over HTTP/1.0, which a proxy without forwarding headers can use', async () => {
    const service = await start();
    const request = (version: string) =>
      requestBytes(
        service.port,
        `GET /session HTTP/${version}\r\nHost: 127.0.0.1\r\nConnection: close\r\n${appKeyHeader}: ${appKey}\r\n\r\n`,
      );
    expect((await request('1.1')).body).toContain('"via":"app"');
    expect((await request('1.0')).body).toContain('"user":null');
  });

  it('is not recognised by a service that no app runs', async () => {
    const service = await startService({ env: { LAB_REMOTE_ACCESS: 'operate', LAB_TRUSTED_PROXY: '["127.0.0.1"]' } });
    services.push(service);
    for (const key of [appKey, '', 'undefined']) expect(await readUser(service, { [appKeyHeader]: key })).toBeNull();
  });

  it('can send commands with its key from the origin of the service, but not from another site', async () => {
    const service = await start({ WORKCELL_SERVER_URL: 'http://127.0.0.1:9/' });
    const pause = (headers: Readonly<Record<string, string>>) =>
      sendRequest(service.port, '/managers/workcell/admin/pause', {
        method: 'POST',
        headers: { ...appKeyHeaders, ...headers },
      });
    expect((await pause({ origin: 'https://elsewhere.example' })).status).toBe(403);
    // The manager itself is unreachable.
    expect((await pause({ origin: `http://127.0.0.1:${service.port}` })).status).toBe(502);
    expect(service.log.join('\n')).toMatch(
      new RegExp(`Relayed POST .*pause for “${appUser.name}” \\(administrator, app\\) from 127\\.0\\.0\\.1`),
    );
  });
});
