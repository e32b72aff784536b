import { describe, expect, it } from 'vitest';
import { createContextRecord } from '#api/managers.ts';
import type { Delivery } from '#api/lab/lab.ts';
import type { Crash } from '../../storage/crashFile.ts';
import type { CheckResult, DesktopDelivery } from '#api/diagnostics.ts';
import type { Exchange } from '../../net/exchange.ts';
import { addressesFinding, hostsToResolve, namesFinding, slowLookupMs } from './addresses.ts';
import { responsesFinding, clocksFinding, readVersion, versionsFinding } from './responses.ts';
import { corsFinding, corsAccess, type CorsAccess } from './cors.ts';
import { crashesFinding } from './crashes.ts';
import { sandboxFinding, trayHostFinding, runtimeTableDate, runtimeFinding } from './runtime.ts';
import { diskSpaceFinding, spaceLimits, logSizeFinding, maxLogBytes } from './disk.ts';
import { identityFinding, otherLabManagerFinding, candidateAddresses } from './labManager.ts';
import { notificationsFinding } from './notifications.ts';
import { pastFinding } from './pastHours.ts';
import { permissionsFinding, settingsFinding } from './settings.ts';
import { reachabilityFinding } from './reachability.ts';
import { twoServersFinding } from './twoServers.ts';

const response = (
  headers: Readonly<Record<string, string>>,
  overrides: Partial<Extract<Exchange, { ok: true }>> = {},
) =>
  ({
    ok: true,
    status: 200,
    headers,
    body: Buffer.from('{}'),
    sentAt: 0,
    receivedAt: 0,
    ...overrides,
  }) satisfies Exchange;
const shownDesktop: DesktopDelivery = {
  enabled: true,
  supported: true,
  mutedUntil: null,
  shownAt: null,
  failure: null,
};
const unresponsive: Exchange = { ok: false, reason: 'no answer within 4 s' };

describe('the check of the identity', () => {
  const report = { name: 'Bench 4', settled: true, problem: null, holder: null, since: '2026-01-15T12:00:00.000Z' };
  const holder = { host: 'bench-pc', pid: 4242, since: '2026-01-15T11:00:00.000Z' };
  it.each<[string, Parameters<typeof identityFinding>[0], CheckResult, RegExp]>([
    ['no lab manager', null, 'unknown', /No lab manager runs/],
    ['an ID from the settings', {}, 'ok', /settings decide the ID/],
    ['a settled ID', { identity: report }, 'ok', /"Bench 4" is settled/],
    [
      'an ID in use by another process',
      { identity: { ...report, settled: false, problem: 'in use by another process', holder } },
      'warning',
      /not settled since 15 Jan \d\d:00: .*, since 15 Jan \d\d:00\. Stop the other lab manager/,
    ],
    [
      'a damaged registry',
      { identity: { ...report, settled: false, problem: 'it is not JSON' } },
      'warning',
      /not JSON.*Correct/,
    ],
  ])('has the result $2 with %s', (_name, settings, result, expected) => {
    const finding = identityFinding(settings);
    expect(finding.result).toBe(result);
    expect(`${finding.what} ${finding.whatToDo}`).toMatch(expected);
  });
});

