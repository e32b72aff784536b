/** What a check is, what it is given, and what it says. */
import type { CheckReport, DesktopDelivery, Fix, FixId } from '../../../api/diagnostics.ts';
import type { LabContext, LabHistory } from '../../../api/lab/lab.ts';
import type { ManagerKey } from '../../../api/managers.ts';
import type { Exchange } from '../../net/exchange.ts';

/** A fix that the app does by opening something. */
export function opening(id: FixId, label: string): Fix {
  return { id, label, command: null };
}

/** What a check found, without what is known of every check. */
export type Finding = Omit<CheckReport, 'id' | 'title' | 'tookMs'>;

/** Limit on one exchange with another machine, in ms: less than a check's own, so that the check can report what happened. */
export const exchangeMs = 4000;

export interface Check {
  /** `clocks`, the name of its entry in the guide. */
  readonly id: string;
  readonly title: string;
  /** May reject or hang: `runChecks` makes a finding of that. */
  readonly run: (context: CheckContext, signal: AbortSignal) => Promise<Finding>;
  /** Does what its finding's `fix` says, by what it finds itself. @throws Error in words */
  readonly fix?: (context: CheckContext) => Promise<void>;
}

export interface ManagerAddress {
  readonly key: ManagerKey;
  /** `Event Manager`. */
  readonly name: string;
  /** Its base address. */
  readonly url: string;
}

/** Who answers on the lab manager's port of this machine. */
export type ServiceFound =
  | { readonly kind: 'running'; readonly url: string; readonly history: LabHistory }
  /** Somebody else has the port. */
  | { readonly kind: 'other'; readonly url: string; readonly who: string }
  /** `follow`: the lab manager on another machine whose lab the app shows. */
  | { readonly kind: 'none'; readonly url: string; readonly follow: string | null };

/** The lab as the settings have it. */
export interface LabFacts {
  /** The port that the lab manager listens on. */
  readonly port: number;
  /** The interface that the settings ask for; `null` for all. */
  readonly listenHost: string | null;
  /** It is there for this machine alone on purpose: the demo lab, or another machine's lab that is shown here. */
  readonly loopbackOnly: boolean;
  readonly serverUrl: string;
  /** What stands in for loopback hosts in what other machines are told; `null` where nothing does. */
  readonly advertisedHost: string | null;
  readonly context: LabContext;
  readonly managers: readonly ManagerAddress[];
  readonly service: ServiceFound;
}

/** What only the app knows. */
export interface AppFacts {
  /** Whether the pages run in Chromium's sandbox. */
  readonly sandboxed: boolean;
  /** Whether the desktop shows tray icons. */
  readonly trayHost: boolean;
  readonly notifications: DesktopDelivery;
  /** The newest first. */
  readonly dumps: readonly CrashDump[];
}

/** A file with the memory of a process that crashed, which stays on its machine. */
export interface CrashDump {
  readonly name: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly at: string;
}

/** A folder of ours. */
export interface Folder {
  readonly use: 'settings' | 'state' | 'log';
  readonly path: string;
}

export interface CheckContext {
  /** `null` where the settings have errors: what depends on them can't be known. */
  readonly lab: LabFacts | null;
  /** The errors of the settings, each in one line. */
  readonly settingsProblems: readonly string[];
  /** The settings files that were read, by their whole paths. */
  readonly settingsFiles: readonly string[];
  /** One of these files holds what whoever knows it can use, such as the address of a webhook. */
  readonly containsSecrets: boolean;
  readonly folders: readonly Folder[];
  /** The answer of a manager to `GET /health` with a page's `Origin`; asked once for all checks. */
  readonly health: (manager: ManagerAddress) => Promise<Exchange>;
  readonly app: AppFacts | null;
  /** ms since the epoch. */
  readonly now: () => number;
}

/** For checks that need the lab's settings. */
export function withoutLab(why: string): Finding {
  return {
    result: 'unknown',
    what: 'Not looked at: the settings have errors.',
    why,
    whatToDo: 'Mend the settings first; --check-settings lists every error.',
  };
}

export const nothingToDo = 'Nothing.';
