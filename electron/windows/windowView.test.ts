import { describe, expect, it } from 'vitest';
import type { SettingsProblem } from '../../server/settings/schema/types.ts';
import type { Lost } from '../../server/attached/labManagerReader.ts';
import type { ServiceStatus } from '../../server/status.ts';
import { defaultOrigin, labStatus, now, runningStatus, usualWindow } from '../fixtures/states.ts';
import { shownProblem, temporaryBecause, windowView, type WindowInput } from './windowView.ts';

function target(changes: Partial<WindowInput>): string {
  const result = windowView({ ...usualWindow, ...changes });
  if (result.kind === 'page') return result.page.page;
  return result.kind === 'dashboard' ? result.url : result.kind;
}

const attached = (hasDashboard: boolean, lost: Lost | null = null): ServiceStatus => ({
  phase: 'attached',
  url: 'http://127.0.0.1:8000/',
  version: '0.1.0',
  labName: null,
  hasDashboard,
  lost,
});
const died = (crashes: number): WindowInput['death'] => ({
  exitCode: 11,
  reason: 'It crashed (SIGSEGV)',
  crashes,
  keepsCrashing: crashes > 3,
  nextTryAt: now + 60_000,
});
const lostFor = (ms: number): Lost => ({ since: now - ms, reason: 'connection refused' });
const fresh = runningStatus({ configured: false });
const nobody = { ...labStatus('down'), healthy_managers: 0 };

describe('what the window shows', () => {
  const cases: readonly (readonly [string, Partial<WindowInput>, string])[] = [
    ['the service starts', { status: { phase: 'starting' } }, 'starting'],
    [
      'the service is back in a moment',
      { status: { phase: 'starting' }, death: died(1), showsDashboard: true },
      'keep',
    ],
    ['it died before there was a dashboard', { status: { phase: 'starting' }, death: died(1) }, 'starting'],
    ['started again by a person', { status: { phase: 'starting' }, showsDashboard: true }, 'starting'],
    ['it runs', {}, 'http://127.0.0.1:8000/'],
    ['it runs with managers down', { lab: labStatus('down') }, 'http://127.0.0.1:8000/'],
    ['nothing set, nobody asked yet', { status: fresh, lab: null }, 'starting'],
    ['nothing set, nobody answers', { status: fresh, lab: nobody }, 'first-screen'],
    ['nothing set, somebody answers', { status: fresh, lab: labStatus('degraded') }, 'http://127.0.0.1:8000/'],
    ['the first screen was passed', { status: fresh, lab: nobody, firstScreenPassed: true }, 'http://127.0.0.1:8000/'],
    [
      'another lab manager’s addresses',
      { status: { ...fresh, follows: 'http://x/' }, lab: nobody },
      'http://127.0.0.1:8000/',
    ],
    ['no dashboard', { status: runningStatus({ dashboard: 'none' }) }, 'lab'],
    ['attached', { status: attached(true) }, 'http://127.0.0.1:8000/'],
    ['attached to one without a dashboard', { status: attached(false) }, 'lab'],
    ['settings with errors', { status: { phase: 'settings-error', problems: [], warnings: [] } }, 'settings-error'],
    ['failed', { status: { phase: 'failed', reason: 'no' } }, 'failed'],
    ['it keeps dying', { status: { phase: 'starting' }, death: died(4), showsDashboard: true }, 'failed'],
    [
      'the attached service is silent for a moment',
      { status: attached(true, lostFor(14_999)), showsDashboard: true },
      'keep',
    ],
    ['the attached service is gone', { status: attached(true, lostFor(15_000)), showsDashboard: true }, 'service-lost'],
    ['the attached service is gone, and so is its page', { status: attached(true, lostFor(1)) }, 'service-lost'],
    [
      'the followed lab manager is lost',
      { status: runningStatus({ follows: 'http://x/', followLost: lostFor(60_000) }) },
      'http://127.0.0.1:8000/',
    ],
  ];
  it.each(cases)('%s', (_name, changes, shown) => {
    expect(target(changes)).toBe(shown);
  });
});

it('a failed service says since when, whether it can’t start or keeps dying', () => {
  const shown = [
    { status: { phase: 'failed', reason: 'no' } as const },
    { status: { phase: 'starting' } as const, death: died(4) },
  ].map((changes) => windowView({ ...usualWindow, ...changes, failedSince: now - 5000 }));
  for (const failed of shown) expect(failed).toMatchObject({ page: { page: 'failed', since: now - 5000 } });
});

describe('a port that can’t be kept in the user’s file', () => {
  it.each([
    ['environment', 'LAB_SERVER_URL', null, 'the environment variable LAB_SERVER_URL sets the port'],
    ['command line', '--lab-server-url', null, 'the command line (--lab-server-url) sets the port'],
    ['json', 'server_url', 'settings.json', 'settings.json sets the port, and ranks before lab.settings.yaml'],
    ['dotenv', 'LAB_SERVER_URL', '.env', '.env sets the port, and ranks before lab.settings.yaml'],
    ['yaml', 'server_url', 'settings.yaml', null],
    ['default', null, null, null],
  ] as const)('%s', (source, name, file, reason) => {
    expect(temporaryBecause({ ...defaultOrigin, source, name, file })).toBe(reason);
  });
});

describe('a problem in words', () => {
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
  ] as const)('%#', (found, source, place, hasFile) => {
    expect(shownProblem(found)).toMatchObject({ source, place, hasFile });
  });
});