describe('the check of reachability from other machines', () => {
  const reached = (address: string, isReached: boolean) => ({ address, reached: isReached });
  it.each<[string, Partial<Parameters<typeof reachabilityFinding>[0]>, CheckResult, RegExp]>([
    [
      'no lab manager',
      { isReachedOnLoopback: false, networkAddresses: [reached('10.0.0.2', false)] },
      'unknown',
      /Nothing accepts connections/,
    ],
    ['no network', { networkAddresses: [] }, 'unknown', /no network address/],
    ['loopback only', { networkAddresses: [reached('10.0.0.2', false)] }, 'problem', /but not on 10\.0\.0\.2/],
    [
      'loopback only by configuration',
      { networkAddresses: [reached('10.0.0.2', false)], listenHost: '127.0.0.1' },
      'problem',
      /LAB_LISTEN_HOST is 127/,
    ],
    [
      'one of two addresses',
      { networkAddresses: [reached('10.0.0.2', true), reached('10.1.0.2', false)] },
      'warning',
      /10\.1\.0\.2/,
    ],
    [
      'one of two addresses by configuration',
      { networkAddresses: [reached('10.0.0.2', true), reached('10.1.0.2', false)], listenHost: '10.0.0.2' },
      'ok',
      /10\.1\.0\.2/,
    ],
    [
      'access for this machine only',
      { networkAddresses: [reached('10.0.0.2', false)], listensOnLoopbackOnly: true },
      'ok',
      /this machine only/,
    ],
    ['all addresses', { networkAddresses: [reached('10.0.0.2', true)] }, 'ok', /accepts connections on 10\.0\.0\.2/],
  ])('has the result $2 with %s', (_name, overrides, result, expected) => {
    const finding = reachabilityFinding({
      port: 8000,
      listenHost: null,
      listensOnLoopbackOnly: false,
      isReachedOnLoopback: true,
      networkAddresses: [],
      ...overrides,
    });
    expect(finding.result).toBe(result);
    expect(`${finding.what} ${finding.whatToDo}`).toMatch(expected);
  });
});

describe('the check of addresses for other machines', () => {
  const context = (url: string | null) => createContextRecord(() => url);
  it.each<[string | null, string | null, CheckResult]>([
    ['http://lab-pc:8001/', null, 'ok'],
    [null, null, 'ok'],
    ['http://localhost:8001/', null, 'warning'],
    ['http://127.0.0.1:8001/', null, 'warning'],
    ['http://[::1]:8001/', null, 'warning'],
    ['http://localhost:8001/', 'auto', 'ok'],
    ['http://localhost:8001/', 'bench4', 'ok'],
  ])('returns for the address %s and LAB_ADVERTISED_HOST %s the result %s', (url, advertisedHost, result) => {
    expect(addressesFinding({ context: context(url), advertisedHost }).result).toBe(result);
  });
});

describe('the check of names', () => {
  it.each<[string, Parameters<typeof namesFinding>[0], CheckResult]>([
    ['of no name', [], 'ok'],
    ['that are quick', [{ host: 'a', tookMs: 3, isFound: true }], 'ok'],
    ['that are slow', [{ host: 'a', tookMs: slowLookupMs, isFound: true }], 'warning'],
    [
      'that fail',
      [
        { host: 'a', tookMs: 3, isFound: true },
        { host: 'b', tookMs: 2, isFound: false },
      ],
      'problem',
    ],
  ])('has the result $2 for lookups %s', (_name, lookups, result) => expect(namesFinding(lookups).result).toBe(result));

  it('looks up each name once, and neither IP addresses nor localhost', () => {
    const urls = ['http://lab-pc:1/', 'http://lab-pc:2/', 'http://10.0.0.1/', 'http://[fe80::1]/', 'http://localhost/'];
    const managers = urls.map((url) => ({ key: 'event' as const, name: 'Event Manager', url }));
    expect(hostsToResolve(managers)).toEqual(['lab-pc']);
  });
});

describe('the check of responses', () => {
  const body = (value: unknown) => ({ body: Buffer.from(JSON.stringify(value)) });
  it.each<[string, Exchange, CheckResult, RegExp]>([
    ['that is healthy', response({}, body({ healthy: true })), 'ok', /answer within 0 ms/],
    ['that is slow', response({}, { ...body({ healthy: true }), receivedAt: 1200 }), 'warning', /1\.2 s/],
    ['that is unhealthy', response({}, body({ healthy: false, description: 'no database' })), 'problem', /no database/],
    ['that returns an error', response({}, { status: 503 }), 'problem', /HTTP 503/],
    ['that returns another format', response({}, { body: Buffer.from('<html>') }), 'problem', /not a health object/],
    ['that does not respond', unresponsive, 'problem', /no answer within 4 s/],
  ])('has the result $2 for a manager %s', (_name, input, result, expected) => {
    const finding = responsesFinding([{ name: 'Event Manager', url: 'http://x/', response: input }]);
    expect(finding.result).toBe(result);
    expect(finding.what).toMatch(expected);
  });
});

