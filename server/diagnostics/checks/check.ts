/** The types of a check, its context and its result. */
import type { CheckReport, CheckResult, DesktopDelivery, Fix } from '#api/diagnostics.ts';
import type { LabContext, LabHistory } from '#api/lab/lab.ts';
import type { ManagerKey } from '#api/managers.ts';
import type { Exchange } from '../../net/exchange.ts';
import type { Account } from '../../storage/writeAccess.ts';

export const openSettings: Fix = { id: 'open-settings', label: 'Open settings', command: null };

/** The result of a check, without the fields common to all checks; `why` replaces that of the check. */
export type Finding = Omit<CheckReport, 'id' | 'title' | 'guide' | 'why' | 'tookMs'> & { readonly why?: string };

export const nothingToDo = 'Nothing.';

/**
 * Timeout of one exchange with another machine, in ms: shorter than that of the check, so that the check can report the
 * failure.
 */
export const exchangeTimeoutMs = 4000;

export interface Check {
  /** `clocks` */
  readonly id: string;
  readonly title: string;
  /** Its entry in the user guide, as `page.html#anchor`. */
  readonly guide: string;
  /** The reason why the result matters. */
  readonly why: string;
  /** May reject or hang: `runChecks` converts that to a finding. */
  readonly run: (context: CheckContext, signal: AbortSignal) => Finding | Promise<Finding>;
  /** Applies the `fix` that `run` would offer now. @throws Error with a user-facing message */
  readonly fix?: (context: CheckContext) => Promise<void>;
}

export interface ManagerAddress {
  readonly key: ManagerKey;
  /** `Event Manager`. */
  readonly name: string;
  /** Its base address. */
  readonly url: string;
}

/** The program that responds on the lab manager's port of this machine. */
export type PortOccupant =
  | { readonly kind: 'running'; readonly url: string; readonly history: LabHistory }
  /** Another program uses the port. */
  | { readonly kind: 'other'; readonly url: string; readonly program: string }
  /** `follow`: the lab manager on another machine whose lab the app shows. */
  | { readonly kind: 'none'; readonly url: string; readonly follow: string | null };

/** The lab according to the settings. */
export interface LabDetails {
  /** The port of the lab manager. */
  readonly port: number;
  /** The configured network interface; `null` for all. */
  readonly listenHost: string | null;
  /** Whether it is intentionally available on this machine only: the demo lab, or a followed lab. */
  readonly listensOnLoopbackOnly: boolean;
  readonly serverUrl: string;
  /** The address that two servers share; `null` for a single one. */
  readonly sharedAddress: string | null;
  /** Whether two servers share a database. */
  readonly hasDatabase: boolean;
  /** The host that replaces loopback hosts in addresses for other machines; `null` if there is none. */
  readonly advertisedHost: string | null;
  readonly context: LabContext;
  readonly managers: readonly ManagerAddress[];
  readonly service: PortOccupant;
}

/** Facts that only the app provides. */
export interface AppDetails {
  /** Whether the pages run in Chromium's sandbox. */
  readonly isSandboxed: boolean;
  /** Whether the desktop shows tray icons. */
  readonly trayHost: boolean;
  readonly notifications: DesktopDelivery;
  /** Crash dumps, newest first. */
  readonly dumps: readonly CrashDump[];
}

/** A memory dump of a crashed process, which stays on its machine. */
export interface CrashDump {
  readonly name: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly at: string;
}

/** A folder of the app or the service. */
export interface Folder {
  readonly use: 'settings' | 'state' | 'log';
  readonly path: string;
}

export interface CheckContext {
  /** `null` if the settings have errors: then checks that depend on them are unknown. */
  readonly lab: LabDetails | null;
  /** The errors of the settings, one line each. */
  readonly settingsProblems: readonly string[];
  /** The settings files that were read, by their full paths. */
  readonly settingsFiles: readonly string[];
  /** Whether one of these files contains a secret, such as a webhook address. */
  readonly containsSecrets: boolean;
  readonly folders: readonly Folder[];
  /** The folder of the ID registry; `null` if the settings don't use it. */
  readonly registryFolder: string | null;
  /** The account that the service runs as; `null` on systems without account numbers. */
  readonly account: Account | null;
  /** A manager's response to `GET /health` with a page's `Origin`; all checks share one request. */
  readonly health: (manager: ManagerAddress) => Promise<Exchange>;
  readonly app: AppDetails | null;
}

/** Without a suggested action for `ok` and for what cannot be checked here. */
export function finding(result: CheckResult, what: string, whatToDo = nothingToDo, fix?: Fix): Finding {
  return { result, what, whatToDo, fix };
}

/** Runs a check that needs the lab's settings; its result is unknown while these have errors. */
export function ofLab(
  run: (lab: LabDetails, context: CheckContext, signal: AbortSignal) => Finding | Promise<Finding>,
): Check['run'] {
  return (context, signal) =>
    context.lab === null
      ? finding(
          'unknown',
          'Not checked: the settings have errors.',
          'Correct the settings first; --check-settings lists every error.',
        )
      : run(context.lab, context, signal);
}
