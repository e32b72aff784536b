/** `/safety_stop` at a running service, with real users and sessions; and attacks on it. */
import { readdir, readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { csrfHeader, sessionResponse } from '../../api/lab/access.ts';
import { stopResponse, type StopResponse } from '../../api/lab/safetyStopApi.ts';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { sendRequest, type RawResponse } from '../../e2e/support/rawRequest.ts';
import { makeService, type TestService } from '../../e2e/support/service.ts';
import type { Accounts } from '../access/users.ts';
import { StopLab } from '../fixtures/stopLab.ts';
import { ageStoredSessions, testToken, testUser, writeAccounts } from '../fixtures/testUsers.ts';

type Headers = Readonly<Record<string, string>>;

const ann = testUser('ann', 'operator', 'a long password');
const vic = testUser('vic', 'viewer', 'a long password');
const hour = 3_600_000;

/** A browser on another machine, behind a proxy at which TLS ends. */
const remote: Headers = { 'x-forwarded-for': '10.0.0.9', 'x-forwarded-proto': 'https', host: 'lab.example' };
const ownPage: Headers = { ...remote, origin: 'https://lab.example', 'sec-fetch-site': 'same-origin' };
const path = '/safety_stop';

let lab: StopLab;
let port = 0;
let service: TestService;

beforeEach(async () => {
  lab = await StopLab.start({ nodes: { arm: 'stopper' } });
});
afterEach(async () => {
  await service.stop();
  lab.stop();
});

const setUsers = (users: Accounts['users']) =>
  writeAccounts(service.statePath('users.json', port), { users, tokens: [testToken('bot', 'operator', 'lmt_robot')] });

async function startLab(env: Headers = {}, users: Accounts['users'] = [ann, vic]): Promise<void> {
  port = await pickFreePort();
  service = await makeService({
    env: {
      LAB_REMOTE_ACCESS: 'operate',
      LAB_SERVER_URL: 'https://lab.example/',
      LAB_TRUSTED_PROXY: '["127.0.0.1"]',
      LAB_LISTEN_PORT: String(port),
      WORKCELL_SERVER_URL: lab.workcell,
      ...env,
    },
  });
  await setUsers(users);
  await service.manager.start();
  await expect.poll(async () => (await readStop({})).known_nodes).toBe(lab.nodes.size);
}

const post = (target: string, headers: Headers): Promise<RawResponse> =>
  sendRequest(port, target, { method: 'POST', headers });

async function readStop(headers: Headers): Promise<StopResponse> {
  return stopResponse.parse(JSON.parse((await sendRequest(port, path, { headers })).body));
}

/** The headers of a page after its user has signed in. */
async function signIn(name: string, screen = false): Promise<Headers> {
  const body = JSON.stringify({ name, password: 'a long password', screen });
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

const stopped = () => expect.poll(() => lab.commandsTo('arm'));

describe('a stop of this machine', () => {
  it.each(['off', 'operate'])('needs no credentials with LAB_REMOTE_ACCESS=%s', async (LAB_REMOTE_ACCESS) => {
    await startLab({ LAB_REMOTE_ACCESS, LAB_TRUSTED_PROXY: '[]' });
    const response = await post(path, { host: `localhost:${port}` });
    expect(response.status).toBe(200);
    expect(stopResponse.parse(JSON.parse(response.body)).stop?.nodes).toMatchObject([{ name: 'arm' }]);
    await stopped().toContain('node safety_stop');
    await expect.poll(async () => (await readStop({})).stop?.nodes[0]?.result).toBe('confirmed');
    const released = await post(`${path}/release`, { host: `localhost:${port}` });
    expect(stopResponse.parse(JSON.parse(released.body))).toMatchObject({ in_effect: true, stop: { releasing: true } });
    await expect.poll(async () => (await readStop({})).in_effect).toBe(false);
    expect(lab.commandsTo('arm')).toContain('workcell reset');
    expect(await readStop({})).toMatchObject({
      stop: { nodes: [{ released_at: expect.any(String) }] },
    });
  });

  it('runs to its end although its sender is killed right after the request', async () => {
    lab.nodes.set('arm', 'deaf');
    await startLab({ LAB_TRUSTED_PROXY: '[]' });
    const socket = createConnection(port, '127.0.0.1');
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 0\r\n\r\n`);
    await stopped().toContain('node safety_stop');
    socket.destroy();
    await stopped().toEqual(expect.arrayContaining(['node lock', 'node pause', 'workcell safety_stop']));
    await expect.poll(async () => (await readStop({})).stop?.nodes[0]?.result).toBe('refused');
  });

  it('is accepted only when a restart would continue it', async () => {
    await startLab({ LAB_TRUSTED_PROXY: '[]' });
    const response = await post(path, { host: `localhost:${port}` });
    const { stop } = stopResponse.parse(JSON.parse(response.body));
    const stored = await readFile(service.statePath('safety-stop.json', port), 'utf8');
    expect(JSON.parse(stored)).toMatchObject({ stop: { id: stop?.id }, isInEffect: true });
  });

  it.each([
    ['of its sender', { host: 'localhost' }, ['reset', 'unlock']],
    ['but not those of a stranger', { host: 'localhost', 'x-forwarded-for': '10.0.0.9' }, ['reset']],
  ])('includes the commands that were sent before it was accepted: those %s', async (whose, headers, commands) => {
    await startLab({ LAB_REMOTE_STOP: 'everyone', LAB_ALLOWED_HOSTS: '["localhost"]' });
    const nodes = [{ name: 'arm', attempted: ['lock'], before: [] }];
    const senderHeaders = whose === 'of its sender' ? await signIn('ann') : headers;
    await sendRequest(port, path, {
      method: 'POST',
      headers: { ...senderHeaders, 'content-type': 'application/json' },
      body: JSON.stringify({ application: 'dashboard', nodes }),
    });
    await expect.poll(async () => (await readStop({})).releases).toEqual([{ name: 'arm', commands }]);
  });

  it('is refused to other machines without remote access', async () => {
    await startLab({ LAB_REMOTE_ACCESS: 'off' });
    expect((await post(path, ownPage)).status).toBe(401);
    expect((await readStop(ownPage)).refusals.stop).toContain('signed-in');
    expect(lab.log).toEqual([]);
  });

  it.each([
    ['a form of another site', { origin: 'http://evil.example' }],
    ['a page of another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page that was rebound to loopback', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('is refused to %s', async (_who, headers) => {
    await startLab({ LAB_TRUSTED_PROXY: '[]' });
    expect((await post(path, headers)).status).toBeGreaterThanOrEqual(401);
    expect(lab.log).toEqual([]);
  });

  it('is not possible with another method, and reports its state', async () => {
    await startLab({ LAB_TRUSTED_PROXY: '[]' });
    expect((await sendRequest(port, path, { method: 'DELETE' })).status).toBe(405);
    expect((await sendRequest(port, `${path}/release`)).status).toBe(405);
    expect(await readStop({})).toMatchObject({ stop: null, in_effect: false, refusals: { stop: null, release: null } });
    expect(lab.log).toEqual([]);
  });
});

describe('a stop of a signed-in user', () => {
  it.each(['operate', 'view'])('is accepted with remote access %s; its release only with operate', async (mode) => {
    await startLab({ LAB_REMOTE_ACCESS: mode });
    const page = await signIn('ann');
    expect((await post(path, page)).status).toBe(200);
    await stopped().toContain('node safety_stop');
    expect((await post(`${path}/release`, page)).status).toBe(mode === 'view' ? 403 : 200);
  });

  it('is refused to viewers and to others', async () => {
    await startLab();
    expect((await post(path, await signIn('vic'))).status).toBe(403);
    expect((await post(path, ownPage)).status).toBe(401);
    expect((await post(path, { ...ownPage, authorization: 'Bearer lmt_x' })).status).toBe(401);
    expect(lab.log).toEqual([]);
  });

  it('requires the token of the session, so that a cookie alone stops nothing', async () => {
    await startLab();
    const { [csrfHeader]: _token, ...cookieOnly } = await signIn('ann');
    for (const target of [path, `${path}/release`, `${path}/acknowledge`]) {
      expect((await post(target, cookieOnly)).status).toBe(403);
      expect((await post(target, { ...cookieOnly, [csrfHeader]: 'A'.repeat(43) })).status).toBe(403);
    }
    expect(lab.log).toEqual([]);
  });

  it('is hidden everywhere by its acknowledgement', async () => {
    await startLab();
    const page = await signIn('ann');
    await post(path, page);
    expect((await post(`${path}/acknowledge`, await signIn('vic'))).status).toBe(403);
    expect((await post(`${path}/acknowledge`, page)).status).toBe(200);
    expect(await readStop(ownPage)).toMatchObject({ in_effect: true, acknowledged: true });
    const history: unknown = JSON.parse((await sendRequest(port, '/lab_health/history')).body);
    expect(history).not.toHaveProperty('safety_stop');
    expect(history).toHaveProperty('acknowledged_stop');
  });
});

describe('a stop with LAB_REMOTE_STOP=everyone', () => {
  it('is accepted from anyone, and grants nothing else', async () => {
    await startLab({ LAB_REMOTE_STOP: 'everyone' });
    expect((await post(path, ownPage)).status).toBe(200);
    await stopped().toContain('node safety_stop');
    const forged = { 'remote-user': 'ann', 'remote-groups': 'lab-staff', 'x-http-method-override': 'GET' };
    const others = [
      `${path}/release`,
      `${path}/acknowledge`,
      '/managers/workcell/admin/safety_stop/arm',
      '/managers/workcell/admin/reset/arm',
    ];
    for (const target of others) expect((await post(target, { ...ownPage, ...forged })).status).toBe(401);
    // After 150 ms, the stop is also sent through the workcell manager.
    expect(lab.commandsTo('arm').filter((command) => !command.endsWith(' safety_stop'))).toEqual([]);
  });

  it.each([
    ['a form of another site', { ...remote, origin: 'http://evil.example' }],
    ['a sandboxed page', { ...remote, origin: 'null' }],
    ['a page of a sibling site', { ...remote, 'sec-fetch-site': 'same-site' }],
    ['an origin that contradicts the browser', { ...ownPage, 'sec-fetch-site': 'cross-site' }],
    ['a page of another port', { ...remote, origin: 'https://lab.example:8443' }],
    ['a page that was rebound to this address', { ...remote, host: 'evil.example', origin: 'https://evil.example' }],
    ['a forged Host', { ...remote, host: 'evil.example', origin: 'https://lab.example' }],
  ])('is refused to %s', async (_who, headers) => {
    await startLab({ LAB_REMOTE_STOP: 'everyone' });
    expect((await post(path, headers)).status).toBe(403);
    expect(lab.log).toEqual([]);
  });

  it('sends few requests and writes few lines for a flood, and delays no stop of others', async () => {
    lab.nodes.set('hung', 'hanging');
    await startLab({ LAB_REMOTE_STOP: 'everyone' });
    const before = service.log.length;
    for (let count = 0; count < 300; count += 1) expect((await post(path, ownPage)).status).toBe(200);
    await stopped().toContain('node safety_stop');
    expect(lab.log.length).toBeLessThan(60);
    const lines = service.log.slice(before).filter((line) => /safety stop/i.test(line));
    expect(lines.length).toBeLessThan(30);
    const records = await readdir(service.statePath('commands', port)).catch(() => []);
    expect(records.length).toBeLessThan(30);
    expect((await post(path, await signIn('ann'))).status).toBe(200);
  });

  it('always starts when none is in effect, whatever the sender has sent before', async () => {
    await startLab({ LAB_REMOTE_STOP: 'everyone' });
    const page = await signIn('ann');
    for (let count = 1; count <= 8; count += 1) {
      expect((await post(path, ownPage)).status).toBe(200);
      const sent = () => lab.commandsTo('arm').filter((command) => command === 'node safety_stop').length;
      await expect.poll(sent).toBe(count);
      expect((await post(`${path}/release`, page)).status).toBe(200);
      await expect.poll(async () => (await readStop({})).in_effect).toBe(false);
    }
  });
});

describe('a stop of an operator whose session has expired', () => {
  it.each([
    ['just after', 12 * hour + 1000, 200],
    ['almost 12 h after', 24 * hour - 60_000, 200],
    ['more than 12 h after', 24 * hour + 1000, 401],
  ])('is accepted for 12 h: %s the expiry', async (_when, ms, status) => {
    await startLab();
    const page = await signIn('ann');
    await ageSessions(ms);
    expect((await sendRequest(port, '/managers/workcell/state', { headers: page })).status).toBe(401);
    expect((await post(path, page)).status).toBe(status);
    expect((await post(`${path}/release`, page)).status).toBe(401);
    // A stop does not prolong the session.
    await ageSessions(0);
    expect((await sendRequest(port, '/managers/workcell/state', { headers: page })).status).toBe(401);
    expect((await readStop(page)).refusals.stop === null).toBe(status === 200);
  });

  it('requires the token of that session, which a new page receives', async () => {
    await startLab();
    const { [csrfHeader]: token = '', ...cookieOnly } = await signIn('ann');
    await ageSessions(13 * hour);
    expect((await post(path, cookieOnly)).status).toBe(403);
    const session = await sendRequest(port, '/session', { headers: cookieOnly });
    expect(JSON.parse(session.body)).toMatchObject({ user: null, csrf_token: token });
    const crossOrigin = { ...cookieOnly, origin: 'http://evil.example', [csrfHeader]: token };
    expect((await post(path, crossOrigin)).status).toBe(403);
    expect((await post(path, { ...cookieOnly, [csrfHeader]: token })).status).toBe(200);
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
    expect((await post(path, page)).status).toBe(401);
    expect(lab.log).toEqual([]);
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
    expect((await post(path, page)).status).toBe(401);
    expect(lab.log).toEqual([]);
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
    const [viewer, screen] = [await signIn('vic'), await signIn('ann', true)];
    await ageSessions(13 * hour);
    expect((await post(path, viewer)).status).toBe(401);
    await ageSessions(90 * 24 * hour - 10 * hour);
    expect((await post(path, screen)).status).toBe(401);
    expect(lab.log).toEqual([]);
  });
});

it('a stop is recorded with the user, and stays in effect over a restart', async () => {
  await startLab({ EVENT_SERVER_URL: 'http://127.0.0.1:9/' });
  await post(path, await signIn('ann'));
  await expect.poll(async () => (await readStop(ownPage)).stop?.nodes[0]?.result).toBe('confirmed');
  const { stop } = await readStop(ownPage);
  const folder = service.statePath('commands', port);
  const texts = async () => {
    // The temporary file of a write is renamed at its end.
    const names = (await readdir(folder)).filter((name) => !name.endsWith('.new'));
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  };
  await expect.poll(async () => (await texts()).join('')).toContain('"command":"safety_stop_result"');
  expect((await texts()).join('')).toContain('"user":"ann"');
  await service.manager.restart();
  expect((await readStop(ownPage)).stop).toMatchObject({ id: stop?.id, user: 'ann', nodes: [{ result: 'confirmed' }] });
});

it('a stop is not limited by other requests of the same address or user', async () => {
  const limits = { LAB_RATE_LIMIT_SHORT_REQUESTS: 'None', LAB_RATE_LIMIT_REQUESTS: '3' };
  await startLab({ LAB_REMOTE_STOP: 'everyone', ...limits });
  const [viewer, operator] = [await signIn('vic'), await signIn('ann')];
  const read = (headers: Headers) => sendRequest(port, '/managers/workcell/state', { headers });
  for (const page of [ownPage, viewer]) await expect.poll(async () => (await read(page)).status).toBe(429);
  expect((await read(operator)).status).toBe(200);
  await expect.poll(async () => (await sendRequest(port, path, { headers: ownPage })).status).toBe(429);
  for (const page of [ownPage, viewer, operator]) expect((await post(path, page)).status).toBe(200);
});