describe('the check of clocks', () => {
  it.each<[number | null, number, CheckResult, RegExp]>([
    [null, 0, 'unknown', /No manager/],
    [0.4, 0.5, 'ok', /agree/],
    [-5.4, 0.5, 'ok', /agree/],
    [-5.6, 0.5, 'warning', /6 s behind/],
    [60.4, 0.5, 'warning', /60 s ahead/],
    [200, 0.5, 'problem', /3 min 20 s ahead/],
    [-90_000, 0.5, 'problem', /25 h behind/],
    // A slow response gives an imprecise result.
    [30, 28, 'ok', /agree/],
  ])('returns for a difference of %s s (± %s) the result %s', (seconds, precision, result, expected) => {
    const offset = seconds === null ? null : { seconds, precision };
    const finding = clocksFinding([{ name: 'Event Manager', offset }]);
    expect(finding.result).toBe(result);
    expect(finding.what).toMatch(expected);
  });
});

describe('the check of versions', () => {
  it.each<[readonly (string | null)[], CheckResult]>([
    [['0.8.1', '0.8.1'], 'ok'],
    [['0.8.1', null], 'ok'],
    [['0.8.1', '0.7.1', '0.8.1'], 'warning'],
    [['0.6.0', '0.6.0'], 'warning'],
    [['0.9.0'], 'warning'],
    [[null, null], 'unknown'],
    [[], 'unknown'],
  ])('returns for %j the result %s', (versions, result) => {
    expect(versionsFinding(versions.map((version) => ({ name: 'x', version }))).result).toBe(result);
  });

  it('reads the version only from a health object', () => {
    expect(readVersion(response({}, { body: Buffer.from('{"healthy":true,"version":"0.8.1"}') }))).toBe('0.8.1');
    for (const body of ['[]', '<html>', '{"version":{}}'])
      expect(readVersion(response({}, { body: Buffer.from(body) }))).toBeNull();
    expect(readVersion(unresponsive)).toBeNull();
  });
});

describe('the check of CORS', () => {
  const origin = 'http://bench4:8000';
  const all = { 'access-control-allow-origin': '*' };
  const json = { ...all, 'access-control-allow-headers': 'Accept, Content-Type' };
  it.each<[string, Exchange, Exchange, CorsAccess]>([
    ['access for all origins', response(all), response(json), 'allowed'],
    [
      'access for this origin',
      response({ 'access-control-allow-origin': origin }),
      response({ ...json, 'access-control-allow-origin': origin }),
      'allowed',
    ],
    ['access with any header', response(all), response({ ...all, 'access-control-allow-headers': '*' }), 'allowed'],
    [
      'access for another origin only',
      response({ 'access-control-allow-origin': 'http://other' }),
      response(json),
      'unreadable',
    ],
    ['missing access', response({}), response(json), 'unreadable'],
    ['missing permission for JSON', response(all), response(all), 'no-commands'],
    ['a refused OPTIONS', response(all), response(json, { status: 405 }), 'no-commands'],
    ['a missing response to OPTIONS', response(all), unresponsive, 'no-commands'],
    ['a missing response', unresponsive, unresponsive, 'silent'],
  ])('detects %s', (_name, get, preflight, access) => expect(corsAccess(get, preflight, origin)).toBe(access));

  it.each<[readonly CorsAccess[], CheckResult]>([
    [['allowed'], 'ok'],
    [['allowed', 'silent'], 'ok'],
    [['silent'], 'unknown'],
    [['allowed', 'unreadable'], 'problem'],
    [['no-commands'], 'problem'],
  ])('returns for %j the result %s', (accesses, result) => {
    expect(
      corsFinding(
        accesses.map((access) => ({ name: 'x', access })),
        origin,
      ).result,
    ).toBe(result);
  });
});

