import { describe, expect, it } from 'vitest';
import type { SettingsProblem } from '../server/settings/types.ts';
import type { ServiceStatus } from '../server/status.ts';
import { defaultOrigin, labStatus, runningStatus } from './sampleStates.ts';
import { shownProblem, temporaryBecause, windowTarget, type WindowInput } from './windowTarget.ts';

function target(changes: Partial<WindowInput>): string {
  const input: WindowInput = {
    service: runningStatus(),
    lab: labStatus('healthy'),
    gaveUp: null,
    restarting: false,
    firstScreenPassed: false,
    logLines: [],
    logFile: '/logs/lab-manager.log',
    settingsFile: '/config/lab.settings.yaml',
    ...changes,
  };
  const result = windowTarget(input);
  if (result.kind === 'page') return result.page.page;
  return result.kind === 'dashboard' ? result.url : result.kind;
}

const attached = (hasDashboard: boolean): ServiceStatus => ({
  phase: 'attached',
  url: 'http://127.0.0.1:8000/',
  version: '0.1.0',
  labName: null,
  hasDashboard,
});
const fresh = runningStatus({ configured: false });
const nobody = { ...labStatus('down'), healthy_managers: 0 };

describe('what the window shows', () => {
  const cases: readonly (readonly [string, Partial<WindowInput>, string])[] = [
    ['the service starts', { service: { phase: 'starting' } }, 'starting'],
    ['the service is back in a moment', { service: { phase: 'starting' }, restarting: true }, 'keep'],
    ['it runs', {}, 'http://127.0.0.1:8000/'],
    ['it runs with managers down', { lab: labStatus('down') }, 'http://127.0.0.1:8000/'],
    ['nothing set, nobody asked yet', { service: fresh, lab: null }, 'starting'],
    ['nothing set, nobody answers', { service: fresh, lab: nobody }, 'first-screen'],
    ['nothing set, somebody answers', { service: fresh, lab: labStatus('degraded') }, 'http://127.0.0.1:8000/'],
    ['the first screen was passed', { service: fresh, lab: nobody, firstScreenPassed: true }, 'http://127.0.0.1:8000/'],
    [
      'another lab manager’s addresses',
      { service: { ...fresh, follows: 'http://x/' }, lab: nobody },
      'http://127.0.0.1:8000/',
    ],
    ['no dashboard', { service: runningStatus({ dashboard: 'none' }) }, 'lab'],
    ['attached', { service: attached(true) }, 'http://127.0.0.1:8000/'],
    ['attached to one without a dashboard', { service: attached(false) }, 'lab'],
    ['settings with errors', { service: { phase: 'settings-error', problems: [], warnings: [] } }, 'settings-error'],
    ['failed', { service: { phase: 'failed', reason: 'no' } }, 'failed'],
    ['it died too often', { gaveUp: { title: 'It keeps stopping', reason: 'no' } }, 'failed'],
  ];
  it.each(cases)('%s', (_name, changes, shown) => {
    expect(target(changes)).toBe(shown);
  });
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
    [problem, '/lab/settings.yaml, line 12, column 3', true],
    [{ ...problem, line: null, column: null }, '/lab/settings.yaml', true],
    [
      { ...problem, source: 'environment', path: null, key: 'EVENT_SERVER_URL' },
      'environment variable EVENT_SERVER_URL',
      false,
    ],
    [{ ...problem, source: 'command line', path: null }, 'command line', false],
  ] as const)('%#', (found, where, hasFile) => {
    expect(shownProblem(found)).toMatchObject({ where, hasFile });
  });
});
