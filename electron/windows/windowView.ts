/** Decides the content of the window for a state of the service. */
import { originText } from '../../api/lab/settings.ts';
import type { LabStatus } from '../../api/lab/lab.ts';
import type { OtherOwner } from '../../server/attached/ownSettings.ts';
import type { ServiceStatus } from '../../server/status.ts';
import type { Origin, SettingsProblem } from '../../server/settings/schema/types.ts';
import type { PageOf, ShellPage } from '../ipc/contract.ts';
import type { ServiceCrash } from '../service/serviceProcess.ts';

export type WindowView =
  | { readonly kind: 'dashboard'; readonly url: string }
  | { readonly kind: 'page'; readonly page: ShellPage }
  /** The service returns in a moment; the dashboard itself marks its data as stale. */
  | { readonly kind: 'keep' };

export interface WindowInput {
  readonly status: ServiceStatus;
  readonly lab: LabStatus | null;
  /** The last crash of the service, while it is restarted. */
  readonly lastCrash: ServiceCrash | null;
  /** When the service failed, in ms since the epoch; `null` while it runs. */
  readonly failedSince: number | null;
  /** Whether the window shows the dashboard, which stays while the service is expected back soon. */
  readonly showsDashboard: boolean;
  /** True for the simulated lab. */
  readonly demo: boolean;
  /** The folder chosen as the start of the search for settings, if any. */
  readonly labFolder: string | null;
  /** The address of the followed lab manager; `null` for this machine's lab. */
  readonly followedUrl: string | null;
  /** The lab manager of another owner that the app left, so that the user chooses; `null` otherwise. */
  readonly otherOwner: OtherOwner | null;
  /** ms since the epoch */
  readonly now: number;
  /** True when the first screen is no longer needed: it was passed, or the dashboard was shown. */
  readonly firstScreenPassed: boolean;
  readonly logLines: readonly string[];
  readonly logFile: string;
}

/**
 * The time for which the dashboard stays after the loss of an attached service, in milliseconds: a system service is
 * restarted within it.
 */
const graceMs = 15_000;

export function createWindowView(input: WindowInput): WindowView {
  const { status: service, lastCrash } = input;
  if (lastCrash?.isCrashingRepeatedly) {
    const reason = `It has stopped ${lastCrash.crashes} times in a row. ${lastCrash.reason}`;
    return failureView(input, 'The lab manager service keeps stopping', reason, lastCrash.nextRetryAt);
  }
  switch (service.phase) {
    case 'stopped':
    case 'starting':
      if (lastCrash && input.showsDashboard) return { kind: 'keep' };
      return starting(input.demo ? 'Starting the demo lab' : 'Starting the lab manager service');
    case 'settings-error': {
      const problems = service.problems.map(toPageProblem);
      return { kind: 'page', page: { page: 'settings-error', problems, labFolder: input.labFolder } };
    }
    case 'port-taken':
      return { kind: 'page', page: portInUse(service, input.otherOwner) };
    case 'failed':
      return failureView(input, failedTitle(input), service.reason, null);
    case 'attached':
      if (service.lost) {
        const { since, reason } = service.lost;
        if (input.showsDashboard && input.now - since < graceMs) return { kind: 'keep' };
        return { kind: 'page', page: { page: 'service-lost', url: service.url, since, reason } };
      }
      if (service.hasDashboard) return { kind: 'dashboard', url: service.url };
      return labPage(input.lab, service.url, 'The lab manager that runs on this machine serves no dashboard.');
    case 'running':
      return running(service, input);
  }
}

function running(service: Extract<ServiceStatus, { phase: 'running' }>, input: WindowInput): WindowView {
  const { lab } = input;
  if (service.dashboard === 'none') {
    return labPage(
      lab,
      service.serverUrl,
      `The dashboard is switched off by ${describeSwitch(service.dashboardOrigin)}.`,
    );
  }
  const needsFirstScreen = !service.configured && service.followedUrl === null && !input.firstScreenPassed;
  if (!needsFirstScreen) return { kind: 'dashboard', url: service.loopbackUrl };
  if (lab === null || lab.state === 'starting') return starting('Looking for the managers of your lab');
  if (lab.healthy_managers > 0) return { kind: 'dashboard', url: service.loopbackUrl };
  const managers = lab.managers.map(({ manager, name, url, state, reason }) => ({ manager, name, url, state, reason }));
  return { kind: 'page', page: { page: 'first-screen', managers, settingsFile: service.settingsTarget } };
}

function starting(message: string): WindowView {
  return { kind: 'page', page: { page: 'starting', message } };
}

function failedTitle({ demo, followedUrl }: WindowInput): string {
  if (demo) return 'The demo lab isn’t running';
  return followedUrl === null ? 'The lab manager service isn’t running' : 'The other lab manager can’t be used';
}

function failureView(input: WindowInput, title: string, reason: string, nextRetryAt: number | null): WindowView {
  const { failedSince, logLines, logFile, followedUrl, demo } = input;
  return {
    kind: 'page',
    page: {
      page: 'failed',
      title,
      reason,
      since: failedSince,
      nextRetryAt,
      followedUrl,
      demo,
      logLines: [...logLines],
      logFile,
    },
  };
}

function labPage(lab: LabStatus | null, url: string, because: string): WindowView {
  return { kind: 'page', page: { page: 'lab', lab, url, because } };
}

function portInUse(
  service: Extract<ServiceStatus, { phase: 'port-taken' }>,
  otherOwner: OtherOwner | null,
): PageOf<'port-taken'> {
  return {
    page: 'port-taken',
    otherOwner,
    listenHost: service.listenHost,
    interfaces: [...service.interfaces],
    port: service.port,
    portOwner: service.portOwner,
    freePort: service.freePort,
    temporaryPortReason: temporaryReason(service.portOrigin),
    settingsFile: service.settingsTarget,
  };
}

/** Returns the reason why another port can't be saved in the user's settings file; `null` when it can. */
export function temporaryReason(origin: Origin): string | null {
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
    case 'registry':
      return null;
  }
}

/** The displayed names of setting sources that aren't files. */
const sourceNames: Readonly<Record<string, string>> = {
  environment: 'Environment variables',
  'command line': 'Command line',
};

/** Converts a problem to the format of the page. */
export function toPageProblem(problem: SettingsProblem): PageOf<'settings-error'>['problems'][number] {
  const { severity, key, value, message, expected, path } = problem;
  return { severity, ...formatPosition(problem), key, value, message, expected, hasFile: path !== null };
}

function formatPosition({ path, line, column, source }: SettingsProblem): { source: string; place: string | null } {
  if (path === null) {
    return { source: sourceNames[source] ?? source, place: null };
  }
  const parts = [line === null ? null : `line ${line}`, column === null ? null : `column ${column}`];
  const place = parts.filter((part) => part !== null).join(', ');
  return { source: path, place: place === '' ? null : place };
}

function describeSwitch(origin: Origin | null): string {
  return origin?.path == null ? originText(origin ?? undefined) : `${origin.name} in ${originText(origin)}`;
}
