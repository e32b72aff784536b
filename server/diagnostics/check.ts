/** What a check is, what it is given, and what it says. */
import type { LabContext, LabHistory } from '../../api/lab/lab.ts';
import type { ManagerKey } from '../../api/managers.ts';
import type { Exchange } from './exchange.ts';

/** `unknown`: it could not be found out, which `what` explains. */
export const checkResults = ['ok', 'warning', 'problem', 'unknown'] as const;
export type CheckResult = (typeof checkResults)[number];

/** What came of a check, in sentences. */
export interface Finding {
  readonly result: CheckResult;
  /** What was found. */
  readonly what: string;
  /** Why it matters. */
  readonly why: string;
  readonly whatToDo: string;
}

export interface CheckReport extends Finding {
  readonly id: string;
  readonly title: string;
  /** How long it took, in ms. */
  readonly tookMs: number;
}

export interface Check {
  /** `clocks`, the name of its entry in the guide. */
  readonly id: string;
  readonly title: string;
  /** May reject or hang: `runChecks` makes a finding of that. */
  readonly run: (context: CheckContext, signal: AbortSignal) => Promise<Finding>;
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
  | { readonly kind: 'none'; readonly url: string };

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
  readonly holdsSecrets: boolean;
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
