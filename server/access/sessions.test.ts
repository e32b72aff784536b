import { chmod, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import { testUser } from '../fixtures/testUsers.ts';
import { silentLog, type Log } from '../logging/log.ts';
import { waitForStateFiles } from '../storage/stateFile.ts';
import { maxSessions, maxSessionsOfUser, roleIn, Sessions, type Session, type SessionKind } from './sessions.ts';

const ann = testUser('ann', 'operator', 'a long password');
const person: SessionKind = { screen: false, secure: false };
const hour = 3_600_000;

class Clock {
  ms = Date.parse('2026-01-15T12:00:00Z');
  readonly now = () => this.ms;
}

function findSession(sessions: Sessions, cookie: string): Session {
  const session = sessions.find(cookie, false);
  if (session === null) throw new Error('There is no such session');
  return session;
}

describe('Sessions', () => {
  it('finds a session by its cookie and not by a changed one', () => {
    const sessions = new Sessions(silentLog);
    const { cookie, maxAge } = sessions.start(ann, person);
    const [id = '', signature = ''] = cookie.split('.');
    expect(maxAge).toBe((7 * 24 + 12) * 3600);
    expect(findSession(sessions, cookie)).toMatchObject({ user: 'ann', screen: false });
    const otherSignature = sessions.start(ann, person).cookie.split('.')[1] ?? '';
    const bad = [
      '',
      id,
      `${id}.`,
      `.${signature}`,
      `${id}.${otherSignature}`,
      `${'A'.repeat(43)}.${signature}`,
      `${cookie}.x`,
      `${cookie}A`,
    ];
    expect(bad.map((text) => sessions.find(text, false))).toEqual(bad.map(() => null));
  });

  it('does not accept the cookie of another lab manager', () => {
    expect(new Sessions(silentLog).find(new Sessions(silentLog).start(ann, person).cookie, false)).toBeNull();
  });

  it.each([false, true])('finds a session only over the kind of connection that started it (TLS: %s)', (secure) => {
    const sessions = new Sessions(silentLog);
    const { cookie } = sessions.start(ann, { screen: false, secure });
    expect(sessions.find(cookie, !secure)).toBeNull();
    expect(sessions.find(cookie, secure)).toMatchObject({ user: 'ann', secure });
  });

  it('ends an unused session, and one in use after 7 days', () => {
    const clock = new Clock();
    const sessions = new Sessions(silentLog, clock.now);
    const [used, unused] = [sessions.start(ann, person).cookie, sessions.start(ann, person).cookie];
    for (let hours = 0; hours < 7 * 24; hours += 6) {
      findSession(sessions, used);
      clock.ms += 6 * hour;
    }
    expect(sessions.find(unused, false)).toBeNull();
    expect(sessions.find(used, false)).toEqual(expect.any(Object));
    clock.ms += 1;
    expect(sessions.find(used, false)).toBeNull();
  });

  it('a session ends when it is unused for more than 12 h', () => {
    const clock = new Clock();
    const sessions = new Sessions(silentLog, clock.now);
    const [used, unused] = [sessions.start(ann, person).cookie, sessions.start(ann, person).cookie];
    clock.ms += 12 * hour;
    expect(sessions.find(used, false)).toEqual(expect.any(Object));
    clock.ms += 1;
    expect(sessions.find(unused, false)).toBeNull();
    expect(sessions.find(used, false)).toEqual(expect.any(Object));
  });

  it('finds an expired session for another 12 h without counting this as use', () => {
    const clock = new Clock();
    const sessions = new Sessions(silentLog, clock.now);
    const { cookie } = sessions.start(ann, person);
    expect(sessions.findExpired(cookie, false)).toBeNull();
    clock.ms += 12 * hour + 1;
    sessions.start(testUser('bob', 'viewer', 'another password'), person);
    expect(sessions.findExpired(cookie, true)).toBeNull();
    expect(sessions.findExpired(cookie, false)).toMatchObject({ user: 'ann', role: 'operator' });
    clock.ms += 12 * hour - 1;
    expect(sessions.findExpired(cookie, false)).toMatchObject({ user: 'ann' });
    clock.ms += 1;
    expect(sessions.findExpired(cookie, false)).toBeNull();
  });

  it('keeps the session of a wall screen for years of use, with the role viewer', () => {
    const clock = new Clock();
    const sessions = new Sessions(silentLog, clock.now);
    const { cookie } = sessions.start(ann, { ...person, screen: true });
    for (let days = 0; days < 800; days += 80) {
      clock.ms += 80 * 24 * hour;
      expect(roleIn(findSession(sessions, cookie), ann)).toBe('viewer');
    }
    clock.ms += 91 * 24 * hour;
    expect(sessions.find(cookie, false)).toBeNull();
  });

  it('renews the cookie of a wall screen at most every 30 days until its session ends, and no other cookie', () => {
    const clock = new Clock();
    const sessions = new Sessions(silentLog, clock.now);
    const { cookie, maxAge } = sessions.start(ann, { ...person, screen: true });
    expect(maxAge).toBe(400 * 24 * 3600);
    const renewals: (number | null)[] = [];
    for (let days = 0; days < 10 * 365 - 20; days += 20) {
      clock.ms += 20 * 24 * hour;
      renewals.push(sessions.renewCookie(findSession(sessions, cookie)));
    }
    expect(renewals.slice(0, 4)).toEqual([null, maxAge, null, maxAge]);
    // The session itself ends after ten years.
    expect(renewals.findLast((seconds) => seconds !== null)).toBe(10.5 * 24 * 3600);
    const other = sessions.start(ann, person).cookie;
    for (let days = 0; days < 6; days += 0.25) {
      clock.ms += 6 * hour;
      expect(sessions.renewCookie(findSession(sessions, other))).toBeNull();
    }
  });

  it('assigns each session to the account that started it', () => {
    const sessions = new Sessions(silentLog);
    const session = findSession(sessions, sessions.start(ann, person).cookie);
    expect(sessions.belongsTo(session, { ...ann, role: 'viewer' })).toBe(true);
    expect(sessions.belongsTo(session, testUser('ann', 'operator', 'a new password'))).toBe(false);
    expect(sessions.belongsTo(session, { ...ann, name: 'bob' })).toBe(false);
  });

  it('gives each session its own CSRF token', () => {
    const sessions = new Sessions(silentLog);
    const [first, second] = [1, 2].map(() => findSession(sessions, sessions.start(ann, person).cookie));
    if (!first || !second) throw new Error('Both have started');
    expect(sessions.isCsrfToken(first, sessions.csrfToken(first))).toBe(true);
    for (const token of ['', sessions.csrfToken(second), first.id])
      expect(sessions.isCsrfToken(first, token)).toBe(false);
  });

  it('ends one session, or all sessions of a user', () => {
    const sessions = new Sessions(silentLog);
    const bob = testUser('bob', 'viewer', 'another password');
    const [first, second, third, bobsCookie] = [ann, ann, ann, bob].map((user) => sessions.start(user, person).cookie);
    sessions.end(findSession(sessions, first ?? ''));
    expect([first, second].map((cookie) => sessions.find(cookie ?? '', false) !== null)).toEqual([false, true]);
    sessions.endSessions('Ann');
    const areValid = [second, third, bobsCookie].map((cookie) => sessions.find(cookie ?? '', false) !== null);
    expect(areValid).toEqual([false, false, true]);
  });

  it('ends the least recently used session beyond 1000, and one user does not displace the others', () => {
    const sessions = new Sessions(silentLog);
    const first = sessions.start(testUser('user0', 'viewer', 'a long password'), person).cookie;
    const second = sessions.start(testUser('user1', 'viewer', 'a long password'), person).cookie;
    findSession(sessions, first);
    const others = Array.from({ length: 20 }, (_, index) => testUser(`other${index}`, 'viewer', 'a long password'));
    for (let i = 0; i < maxSessions - 1; i += 1) sessions.start(others[i % others.length] ?? ann, person);
    expect(sessions.count).toBe(maxSessions);
    expect([sessions.find(first, false) !== null, sessions.find(second, false)]).toEqual([true, null]);
    for (let i = 0; i < 2 * maxSessionsOfUser; i += 1) sessions.start(ann, person);
    expect(sessions.count).toBeLessThanOrEqual(maxSessions);
    expect(sessions.find(first, false)).toEqual(expect.any(Object));
  });
});

describe('the file of sessions', () => {
  it('keeps the sessions across a restart, is private, and contains no session ID', async () => {
    await using folder = await makeTempFolder();
    const path = join(folder.path, 'state', 'sessions.json');
    const sessions = new Sessions(silentLog);
    await sessions.load(path);
    const { cookie } = sessions.start(ann, person);
    await waitForStateFiles();
    const restarted = new Sessions(silentLog);
    await restarted.load(path);
    expect(restarted.find(cookie, false)).toMatchObject({ user: 'ann' });
    expect(await readFile(path, 'utf8')).not.toContain(cookie.split('.')[0]);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is replaced with a warning when it is damaged', async () => {
    await using folder = await makeTempFolder({ 'sessions.json': '{"version":1,"key":"short","sessions":[]}' });
    const path = join(folder.path, 'sessions.json');
    const warnings: string[] = [];
    const log: Log = { ...silentLog, warn: (text) => void warnings.push(text) };
    const sessions = new Sessions(log);
    await sessions.load(path);
    expect(warnings).toEqual([`The sessions of signed-in users can't be read from ${path}: it is damaged`]);
    const { cookie } = sessions.start(ann, person);
    await waitForStateFiles();
    const restarted = new Sessions(silentLog);
    await restarted.load(path);
    expect(restarted.find(cookie, false)).toEqual(expect.any(Object));
  });

  it.skipIf(process.platform === 'win32').each<readonly [string, (path: string) => Promise<unknown>, string]>([
    ['is writable by others', (path) => chmod(path, 0o622), 'other accounts may write to it'],
    ['is a link', (path) => rename(path, `${path}.other`).then(() => symlink(`${path}.other`, path)), 'it is a link'],
  ])('ends all sessions when it %s, and is replaced by the next sign-in', async (_name, change, reason) => {
    await using folder = await makeTempFolder();
    const path = join(folder.path, 'sessions.json');
    const sessions = new Sessions(silentLog);
    await sessions.load(path);
    const { cookie } = sessions.start(ann, person);
    await waitForStateFiles();
    await change(path);
    const warnings: string[] = [];
    const restarted = new Sessions({ ...silentLog, warn: (text) => void warnings.push(text) });
    await restarted.load(path);
    expect(restarted.find(cookie, false)).toBeNull();
    expect(warnings).toEqual([expect.stringContaining(reason)]);
    const next = restarted.start(ann, person);
    await waitForStateFiles();
    const again = new Sessions(silentLog);
    await again.load(path);
    expect(again.find(next.cookie, false)).toMatchObject({ user: 'ann' });
  });

  it('is written with new times of use at most once a minute', async () => {
    await using folder = await makeTempFolder();
    const path = join(folder.path, 'sessions.json');
    const clock = new Clock();
    const sessions = new Sessions(silentLog, clock.now);
    await sessions.load(path);
    const { cookie } = sessions.start(ann, person);
    await waitForStateFiles();
    await writeFile(path, 'unchanged');
    clock.ms += 59_000;
    sessions.find(cookie, false);
    await waitForStateFiles();
    expect(await readFile(path, 'utf8')).toBe('unchanged');
    clock.ms += 1000;
    sessions.find(cookie, false);
    await waitForStateFiles();
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ sessions: [{ used: clock.ms }] });
  });
});

describe('the address of a sign-in', () => {
  it('is known for 30 days, also after a restart, and only by its hash', async () => {
    const folder = await makeTempFolder();
    const path = join(folder.path, 'sessions.json');
    const clock = new Clock();
    const first = new Sessions(silentLog, clock.now);
    await first.load(path);
    first.rememberPlace('ann', '2001:db8::1');
    first.start(ann, person);
    await first.stop();
    expect(await readFile(path, 'utf8')).not.toContain('2001:db8');

    const second = new Sessions(silentLog, clock.now);
    await second.load(path);
    expect(second.isKnownPlace('ANN', '2001:db8::2')).toBe(true);
    expect(second.isKnownPlace('ann', '2001:db9::1')).toBe(false);
    expect(second.isKnownPlace('bob', '2001:db8::1')).toBe(false);
    clock.ms += 30 * 24 * hour;
    expect(second.isKnownPlace('ann', '2001:db8::1')).toBe(false);
    await folder.remove();
  });
});