describe('the check of notifications', () => {
  const now = new Date(2026, 0, 15, 14, 30).getTime();
  const at = (hour: number) => new Date(2026, 0, 15, hour).toISOString();
  const hook = (changes: Partial<Delivery> = {}): Delivery => {
    return { channel: 'https://hooks.example.com/…', waiting: 0, delivered: at(13), failure: null, ...changes };
  };
  const failure = { at: at(14), reason: 'HTTP 404' };
  it.each<[string, readonly Delivery[] | null, DesktopDelivery | null, CheckResult, RegExp]>([
    ['no lab manager', null, null, 'unknown', /^No lab manager runs/],
    ['no channel', [], null, 'ok', /^The settings name no webhook\.$/],
    ['a working webhook', [hook()], null, 'ok', /hooks\.example\.com\/…: last delivered 13:00\.$/],
    [
      'a failing webhook',
      [hook(), hook({ failure, waiting: 2 })],
      shownDesktop,
      'problem',
      /…: failed at 14:00: HTTP 404; last delivered 13:00; 2 messages waiting; This desktop: none shown/,
    ],
    [
      'a desktop without support',
      [],
      { ...shownDesktop, supported: false },
      'warning',
      /shows no notifications from apps/,
    ],
    [
      'a desktop that refuses a notification',
      [],
      { ...shownDesktop, failure: { at: now, reason: 'denied' } },
      'warning',
      /denied/,
    ],
    [
      'notifications that are switched off',
      [],
      { ...shownDesktop, enabled: false, supported: false },
      'ok',
      /switched off in this app/,
    ],
    ['muted notifications', [], { ...shownDesktop, mutedUntil: now + 3_600_000 }, 'ok', /muted until 15:30/],
  ])('has the result $3 with %s', (_name, deliveries, desktop, result, text) => {
    const finding = notificationsFinding(deliveries, desktop, now);
    expect([finding.result, finding.what]).toEqual([result, expect.stringMatching(text)]);
  });
});

describe('the check of the last hours', () => {
  const day = (percent: number | null, counted = 86_400) => ({
    percent,
    counted_seconds: counted,
    up_seconds: 0,
    window_seconds: 86_400,
  });
  it.each<[string, Partial<Parameters<typeof pastFinding>[0][number]>, CheckResult]>([
    ['healthy hours', { availability: day(100) }, 'ok'],
    ['a short outage', { availability: day(99.6) }, 'ok'],
    ['a few outages', { availability: day(98) }, 'warning'],
    ['long outages', { availability: day(80) }, 'problem'],
    ['a current outage', { availability: day(100), state: 'unreachable', reason: 'connection refused' }, 'problem'],
    ['slow responses', { availability: day(100), usual_latency_ms: 1400 }, 'warning'],
    ['a minute of records', { availability: day(0, 60) }, 'unknown'],
    ['no records', {}, 'unknown'],
  ])('has the result $2 with %s', (_name, changes, result) => {
    const manager = { name: 'x', usual_latency_ms: 5, state: 'healthy' as const, reason: null, ...changes };
    expect(pastFinding([manager]).result).toBe(result);
  });
});

