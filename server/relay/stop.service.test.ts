/** The safety stop through the relay at a running service, with real users and sessions; and attacks on it. */
// cspell:ignore freset
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { csrfHeader, sessionResponse } from '../../api/lab/access.ts';
import { relayResponse, type RelayResponse } from '../../api/lab/relay.ts';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { sendRequest, type RawResponse } from '../../e2e/support/rawRequest.ts';
import { makeService, type TestService } from '../../e2e/support/service.ts';
import type { Accounts } from '../access/users.ts';
import { ageStoredSessions, testUser, writeAccounts } from '../fixtures/testUsers.ts';

type Headers = Readonly<Record<string, string>>;

const ann = testUser('ann', 'operator', 'a long password');
const vic = testUser('vic', 'viewer', 'a long password');
const hour = 3_600_000;

/** A browser on another machine, behind a proxy at which TLS ends. */
const remote: Headers = { 'x-forwarded-for': '10.0.0.9', 'x-forwarded-proto': 'https', host: 'lab.example' };
const ownPage: Headers = { ...remote, origin: 'https://lab.example', 'sec-fetch-site': 'same-origin' };
const stopArm = '/managers/workcell/admin/safety_stop/arm';

/** The commands that the workcell manager received. */
let received: string[] = [];
let isResponding = true;
let workcell: http.Server;
let port = 0;
let service: TestService;

