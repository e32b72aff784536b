/** Tests users, sessions, proxies and tokens of a running service over real sockets, and attacks on the sign-in. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useManualClock, type ManualClock } from '../../api/fixtures/manualClock.ts';
import { csrfHeader, sessionResponse, type SessionResponse } from '../../api/lab/access.ts';
import { requestBytes, sendRequest, type RawResponse, type RawRequestOptions } from '../../e2e/support/rawRequest.ts';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { findOutsideAddress, makeService, type TestService } from '../../e2e/support/service.ts';
import { ageStoredSessions, testToken, testUser, writeAccounts } from '../fixtures/testUsers.ts';
import type { Accounts } from './users.ts';

type Headers = Readonly<Record<string, string>>;

const labs: Lab[] = [];
let time: ManualClock;
beforeEach(() => {
  time = useManualClock(Date.now());
});
afterEach(async () => {
  await Promise.all(labs.splice(0).map(({ service }) => service.stop()));
});

const ann = testUser('ann', 'operator', 'a long password');
const bob = testUser('bob', 'administrator', 'another password');
const robot = testToken('robot', 'operator', 'lmt_of-the-robot');
const tokenHeaders = (token: string): Headers => ({ authorization: `Bearer ${token}` });

/** A proxy on this machine that terminates TLS. */
const proxy = { LAB_TRUSTED_PROXY: '["127.0.0.1"]' };
const proxyHeaders = { 'x-forwarded-for': '10.0.0.9', 'x-forwarded-proto': 'https', host: 'lab.example' };

class Lab {
  readonly service: TestService;

  constructor(service: TestService) {
    this.service = service;
  }

  request(options: RawRequestOptions = {}, path = '/session'): Promise<RawResponse> {
    return sendRequest(this.port, path, options);
  }

  async describe(headers: Headers = {}): Promise<SessionResponse> {
    return sessionResponse.parse(JSON.parse((await this.request({ headers })).body));
  }

  get port(): number {
    return this.service.port;
  }

  /** Changes the users file of the running service, and waits until the service has loaded it. */
  async setAccounts({ users = [], tokens = [] }: Partial<Accounts>): Promise<void> {
    const mark = `lmt_${randomUUID()}`;
    await writeAccounts(this.service.statePath('users.json'), {
      users,
      tokens: [...tokens, testToken('mark', 'viewer', mark)],
    });
    await time.waitFor(async () => expect((await this.describe(tokenHeaders(mark))).user?.name).toBe('mark'));
  }