describe('the checks of this machine', () => {
  const folder = (free: number | null) => ({ use: 'log' as const, path: '/x', free });
  it.each<[number | null, CheckResult]>([
    [spaceLimits.warning, 'ok'],
    [spaceLimits.warning - 1, 'warning'],
    [spaceLimits.problem - 1, 'problem'],
    [null, 'unknown'],
  ])('report %s free bytes as %s', (free, result) => expect(diskSpaceFinding([folder(free)]).result).toBe(result));

  it('report a log that is too large', () => {
    expect(logSizeFinding('/x', 2, maxLogBytes).result).toBe('ok');
    expect(logSizeFinding('/x', 2, maxLogBytes + 1).result).toBe('warning');
  });

  it.each<[{ read: boolean; write: boolean } | null, boolean, CheckResult]>([
    [null, true, 'ok'],
    [{ read: false, write: false }, true, 'ok'],
    [{ read: true, write: false }, false, 'ok'],
    [{ read: true, write: false }, true, 'warning'],
    [{ read: false, write: true }, false, 'problem'],
  ])('report permissions of others %j (secrets: %s) as %s', (others, containsSecrets, result) => {
    expect(permissionsFinding([{ path: '/x', othersAccess: others }], containsSecrets).result).toBe(result);
  });

  it('name the command after which the service of the machine can still read its settings', () => {
    const others = { read: true, write: false };
    const paths = ['/etc/lab-manager/lab.settings.yaml', '/lab/.env'];
    const findCommand = (gid: number | null) =>
      permissionsFinding(
        paths.map((path) => ({ path, othersAccess: others })),
        true,
        gid,
      ).fix?.command;
    expect(findCommand(null)).toBe('chmod o-rwx /etc/lab-manager/lab.settings.yaml /lab/.env');
    const file = '/etc/lab-manager/lab.settings.yaml';
    expect(findCommand(999)).toBe(
      `chmod o-rwx /lab/.env && sudo chown root:lab-manager ${file} && sudo chmod 640 ${file}`,
    );
  });

  const day = (text: string) => Date.parse(text);
  it.each<['Node' | 'Electron', string, string, CheckResult]>([
    ['Node', '20.20.2', '2026-04-30T12:00:00Z', 'ok'],
    ['Node', '20.20.2', '2026-05-01T00:00:00Z', 'warning'],
    ['Node', '16.1.0', '2024-01-01', 'warning'],
    ['Node', '99.0.0', '2026-11-22', 'unknown'],
    ['Electron', '33.2.1', '2026-11-22', 'warning'],
    ['Electron', '45.4.1', '2026-11-22', 'ok'],
    ['Electron', '45.4.1', '2028-01-01', 'unknown'],
    ['Electron', 'nonsense', '2026-11-22', 'unknown'],
  ])('report %s %s on %s as %s', (name, version, on, result) => {
    expect(runtimeFinding(name, version, day(on)).result).toBe(result);
  });

  it('use a runtime table with a valid date', () => expect(day(runtimeTableDate)).toBeGreaterThan(0));

  it('report invalid settings, a disabled sandbox and a desktop without a tray', () => {
    expect(settingsFinding(['lab.yaml:1: x'], [])).toMatchObject({ result: 'problem', what: 'lab.yaml:1: x' });
    expect(settingsFinding([], []).result).toBe('ok');
    const app = { isSandboxed: true, trayHost: true, notifications: shownDesktop, dumps: [] };
    expect([sandboxFinding(app).result, trayHostFinding(app).result]).toEqual(['ok', 'ok']);
    expect(sandboxFinding({ ...app, isSandboxed: false }).result).toBe('warning');
    expect(trayHostFinding({ ...app, trayHost: false, dumps: [] }).result).toBe('warning');
    expect([sandboxFinding(null).result, trayHostFinding(null).result]).toEqual(['unknown', 'unknown']);
  });
});

describe('the check of crashes', () => {
  const day = 86_400_000;
  const now = Date.parse('2026-01-15T12:00:00.000Z');
  const crash = (process: Crash['process'], daysAgo: number): Crash => ({
    at: new Date(now - daysAgo * day).toISOString(),
    process,
    reason: 'crashed (exit code 139)',
    exitCode: 139,
    version: '1.2.3',
  });
  it.each<[string, readonly Crash[], CheckResult, RegExp]>([
    ['no crash', [], 'ok', /No crash in the last 7 days/],
    ['an old crash', [crash('service', 8)], 'ok', /No crash/],
    [
      'several crashes',
      [crash('app', 9), crash('page', 3), crash('service', 2), crash('page', 1)],
      'warning',
      /days: the service \(1\), a page \(2\)\. Last: 2026-01-14 12:00 UTC, version 1\.2\.3, a page: crashed .* Check the log/,
    ],
    [
      'an error that the app survived',
      [crash('page', 2), crash('app-error', 1)],
      'warning',
      /days: a page \(1\)\. Errors in the app that it survived: 1\. Last: 2026-01-14 .*, an error in the app that it survived: crashed/,
    ],
    [
      'crashes of the graphics process only',
      [crash('gpu', 0)],
      'warning',
      /graphics process \(1\).* Update the graphics driver/,
    ],
  ])('has the result $2 with %s', (_name, recordedCrashes, result, expected) => {
    const finding = crashesFinding(recordedCrashes, now);
    expect(finding.result).toBe(result);
    expect(`${finding.what} ${finding.whatToDo}`).toMatch(expected);
  });
});

