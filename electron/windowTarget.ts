/** What the window shows for a state of the service. Pure. */
import type { LabStatus } from '../api/lab.ts';
import type { ServiceStatus } from '../server/status.ts';
import type { Origin, SettingsProblem } from '../server/settings/types.ts';
import type { PageOf, ShellPage } from './ipc/contract.ts';

export type WindowTarget =
  | { readonly kind: 'dashboard'; readonly url: string }
  | { readonly kind: 'page'; readonly page: ShellPage }
  /** The service is back in a moment; the dashboard says itself that its data is old. */
  | { readonly kind: 'keep' };

export interface WindowInput {
  readonly service: ServiceStatus;
  readonly lab: LabStatus | null;
  /** The service died too often: what to say. */
  readonly gaveUp: { readonly title: string; readonly reason: string } | null;
  /** The dashboard is in the window, and its service is being started again. */
  readonly restarting: boolean;
  /** Nobody needs the first screen any more: it was passed, or the dashboard was shown. */
  readonly firstScreenPassed: boolean;
  readonly logLines: readonly string[];
  readonly logFile: string;
  /** `lab.settings.yaml` in the user configuration folder. */
  readonly settingsFile: string;
}

export function windowTarget(input: WindowInput): WindowTarget {
  const { service } = input;
  if (input.gaveUp) return failed(input, input.gaveUp.title, input.gaveUp.reason);
  switch (service.phase) {
    case 'stopped':
    case 'starting':
      return input.restarting ? { kind: 'keep' } : starting('Starting the lab manager service');
    case 'settings-error':
      return { kind: 'page', page: { page: 'settings-error', problems: service.problems.map(shownProblem) } };
    case 'port-taken':
      return { kind: 'page', page: portTaken(service, input.settingsFile) };
    case 'failed':
      return failed(input, 'The lab manager service does not run', service.reason);
    case 'attached':
      if (service.hasDashboard) return { kind: 'dashboard', url: service.url };
      return labPage(input.lab, service.url, 'The lab manager that runs on this machine serves no dashboard.');
    case 'running':
      return running(service, input);
  }
}

function running(service: Extract<ServiceStatus, { phase: 'running' }>, input: WindowInput): WindowTarget {
  const { lab } = input;
  if (service.dashboard === 'none') {
    return labPage(lab, service.serverUrl, `The dashboard is switched off by ${originText(service.dashboardOrigin)}.`);
  }
  const needsFirstScreen = !service.configured && service.follows === null && !input.firstScreenPassed;
  if (!needsFirstScreen) return { kind: 'dashboard', url: service.loopbackUrl };
  if (lab === null || lab.state === 'starting') return starting('Looking for the managers of your lab');
  if (lab.healthy_managers > 0) return { kind: 'dashboard', url: service.loopbackUrl };
  const managers = lab.managers.map(({ manager, name, url, state, reason }) => ({ manager, name, url, state, reason }));
  return { kind: 'page', page: { page: 'first-screen', managers, settingsFile: input.settingsFile } };
}

function starting(message: string): WindowTarget {
  return { kind: 'page', page: { page: 'starting', message } };
}

function failed(input: WindowInput, title: string, reason: string): WindowTarget {
  const { logLines, logFile } = input;
  return { kind: 'page', page: { page: 'failed', title, reason, logLines: [...logLines], logFile } };
}

function labPage(lab: LabStatus | null, url: string, because: string): WindowTarget {
  return { kind: 'page', page: { page: 'lab', lab, url, because } };
}

function portTaken(
  service: Extract<ServiceStatus, { phase: 'port-taken' }>,
  settingsFile: string,
): PageOf<'port-taken'> {
  return {
    page: 'port-taken',
    port: service.port,
    occupant: service.occupant,
    freePort: service.freePort,
    temporaryBecause: temporaryBecause(service.portOrigin),
    settingsFile,
  };
}

/** Why another port can't be kept in the user's settings file; `null` when it can. */
export function temporaryBecause(origin: Origin): string | null {
  switch (origin.source) {
    case 'environment':
      return `the environment variable ${origin.name ?? ''} sets the port`;
    case 'command line':
    case 'argument':
      return `the command line (${origin.name ?? ''}) sets the port`;
    case 'dotenv':
    case 'json':
    case 'toml':
      return `${origin.file ?? 'another file'} sets the port, and ranks before lab.settings.yaml`;
    case 'yaml':
    case 'default':
    case 'generated':
      return null;
  }
}

/** A problem as the page shows it. */
export function shownProblem(problem: SettingsProblem): PageOf<'settings-error'>['problems'][number] {
  const { severity, key, value, message, expected, path } = problem;
  return { severity, where: whereText(problem), key, value, message, expected, hasFile: path !== null };
}

function whereText({ path, line, column, source, key }: SettingsProblem): string {
  if (path === null) return source === 'environment' ? `environment variable ${key ?? ''}`.trim() : source;
  return [path, line === null ? null : `line ${line}`, column === null ? null : `column ${column}`]
    .filter((part) => part !== null)
    .join(', ');
}

function originText(origin: Origin | null): string {
  if (origin === null) return 'LAB_DASHBOARD_FILES_PATH';
  const name = origin.name ?? 'LAB_DASHBOARD_FILES_PATH';
  if (origin.path === null) return `${name} (${origin.source})`;
  return `${name} in ${origin.path}${origin.line === null ? '' : `, line ${origin.line}`}`;
}