  signIn(name: string, password: string, headers: Headers = {}, extraFields: object = {}): Promise<RawResponse> {
    const body = JSON.stringify({ name, password, ...extraFields });
    return this.request({ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  }

  signOut(headers: Headers, query = ''): Promise<RawResponse> {
    return this.request({ method: 'DELETE', headers }, `/session${query}`);
  }
}

async function startLab(env: Readonly<Record<string, string>> = {}, accounts: Partial<Accounts> = {}): Promise<Lab> {
  const port = await pickFreePort();
  const service = await makeService({ env: { LAB_REMOTE_ACCESS: 'operate', LAB_LISTEN_PORT: String(port), ...env } });
  await writeAccounts(service.statePath('users.json', port), accounts);
  await service.manager.start();
  const lab = new Lab(service);
  labs.push(lab);
  return lab;
}

/** The cookie that a browser sends back after this response. */
function readCookie({ headers }: RawResponse): string {
  return (headers['set-cookie'] ?? '').split(';', 1)[0] ?? '';
}

/** Adds the CSRF token that a page of this session sends with each change. */
async function withCsrfToken(lab: Lab, headers: Headers): Promise<Headers> {
  return { ...headers, [csrfHeader]: (await lab.describe(headers)).csrf_token ?? '' };
}

describe('/session', () => {
  it('responds 404 while remote access is off, as if it did not exist', async () => {
    const lab = await startLab({ LAB_REMOTE_ACCESS: 'off' });
    for (const method of ['GET', 'POST', 'DELETE']) expect((await lab.request({ method })).status).toBe(404);
  });

  it('has request limits of its own, so that a sign-in is possible when other requests exceed theirs', async () => {
    const limits = { LAB_RATE_LIMIT_REQUESTS: '5', LAB_RATE_LIMIT_EXEMPT_IPS: '[]' };
    const lab = await startLab(limits, { users: [ann], tokens: [robot] });
    const statuses = async (headers: Headers, path: string): Promise<number[]> => {
      const all: number[] = [];
      for (let count = 0; count < 6; count += 1) all.push((await lab.request({ headers }, path)).status);
      return all;
    };
    const limited = [200, 200, 200, 200, 200, 429];
    expect(await statuses({}, '/lab_health')).toEqual(limited);
    expect(await statuses(tokenHeaders('lmt_of-the-robot'), '/lab_health')).toEqual(limited);
    expect((await lab.signIn('ann', 'a long password')).status).toBe(200);
    expect(await statuses(tokenHeaders('lmt_of-the-robot'), '/session')).toEqual(limited);
  });

  it('returns the caller, and 405 for other methods', async () => {
    const lab = await startLab({ LAB_REMOTE_ACCESS: 'view' });
    expect(await lab.describe()).toEqual({
      remote_access: 'view',
      user: { name: 'this machine', role: 'administrator', via: 'loopback', screen: false },
      problem: null,
      csrf_token: null,
      no_sign_in:
        'The lab manager has no users: add one in the Settings window of its app, or with lab-manager --user add NAME --role operator',
    });
    const { status, headers } = await lab.request({ method: 'PUT' });
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, POST, DELETE']);
  });

  it('gives pages of other origins no access, and neither does the relay, unlike /context', async () => {
    const lab = await startLab();
    const origin = { origin: 'http://evil.example' };
    const preflight = { method: 'OPTIONS', headers: { ...origin, 'access-control-request-method': 'POST' } };
    for (const path of ['/session', '/managers/data/datapoints'])
      for (const options of [{ headers: origin }, preflight])
        expect((await lab.request(options, path)).headers['access-control-allow-origin']).toBeUndefined();
    expect((await lab.request({ headers: origin }, '/context')).headers['access-control-allow-origin']).toBe('*');
  });
});

describe('a sign-in', () => {
  it('sets a cookie that no script and no other site can use, and that survives a restart', async () => {
    const lab = await startLab({}, { users: [ann] });
    const signedIn = await lab.signIn('Ann', 'a long password');
    expect(signedIn.status).toBe(200);
    expect(signedIn.headers['set-cookie']).toMatch(/; Max-Age=648000; Path=\/; HttpOnly; SameSite=Strict$/);
    const cookie = { cookie: readCookie(signedIn) };
    const user = { name: 'ann', role: 'operator', via: 'session', screen: false };
    expect(JSON.parse(signedIn.body)).toMatchObject({ user, csrf_token: expect.any(String) });
    expect((await lab.describe(cookie)).user).toEqual(user);
    await lab.service.manager.restart();
    expect((await lab.describe(cookie)).user).toEqual(user);
  });

  it('sets a cookie with the prefix __Host- when TLS ends at a trusted proxy', async () => {
    const lab = await startLab(proxy, { users: [ann] });
    const signedIn = await lab.signIn('ann', 'a long password', proxyHeaders);
    expect(signedIn.headers['set-cookie']).toMatch(
      /^__Host-lab-manager-\d+=\S+; Max-Age=648000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect((await lab.describe({ ...proxyHeaders, cookie: readCookie(signedIn) })).user?.name).toBe('ann');
    // Without TLS, a page of the network could have set the cookie.
    const unprefixed = readCookie(signedIn).replace('__Host-', '');
    expect((await lab.describe({ ...proxyHeaders, cookie: unprefixed })).user).toBeNull();
  });

  it('on a wall screen gives the role viewer for as long as browsers store cookies', async () => {
    const lab = await startLab({}, { users: [bob] });
    const signedIn = await lab.signIn('bob', 'another password', {}, { screen: true });
    expect(JSON.parse(signedIn.body)).toMatchObject({ user: { name: 'bob', role: 'viewer', screen: true } });
    expect(signedIn.headers['set-cookie']).toContain('Max-Age=34560000');
  });

  it('on a wall screen has its cookie renewed once after a month', async () => {
    const lab = await startLab({}, { users: [bob] });
    const headers = { cookie: readCookie(await lab.signIn('bob', 'another password', {}, { screen: true })) };
    expect((await lab.request({ headers })).headers['set-cookie']).toBeUndefined();
    const path = lab.service.statePath('sessions.json');
    await lab.service.manager.stop();
    await ageStoredSessions(path, 31 * 86_400_000);
    await lab.service.manager.start();
    const renewed = await lab.request({ headers });
    expect(renewed.headers['set-cookie']).toMatch(/; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(readCookie(renewed)).toBe(headers.cookie);
    expect((await lab.request({ headers })).headers['set-cookie']).toBeUndefined();
  });

  it('on a wall screen permits the end of its own session, but not of all sessions of its user', async () => {
    const lab = await startLab(proxy, { users: [bob] });
    const headers = { cookie: readCookie(await lab.signIn('bob', 'another password')) };
    const screen = { cookie: readCookie(await lab.signIn('bob', 'another password', {}, { screen: true })) };
    const refused = await lab.signOut(await withCsrfToken(lab, screen), '?everywhere=true');
    expect([refused.status, refused.body]).toEqual([403, '{"detail":"A wall screen can end only its own session"}']);
    expect((await lab.describe(screen)).user?.screen).toBe(true);
    expect((await lab.signOut(await withCsrfToken(lab, screen))).status).toBe(200);
    expect([(await lab.describe(screen)).user, (await lab.describe(headers)).user?.name]).toEqual([null, 'bob']);
  });

  it.each([
    ['a wrong password', 'ann', 'a long password!'],
    ['an unknown user', 'eve', 'a long password'],
    ['the name of a token', 'robot', 'lmt_of-the-robot'],
  ])('with %s gets the same 401 response', async (_name, name, password) => {
    const lab = await startLab({}, { users: [ann], tokens: [robot] });
    const { status, body, headers } = await lab.signIn(name, password);
    expect([status, body, headers['set-cookie']]).toEqual([
      401,
      '{"detail":"The name or the password is wrong"}',
      undefined,
    ]);
  });

  it.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'name=ann', 415],
    ['text', { 'content-type': 'text/plain' }, '{"name": "ann", "password": "a long password"}', 415],
    ['an unknown key', {}, '{"name": "ann", "password": "a long password", "role": "administrator"}', 422],
    ['a name that is not a text', {}, '{"name": ["ann"], "password": "a long password"}', 422],
    ['a very long password', {}, JSON.stringify({ name: 'ann', password: 'x'.repeat(2000) }), 422],
    ['a large body', {}, JSON.stringify({ name: 'ann', password: 'x'.repeat(9000) }), 413],
    ['invalid JSON', {}, '{"name"', 400],
  ])('with %s is refused', async (_name, headers, body, status) => {
    const lab = await startLab({}, { users: [ann] });
    const response = await lab.request({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    expect(response.status).toBe(status);
  });
});

describe('a running session', () => {
  it('follows a changed role, and ends permanently when the password changes', async () => {
    const lab = await startLab(proxy, { users: [ann] });
    const cookie = { cookie: readCookie(await lab.signIn('ann', 'a long password')) };
    await lab.setAccounts({ users: [{ ...ann, role: 'viewer' }] });
    expect((await lab.describe(cookie)).user?.role).toBe('viewer');
    await lab.setAccounts({ users: [testUser('ann', 'operator', 'a new password')] });
    expect(await lab.describe(cookie)).toMatchObject({ user: null, problem: 'The session has ended: sign in again' });
    await lab.setAccounts({ users: [] });
    expect((await lab.describe(cookie)).user).toBeNull();
    // The earlier sessions do not belong to a new user with the same name.
    await lab.setAccounts({ users: [testUser('ann', 'administrator', 'another password')] });
    expect((await lab.describe(cookie)).user).toBeNull();
  });

  it('ends when its user signs out, in this browser or in all', async () => {
    const lab = await startLab(proxy, { users: [ann, bob] });
    const sessions = await Promise.all([1, 2, 3].map(() => lab.signIn('ann', 'a long password')));
    const bobsCookie = { cookie: readCookie(await lab.signIn('bob', 'another password')) };
    const [first = {}, second = {}, third = {}] = sessions.map((response) => ({
      cookie: readCookie(response),
    }));
    const signedOut = await lab.signOut(await withCsrfToken(lab, first));
    expect([signedOut.status, signedOut.headers['set-cookie']]).toEqual([200, expect.stringContaining('Max-Age=0')]);
    const names = async () =>
      (await Promise.all([first, second, third, bobsCookie].map((session) => lab.describe(session)))).map(
        ({ user }) => user?.name,
      );
    expect(await names()).toEqual([undefined, 'ann', 'ann', 'bob']);
    expect((await lab.signOut(await withCsrfToken(lab, second), '?everywhere=true')).status).toBe(200);
    expect(await names()).toEqual([undefined, undefined, undefined, 'bob']);
  });
});

describe('API tokens', () => {
  it('identify programs until they are revoked', async () => {
    const lab = await startLab({}, { tokens: [robot] });
    const headers = tokenHeaders('lmt_of-the-robot');
    expect((await lab.describe(headers)).user).toEqual({
      name: 'robot',
      role: 'operator',
      via: 'token',
      screen: false,
    });
    await lab.setAccounts({ tokens: [] });
    expect(await lab.describe(headers)).toMatchObject({
      user: null,
      problem: 'The API token is unknown, or it was revoked',
    });
  });

  it.each([
    ['no token', 'Bearer'],
    ['the hash of one', `Bearer ${robot.hash}`],
    ['one with another word', 'Bearer lmt_of-the-robot x'],
    ['5,000 characters', `Bearer ${'x'.repeat(5000)}`],
  ])('are refused in an invalid form, even from this machine: %s', async (_name, authorization) => {
    const lab = await startLab({}, { tokens: [robot] });
    expect(await lab.describe({ authorization })).toMatchObject({ user: null, problem: expect.any(String) });
  });
});

describe('credentials of another scheme, such as those of a proxy with its own password', () => {
  const basic = { authorization: 'Basic YW5uOmEgbG9uZyBwYXNzd29yZA==' };

  it('change neither the session nor the user of a trusted proxy', async () => {
    const lab = await startLab({ ...proxy, LAB_PROXY_ROLES: '["*=viewer"]' }, { users: [ann] });
    const headers = { ...proxyHeaders, ...basic };
    const cookie = readCookie(await lab.signIn('ann', 'a long password', headers));
    expect((await lab.describe({ ...headers, cookie })).user).toMatchObject({ name: 'ann', via: 'session' });
    expect((await lab.describe({ ...headers, 'remote-user': 'carla' })).user).toMatchObject({ via: 'proxy' });
    expect(await lab.describe(headers)).toMatchObject({ user: null, problem: null });
  });

  it('identify no caller, not even on this machine', async () => {
    const lab = await startLab();
    expect((await lab.describe(basic)).user).toBeNull();
  });
});

describe('a trusted proxy that signs users in', () => {
  const signedIn = { ...proxyHeaders, 'remote-user': 'carla', 'remote-groups': 'staff,lab-staff' };
  const roles = { LAB_PROXY_ROLES: '["lab-staff=operator", "*=viewer"]' };

  it('identifies them by its headers, with the role of their groups', async () => {
    const lab = await startLab({ ...proxy, ...roles });
    expect((await lab.describe(signedIn)).user).toEqual({
      name: 'carla',
      role: 'operator',
      via: 'proxy',
      screen: false,
    });
    const { 'remote-groups': _groups, ...withoutGroups } = signedIn;
    expect((await lab.describe(withoutGroups)).user?.role).toBe('viewer');
    expect((await lab.describe(proxyHeaders)).user).toBeNull();
  });

  it('outranks an older session of the browser, which a sign-out ends', async () => {
    const lab = await startLab({ ...proxy, ...roles }, { users: [bob] });
    const cookie = readCookie(await lab.signIn('bob', 'another password', proxyHeaders));
    expect((await lab.describe({ ...signedIn, cookie })).user).toMatchObject({ name: 'carla', role: 'operator' });
    expect((await lab.signOut({ ...signedIn, cookie })).status).toBe(200);
    expect((await lab.describe({ ...proxyHeaders, cookie })).user).toBeNull();
  });

  it.each([
    ['another machine is the trusted proxy', { LAB_TRUSTED_PROXY: '["10.0.0.2"]', ...roles }],
    ['there is no trusted proxy', roles],
    ['the proxy is trusted, but not to sign users in', proxy],
  ])('is not impersonated when %s', async (_name, env) => {
    const lab = await startLab(env);
    expect((await lab.describe(signedIn)).user).toBeNull();
  });
});

describe('loopback', () => {
  it.each<readonly [string, Record<string, string>, Headers, boolean]>([
    ['is administrator', {}, {}, true],
    ['is administrator under the name localhost', {}, { host: 'localhost:8000' }, true],
    ['has no role with a trusted proxy', proxy, {}, false],
    ['has no role with a trusted proxy on another machine', { LAB_TRUSTED_PROXY: '["10.0.0.2"]' }, {}, false],
    ['has no role behind an unnamed proxy', {}, { 'x-forwarded-for': '10.0.0.9' }, false],
    ['has no role behind a proxy that sends Forwarded', {}, { forwarded: 'for=10.0.0.9' }, false],
    [
      'has no role under the name of the lab, which a proxy without forwarding headers can pass on',
      {},
      { host: 'lab.example' },
      false,
    ],
    ['has no role under a name that was rebound', {}, { host: 'evil.example:8000' }, false],
  ])('%s', async (_name, env, headers, isAdministrator) => {
    const lab = await startLab(env);
    const expected = { name: 'this machine', role: 'administrator', via: 'loopback', screen: false };
    expect((await lab.describe(headers)).user).toEqual(isAdministrator ? expected : null);
  });

  it('has no role over HTTP/1.0, which nginx uses as a proxy by default', async () => {
    const lab = await startLab();
    const response = await requestBytes(lab.port, `GET /session HTTP/1.0\r\nHost: 127.0.0.1:${lab.port}\r\n\r\n`);
    expect(JSON.parse(response.body)).toMatchObject({
      user: null,
      no_sign_in: expect.stringContaining('plain HTTP'),
    });
  });

  it('is still administrator when there are users', async () => {
    const lab = await startLab({}, { users: [ann] });
    expect((await lab.describe()).user).toMatchObject({ role: 'administrator', via: 'loopback' });
  });
});

describe('plain HTTP', () => {
  it.each([
    ['a name of the network', {}, { host: 'lab.example' }],
    ['an unnamed proxy', {}, { 'x-forwarded-for': '10.0.0.9' }],
    ['a trusted proxy without TLS', proxy, { ...proxyHeaders, 'x-forwarded-proto': 'http' }],
  ])('through %s accepts no cookie of this machine', async (_name, env, headers) => {
    const lab = await startLab(env, { users: [ann] });
    const cookie = readCookie(await lab.signIn('ann', 'a long password'));
    expect((await lab.describe({ cookie })).user?.name).toBe('ann');
    expect(await lab.describe({ ...headers, cookie })).toMatchObject({
      user: null,
      problem: expect.stringContaining('Sessions are not accepted over plain HTTP'),
    });
  });

  it('creates no cookie that is accepted over TLS, even with the prefix __Host-', async () => {
    const lab = await startLab(proxy, { users: [ann] });
    const cookie = `__Host-${readCookie(await lab.signIn('ann', 'a long password'))}`;
    expect((await lab.describe({ ...proxyHeaders, cookie })).user).toBeNull();
  });

  it.each([
    ['an unnamed proxy', {}, { 'x-forwarded-for': '10.0.0.9', 'x-forwarded-proto': 'https' }],
    ['a trusted proxy without TLS', proxy, { ...proxyHeaders, 'x-forwarded-proto': 'http' }],
  ])('through %s accepts neither passwords nor tokens', async (_name, env, headers) => {
    const lab = await startLab(env, { users: [ann], tokens: [robot] });
    const response = await lab.signIn('ann', 'a long password', headers);
    expect([response.status, response.body]).toEqual([
      403,
      expect.stringContaining('Passwords are not accepted over plain HTTP'),
    ]);
    const described = await lab.describe({ ...headers, ...tokenHeaders('lmt_of-the-robot') });
    expect(described).toMatchObject({ user: null, problem: expect.stringContaining('not accepted over plain HTTP') });
    expect(described.no_sign_in).toContain('plain HTTP');
  });

  it.skipIf(findOutsideAddress() === null)(
    'at a network address identifies no caller and offers no sign-in',
    async () => {
      const lab = await startLab({}, { users: [ann] });
      const host = findOutsideAddress() ?? '';
      const response = await lab.request({ host });
      expect(JSON.parse(response.body)).toMatchObject({
        user: null,
        no_sign_in: expect.stringContaining('plain HTTP'),
      });
    },
  );
});

describe('attacks on the sign-in', () => {
  it.each<readonly [string, Headers, number]>([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another host of the same site', { 'sec-fetch-site': 'same-site' }, 403],
    ['a page of another origin in an old browser', { origin: 'http://evil.example' }, 403],
    ['a page of another port', { origin: 'http://127.0.0.1:9' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
    ['its own page without the CSRF token', { 'sec-fetch-site': 'same-origin', [csrfHeader]: '' }, 403],
    ['its own page with a wrong CSRF token', { 'sec-fetch-site': 'same-origin', [csrfHeader]: 'x' }, 403],
  ])('CSRF: %s does not change who is signed in', async (_name, headers, status) => {
    const lab = await startLab({}, { users: [ann, bob] });
    const cookie = { cookie: readCookie(await lab.signIn('ann', 'a long password')) };
    const page = await withCsrfToken(lab, cookie);
    expect((await lab.signOut({ ...page, ...headers })).status).toBe(status);
    const isOtherSite = headers['sec-fetch-site'] !== 'same-origin';
    if (isOtherSite) expect((await lab.signIn('bob', 'another password', { ...page, ...headers })).status).toBe(403);
    expect((await lab.describe(cookie)).user?.name).toBe('ann');
    expect((await lab.signOut({ ...page, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('fixation: a sign-in ends the session that the browser had, and starts one with a new ID', async () => {
    const lab = await startLab(proxy, { users: [ann, bob] });
    const attackersCookie = { cookie: readCookie(await lab.signIn('bob', 'another password')) };
    const signedIn = await lab.signIn('ann', 'a long password', { cookie: attackersCookie.cookie });
    expect(readCookie(signedIn)).not.toBe(attackersCookie.cookie);
    expect((await lab.describe(attackersCookie)).user).toBeNull();
    expect((await lab.describe({ cookie: readCookie(signedIn) })).user?.name).toBe('ann');
  });

  it('brute force: after five wrong passwords, the right one is refused, but not that of another user', async () => {
    const lab = await startLab({}, { users: [ann, bob] });
    const wrong = [];
    for (let i = 0; i < 5; i += 1) wrong.push((await lab.signIn('ann', `wrong password ${i}`)).status);
    expect(wrong).toEqual([401, 401, 401, 401, 401]);
    const { status, headers, body } = await lab.signIn('ann', 'a long password');
    expect([status, headers['retry-after'], body]).toEqual([
      429,
      '1',
      '{"detail":"Too many sign-ins failed: try again in 1 s"}',
    ]);
    expect((await lab.signIn('bob', 'another password')).status).toBe(200);
  });

  it('flood: some of many simultaneous sign-ins get 503, and the service still responds', async () => {
    const lab = await startLab(proxy, { users: [ann] });
    const headersOf = (index: number) => ({ ...proxyHeaders, 'x-forwarded-for': `10.0.${index}.1` });
    const attempts = Array.from({ length: 40 }, (_, index) =>
      lab.signIn(`user${index}`, 'a long password', headersOf(index)),
    );
    expect((await lab.request({}, '/health')).status).toBe(200);
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
  });

  it('log injection: a name with a line break is logged in one line', async () => {
    const lab = await startLab({}, { users: [ann] });
    await lab.signIn('eve\n2026-01-15 info “ann” signed in\u001b[31m', 'a long password');
    const lines = lab.service.log.filter((line) => line.includes('eve'));
    expect(lines).toEqual(['warn Sign-in of “eve 2026-01-15 info “ann” signed in” from 127.0.0.1 failed']);
  });

  it('log flood: refused sign-ins write a limited number of lines', async () => {
    const lab = await startLab({}, { users: [ann] });
    for (let i = 0; i < 30; i += 1) await lab.signIn('ann', 'wrong password');
    const lines = lab.service.log.filter((line) => line.includes('refused: too many failures'));
    expect(lines).toHaveLength(10);
  });

  it.each([
    ['no text', ''],
    ['one letter', 'x'],
    ['7,000 letters', 'a'.repeat(7000)],
    ['the length of a valid one', `${'A'.repeat(43)}.${'A'.repeat(43)}`],
    ['an encoded null character', '%00'],
    ['a property of every object', '__proto__'],
  ])('a forged cookie is ignored: %s', async (_name, value) => {
    const lab = await startLab(proxy, { users: [ann] });
    const cookie = `lab-manager-${lab.port}=${value}; __proto__=x`;
    expect((await lab.describe({ cookie })).user).toBeNull();
  });
});