describe('the check for another lab manager', () => {
  const context = { ...createContextRecord(() => 'http://lab-pc:8001/'), lab_server_url: 'http://lab-pc:8000/' };
  const managers = [
    { key: 'event', name: 'Event Manager', url: 'http://lab-pc:8001/' },
    { key: 'data', name: 'Data Manager', url: 'http://[::1]:8004/' },
    { key: 'workcell', name: 'Workcell Manager', url: 'http://robot-pc:8005/' },
  ] as const;
  const isOwn = (host: string) => ['lab-pc', '127.0.0.1', '[::1]'].includes(host);
  const serverUrl = 'http://lab-pc:8000/';
  it.each([
    ['the managers’ other machines', { port: 8000 }, ['http://robot-pc:8000/']],
    ['this machine once, on another port', { port: 8010 }, ['http://lab-pc:8000/', 'http://robot-pc:8000/']],
    [
      'the address in /context unless it is our own',
      { port: 8000, context: { ...context, lab_server_url: 'https://hall/lab/' } },
      ['https://hall/lab/', 'http://robot-pc:8000/'],
    ],
    [
      'nothing at our own address behind a proxy',
      { port: 8000, serverUrl: 'https://hall/', context: { ...context, lab_server_url: 'https://hall/' } },
      ['http://robot-pc:8000/'],
    ],
  ])('requests %s', (_name, overrides, addresses) => {
    expect(candidateAddresses({ context, managers, serverUrl, ...overrides }, isOwn)).toEqual(addresses);
  });

  it.each<[string, Parameters<typeof otherLabManagerFinding>[2], CheckResult, RegExp]>([
    ['no other lab manager', [], 'ok', /No other lab manager answers\. Checked: http:\/\/robot-pc:8000\/\./],
    [
      'a copy of our own',
      [{ url: 'http://robot-pc:8000/', context }],
      'warning',
      /robot-pc:8000\/ reports the same addresses/,
    ],
    [
      'a lab manager with another address',
      [{ url: 'http://robot-pc:8000/', context: { ...context, data_server_url: null } }],
      'warning',
      /other addresses for: Data Manager/,
    ],
  ])('has the result $2 with %s', (_name, labManagers, result, expected) => {
    const finding = otherLabManagerFinding(context, ['http://robot-pc:8000/'], labManagers);
    expect(finding.result).toBe(result);
    expect(finding.what).toMatch(expected);
  });
});

describe('the check of two servers', () => {
  const lab = { sharedAddress: '10.0.0.10', serverUrl: 'http://lab:8000/', hasDatabase: false };
  const database = { problem: { reason: 'connection refused', since: '2026-01-15T12:00:00.000Z' }, waiting: 12 };
  const standby = { standby: 'this machine does not have the shared address 10.0.0.10' };
  it.each<[string, Parameters<typeof twoServersFinding>, CheckResult, RegExp]>([
    ['a single server', [{ ...lab, sharedAddress: null }, null, null], 'ok', /no second server/],
    ['the active server', [lab, {}, null], 'ok', /is active/],
    [
      'a lost database',
      [{ ...lab, sharedAddress: null, hasDatabase: true }, { database }, null],
      'problem',
      /is active.*refused.*12 records.*Check LAB_DATABASE_URL/,
    ],
    [
      'a database and an address that leads to this machine',
      [{ sharedAddress: null, hasDatabase: true, serverUrl: 'http://localhost:8000/' }, {}, null],
      'warning',
      /is active\. LAB_SERVER_URL is http:\/\/localhost:8000\/, which leads to this machine.*load balancer/,
    ],
    ['the standby', [lab, standby, null], 'ok', /on standby: this machine does not have/],
    ['no service on this machine', [lab, null, null], 'warning', /No lab manager runs.*Start/],
    ['no active server', [lab, standby, 'it is on standby'], 'problem', /on standby.*No active.*Check keepalived/],
  ])('has the result $2 for %s', (_name, args, result, expected) => {
    const finding = twoServersFinding(...args);
    expect(finding.result).toBe(result);
    expect(`${finding.what} ${finding.whatToDo}`).toMatch(expected);
  });
});
