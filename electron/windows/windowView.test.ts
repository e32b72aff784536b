import { describe, expect, it } from 'vitest';
import type { SettingsProblem } from '../../server/settings/schema/types.ts';
import type { LostConnection } from '../../server/attached/labManagerReader.ts';
import type { ServiceStatus } from '../../server/status.ts';
import { defaultOrigin, labStatus, now, runningStatus, usualWindow } from '../fixtures/states.ts';
import { toPageProblem, temporaryReason, createWindowView, type WindowInput } from './windowView.ts';

function target(changes: Partial<WindowInput>): string {
  const result = createWindowView({ ...usualWindow, ...changes });
  if (result.kind === 'page') return result.page.page;
  return result.kind === 'dashboard' ? result.url : result.kind;
}

const attached = (hasDashboard: boolean, lost: LostConnection | null = null): ServiceStatus => ({
  phase: 'attached',
  url: 'http://127.0.0.1:8000/',
  version: '0.1.0',
  labName: null,
  otherOwner: null,
  hasDashboard,
  lost,
});
const exitAfter = (crashes: number): WindowInput['lastCrash'] => ({
  exitCode: 11,
  reason: 'It crashed (SIGSEGV)',
  crashes,
  isCrashingRepeatedly: crashes > 3,
  nextRetryAt: now + 60_000,
});
const lostSince = (ms: number): LostConnection => ({ since: now - ms, reason: 'connection refused' });
const fresh = runningStatus({ configured: false });
const noneHealthy = { ...labStatus('down'), healthy_managers: 0 };

describe('the page of the window', () => {
  const cases: readonly (readonly [string, Partial<WindowInput>, string])[] = [
    ['a starting service', { status: { phase: 'starting' } }, 'starting'],
    [
      'a service that restarts shortly',
      { status: { phase: 'starting' }, lastCrash: exitAfter(1), showsDashboard: true },
      'keep',
    ],
    ['a crash before there was a dashboard', { status: { phase: 'starting' }, lastCrash: exitAfter(1) }, 'starting'],
    ['a restart by the user', { status: { phase: 'starting' }, showsDashboard: true }, 'starting'],
    ['a running service', {}, 'http://127.0.0.1:8000/'],
    ['a running service with failed managers', { lab: labStatus('down') }, 'http://127.0.0.1:8000/'],
    ['no settings, before the first check', { status: fresh, lab: null }, 'starting'],
    ['no settings and no manager that responds', { status: fresh, lab: noneHealthy }, 'first-screen'],
    [
      'no settings and a manager that responds',
      { status: fresh, lab: labStatus('degraded') },
      'http://127.0.0.1:8000/',
    ],
    ['a passed first screen', { status: fresh, lab: noneHealthy, firstScreenPassed: true }, 'http://127.0.0.1:8000/'],
    [
      'another lab manager’s addresses',
      { status: { ...fresh, followedUrl: 'http://x/' }, lab: noneHealthy },
      'http://127.0.0.1:8000/',
    ],
    ['a disabled dashboard', { status: runningStatus({ dashboard: 'none' }) }, 'lab'],
    ['an attached service', { status: attached(true) }, 'http://127.0.0.1:8000/'],
    ['an attached service without a dashboard', { status: attached(false) }, 'lab'],
    ['invalid settings', { status: { phase: 'settings-error', problems: [], warnings: [] } }, 'settings-error'],
    ['a failed service', { status: { phase: 'failed', reason: 'no' } }, 'failed'],
    [
      'a service that keeps crashing',
      { status: { phase: 'starting' }, lastCrash: exitAfter(4), showsDashboard: true },
      'failed',
    ],
    [
      'an attached service that is briefly silent',
      { status: attached(true, lostSince(14_999)), showsDashboard: true },
      'keep',
    ],
    [
      'an unreachable attached service',
      { status: attached(true, lostSince(15_000)), showsDashboard: true },
      'service-lost',
    ],
    ['an unreachable attached service without its page', { status: attached(true, lostSince(1)) }, 'service-lost'],
    [
      'a lost followed lab manager',
      { status: runningStatus({ followedUrl: 'http://x/', followLost: lostSince(60_000) }) },
      'http://127.0.0.1:8000/',
    ],
  ];
  it.each(cases)('is $2 for %s', (_name, changes, shown) => {
    expect(target(changes)).toBe(shown);
  });
});

it('the page of a failed service shows since when it has failed', () => {
  const shown = [
    { status: { phase: 'failed', reason: 'no' } as const },
    { status: { phase: 'starting' } as const, lastCrash: exitAfter(4) },
  ].map((changes) => createWindowView({ ...usualWindow, ...changes, failedSince: now - 5000 }));
  for (const failed of shown) expect(failed).toMatchObject({ page: { page: 'failed', since: now - 5000 } });
});

describe('the reason why a port can’t be stored in the user’s file', () => {
  it.each([
    ['environment', 'LAB_SERVER_URL', null, 'the environment variable LAB_SERVER_URL sets the port'],
    ['command line', '--lab-server-url', null, 'the command line (--lab-server-url) sets the port'],
    ['json', 'server_url', 'settings.json', 'settings.json sets the port, and ranks before lab.settings.yaml'],
    ['dotenv', 'LAB_SERVER_URL', '.env', '.env sets the port, and ranks before lab.settings.yaml'],
    ['yaml', 'server_url', 'settings.yaml', null],
    ['default', null, null, null],
  ] as const)('is correct for a port from the source %s', (source, name, file, reason) => {
    expect(temporaryReason({ ...defaultOrigin, source, name, file })).toBe(reason);
  });
});

describe('the description of a settings problem', () => {
  const problem: SettingsProblem = {
    severity: 'error',
    source: 'yaml',
    path: '/lab/settings.yaml',
    line: 12,
    column: 3,
    key: 'event_server_url',
    value: 'ftp://x',
    message: 'has the scheme ftp',
    expected: 'http or https',
  };
  it.each([
    [problem, '/lab/settings.yaml', 'line 12, column 3', true],
    [{ ...problem, line: null, column: null }, '/lab/settings.yaml', null, true],
    [{ ...problem, source: 'environment', path: null, key: 'EVENT_SERVER_URL' }, 'Environment variables', null, false],
    [{ ...problem, source: 'command line', path: null }, 'Command line', null, false],
  ] as const)('contains its source, place and file (case %#)', (settingsProblem, source, place, hasFile) => {
    expect(toPageProblem(settingsProblem)).toMatchObject({ source, place, hasFile });
  });
});