beforeEach(async () => {
  [received, isResponding] = [[], true];
  workcell = http.createServer((request, response) => {
    if (request.method === 'POST') received.push(request.url ?? '');
    if (!isResponding && request.method === 'POST') return;
    const body = request.url === '/nodes' ? { arm: { node_url: 'http://127.0.0.1:1/' } } : { success: true };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => workcell.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await service.stop();
  workcell.close();
  workcell.closeAllConnections();
});

const setUsers = (users: Accounts['users']) => writeAccounts(service.statePath('users.json', port), { users });

async function startLab(env: Headers = {}, users: Accounts['users'] = [ann, vic]): Promise<void> {
  port = await pickFreePort();
  service = await makeService({
    env: {
      LAB_REMOTE_ACCESS: 'operate',
      LAB_SERVER_URL: 'https://lab.example/',
      LAB_TRUSTED_PROXY: '["127.0.0.1"]',
      LAB_LISTEN_PORT: String(port),
      WORKCELL_SERVER_URL: `http://127.0.0.1:${(workcell.address() as AddressInfo).port}/`,
      ...env,
    },
  });
  await setUsers(users);
  await service.manager.start();
}

const post = (path: string, headers: Headers): Promise<RawResponse> =>
  sendRequest(port, path, { method: 'POST', headers });

async function readRelay(headers: Headers): Promise<RelayResponse> {
  return relayResponse.parse(JSON.parse((await sendRequest(port, '/managers', { headers })).body));
}

/** The headers of a page after its user has signed in. */
async function signIn(name: string): Promise<Headers> {
  const body = JSON.stringify({ name, password: 'a long password' });
  const headers = { ...ownPage, 'content-type': 'application/json' };
  const response = await sendRequest(port, '/session', { method: 'POST', headers, body });
  const { csrf_token: token } = sessionResponse.parse(JSON.parse(response.body));
  const [cookie = ''] = (response.headers['set-cookie'] ?? '').split(';', 1);
  return { ...ownPage, cookie, [csrfHeader]: token ?? '' };
}

/** Makes the stored sessions older by `ms`, while the service does not run. */
async function ageSessions(ms: number, users: Accounts['users'] = [ann, vic]): Promise<void> {
  await service.manager.stop();
  await ageStoredSessions(service.statePath('sessions.json', port), ms);
  await setUsers(users);
  await service.manager.start();
}

describe('the safety stop of a signed-in operator', () => {
  it.each(['operate', 'view'])('is relayed with remote access %s, and so are lock, pause and cancel', async (mode) => {
    await startLab({ LAB_REMOTE_ACCESS: mode });
    const page = await signIn('ann');
    for (const command of ['safety_stop', 'lock', 'pause', 'cancel'])
      expect((await post(`/managers/workcell/admin/${command}/arm`, page)).status).toBe(200);
    expect(received).toEqual(['/admin/safety_stop/arm', '/admin/lock/arm', '/admin/pause/arm', '/admin/cancel/arm']);
    expect((await post('/managers/workcell/admin/reset/arm', page)).status).toBe(mode === 'view' ? 403 : 200);
  });

  it('is offered with the names of the nodes, and refused to others with the reason', async () => {
    await startLab({ LAB_WATCH_INTERVAL: '1' });
    const page = await signIn('ann');
    await expect
      .poll(async () => (await readRelay(page)).stop, { timeout: 10_000 })
      .toEqual({ refusal: null, nodes: ['arm'] });
    expect((await readRelay(ownPage)).stop).toEqual({ refusal: expect.stringContaining('signed-in'), nodes: [] });
    expect((await readRelay(await signIn('vic'))).stop).toEqual({
      refusal: expect.stringContaining('viewer'),
      nodes: [],
    });
  });

  it('requires the token of the session, so that a cookie alone stops nothing', async () => {
    await startLab();
    const { [csrfHeader]: _token, ...cookieOnly } = await signIn('ann');
    expect((await post(stopArm, cookieOnly)).status).toBe(403);
    expect((await post(stopArm, { ...cookieOnly, [csrfHeader]: 'A'.repeat(43) })).status).toBe(403);
    expect(received).toEqual([]);
  });

  it.each([
    ['users', 401],
    ['everyone', 200],
  ])('is refused to others unless LAB_REMOTE_STOP is everyone: %s', async (LAB_REMOTE_STOP, status) => {
    await startLab({ LAB_REMOTE_STOP });
    expect((await post(stopArm, ownPage)).status).toBe(status);
    expect((await post(stopArm, await signIn('vic'))).status).toBe(status === 200 ? 200 : 403);
    expect(received).toHaveLength(status === 200 ? 2 : 0);
  });
});

describe('the safety stop with LAB_REMOTE_STOP=everyone', () => {
  it.each([
    ['a form of another site', { ...remote, origin: 'http://evil.example' }],
    ['a sandboxed page', { ...remote, origin: 'null' }],
    ['a page of a sibling site', { ...remote, 'sec-fetch-site': 'same-site' }],
    ['an origin that contradicts the browser', { ...ownPage, 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { ...remote, origin: 'https://lab.example:8443' }],
    ['a page that was rebound to this address', { ...remote, host: 'evil.example', origin: 'https://evil.example' }],
    ['a forged Host', { ...remote, host: 'evil.example', origin: 'https://lab.example' }],
    ['an API token that is unknown', { ...remote, origin: 'http://evil.example', authorization: 'Bearer lmt_x' }],
  ])('is refused to %s', async (_who, headers) => {
    await startLab({ LAB_REMOTE_STOP: 'everyone' });
    expect((await post(stopArm, headers)).status).toBe(403);
    expect(received).toEqual([]);
  });

  it.each([
    ['a form of another site', { origin: 'http://evil.example' }],
    ['a page of another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page that was rebound to loopback', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('is refused to %s on loopback', async (_who, headers) => {
    await startLab({ LAB_REMOTE_STOP: 'everyone', LAB_TRUSTED_PROXY: '[]' });
    expect((await post(stopArm, headers)).status).toBe(403);
    expect(received).toEqual([]);
  });

  it('is relayed to known nodes only, while an operator may stop any node', async () => {
    await startLab({ LAB_REMOTE_STOP: 'everyone', LAB_WATCH_INTERVAL: '1' });
    await expect.poll(async () => (await readRelay(ownPage)).stop.nodes, { timeout: 10_000 }).toEqual(['arm']);
    const ghost = stopArm.replace('arm', 'ghost');
    for (const page of [ownPage, await signIn('vic')]) {
      const refused = await post(ghost, page);
      expect([refused.status, JSON.parse(refused.body)]).toEqual([
        404,
        { detail: expect.stringContaining('no node of this name') },
      ]);
      expect((await post(stopArm, page)).status).toBe(200);
    }
    expect(received).toEqual(['/admin/safety_stop/arm', '/admin/safety_stop/arm']);
    expect((await post(ghost, await signIn('ann'))).status).toBe(200);
  });

  it('grants no other command and no read', async () => {
    await startLab({ LAB_REMOTE_STOP: 'everyone' });
    const forged = { 'remote-user': 'ann', 'remote-groups': 'lab-staff', 'x-http-method-override': 'GET' };
    for (const path of [
      'reset/arm',
      'unlock/arm',
      'resume/arm',
      'shutdown/arm',
      'safety_stop',
      'safety_stop%2f..%2freset/arm',
    ])
      expect((await post(`/managers/workcell/admin/${path}`, { ...ownPage, ...forged })).status).toBe(401);
    expect((await sendRequest(port, '/managers/workcell/nodes', { headers: { ...ownPage, ...forged } })).status).toBe(
      401,
    );
    expect(received).toEqual([]);
  });
});

describe('the safety stop of an operator whose session has expired', () => {
  it.each([
    ['just after', 12 * hour + 1000, 200],
    ['almost 12 h after', 24 * hour - 60_000, 200],
    ['more than 12 h after', 24 * hour + 1000, 401],
  ])('is relayed for 12 h: %s the expiry', async (_when, ms, status) => {
    await startLab();
    const page = await signIn('ann');
    await ageSessions(ms);
    expect((await sendRequest(port, '/managers/workcell/state', { headers: page })).status).toBe(401);
    expect((await post('/managers/workcell/admin/reset/arm', page)).status).toBe(401);
    expect((await post(stopArm, page)).status).toBe(status);
    expect(received).toHaveLength(status === 200 ? 1 : 0);
    // A stop does not prolong the session.
    await ageSessions(0);
    expect((await sendRequest(port, '/managers/workcell/state', { headers: page })).status).toBe(401);
    expect((await readRelay(page)).stop.refusal === null).toBe(status === 200);
  });

  it('requires the token of that session, which a new page receives', async () => {
    await startLab();
    const { [csrfHeader]: token = '', ...cookieOnly } = await signIn('ann');
    await ageSessions(13 * hour);
    expect((await post(stopArm, cookieOnly)).status).toBe(403);
    const session = await sendRequest(port, '/session', { headers: cookieOnly });
    expect(JSON.parse(session.body)).toMatchObject({ user: null, csrf_token: token });
    expect((await post(stopArm, { ...cookieOnly, origin: 'http://evil.example', [csrfHeader]: token })).status).toBe(
      403,
    );
    expect((await post(stopArm, { ...cookieOnly, [csrfHeader]: token })).status).toBe(200);
  });

  it.each([
    ['another role', [testUser('ann', 'administrator', 'a long password')]],
    ['the role of a viewer', [testUser('ann', 'viewer', 'a long password')]],
    ['a removal of the user', [vic]],
    ['a new password', [testUser('ann', 'operator', 'a new password')]],
  ])('is refused after the session was ended by %s', async (_what, users) => {
    await startLab();
    const page = await signIn('ann');
    await ageSessions(13 * hour, users);
    expect((await post(stopArm, page)).status).toBe(401);
    expect(received).toEqual([]);
  });

  it.each([
    ['before the expiry', 0],
    ['after the expiry', 13 * hour],
  ])('is refused after a sign-out %s', async (_when, ms) => {
    await startLab();
    const page = await signIn('ann');
    await ageSessions(ms);
    expect((await sendRequest(port, '/session', { method: 'DELETE', headers: page })).status).toBe(200);
    await ageSessions(13 * hour - ms);
    expect((await post(stopArm, page)).status).toBe(401);
    expect(received).toEqual([]);
  });

  it('gives the expired session no right to end other sessions of its user', async () => {
    await startLab();
    const old = await signIn('ann');
    await ageSessions(13 * hour);
    const page = await signIn('ann');
    expect((await sendRequest(port, '/session?everywhere=true', { method: 'DELETE', headers: old })).status).toBe(403);
    expect((await sendRequest(port, '/managers/workcell/state', { headers: page })).status).toBe(200);
  });

  it('is not granted to a viewer, nor to the wall screen of an operator', async () => {
    await startLab();
    const viewer = await signIn('vic');
    const body = JSON.stringify({ name: 'ann', password: 'a long password', screen: true });
    const headers = { ...ownPage, 'content-type': 'application/json' };
    const response = await sendRequest(port, '/session', { method: 'POST', headers, body });
    const [cookie = ''] = (response.headers['set-cookie'] ?? '').split(';', 1);
    const { csrf_token: token } = sessionResponse.parse(JSON.parse(response.body));
    await ageSessions(13 * hour);
    expect((await post(stopArm, viewer)).status).toBe(401);
    await ageSessions(90 * 24 * hour - 10 * hour);
    expect((await post(stopArm, { ...ownPage, cookie, [csrfHeader]: token ?? '' })).status).toBe(401);
    expect(received).toEqual([]);
  });
});

it('a relayed command that is pending when the service stops is recorded', async () => {
  await startLab();
  const page = await signIn('ann');
  isResponding = false;
  const pending = post('/managers/workcell/admin/lock/arm', page).catch((error: unknown) => error);
  await expect.poll(() => received).toEqual(['/admin/lock/arm']);
  await service.manager.stop();
  await pending;
  const folder = service.statePath('commands', port);
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  expect(files.filter((text) => text.includes('workcell/admin/lock/arm'))).toHaveLength(1);
});

it('a safety stop is not limited by other requests of the same address or user', async () => {
  await startLab({ LAB_REMOTE_STOP: 'everyone', LAB_RATE_LIMIT_SHORT_REQUESTS: 'None', LAB_RATE_LIMIT_REQUESTS: '3' });
  const [viewer, operator] = [await signIn('vic'), await signIn('ann')];
  const read = (headers: Headers) => sendRequest(port, '/managers/workcell/state', { headers });
  for (const page of [ownPage, viewer]) await expect.poll(async () => (await read(page)).status).toBe(429);
  expect((await read(operator)).status).toBe(200);
  for (const page of [ownPage, viewer, operator]) expect((await post(stopArm, page)).status).toBe(200);
});
