/** What the service says of itself to whoever owns it: the command line, or the desktop shell over its port. */
import type { Lost } from './attached/labManagerReader.ts';
import type { PortOwner } from './net/portOwner.ts';
import type { Origin, SettingsProblem, DashboardFiles } from './settings/schema/types.ts';

export type ServiceStatus =
  | { readonly phase: 'stopped' }
  | { readonly phase: 'starting' }
  | {
      readonly phase: 'settings-error';
      readonly problems: readonly SettingsProblem[];
      readonly warnings: readonly SettingsProblem[];
    }
  | {
      readonly phase: 'port-taken';
      readonly port: number;
      readonly portOwner: PortOwner;
      /** Where the port was set: decides whether another one can be kept. */
      readonly portOrigin: Origin;
      /** The setting that names it, without its prefix. */
      readonly portSetting: 'server_url' | 'listen_port';
      readonly serverUrl: string;
      /** A port that nobody has. */
      readonly freePort: number;
      /** Whole path of the file that settings are saved to. */
      readonly settingsTarget: string;
    }
  | { readonly phase: 'failed'; readonly reason: string }
  | AttachedStatus
  | RunningStatus;

/** Another copy of this service on this machine has the port; its state is shown instead of ours. */
interface AttachedStatus {
  readonly phase: 'attached';
  readonly url: string;
  /** It does not answer now; it is asked until it does. `null` while it answers. */
  readonly lost: Lost | null;
  readonly version: string;
  readonly labName: string | null;
  readonly hasDashboard: boolean;
}

export interface RunningStatus {
  readonly phase: 'running';
  readonly port: number;
  /** Sockets, as `[::]:8000`. */
  readonly listening: readonly string[];
  /** Where this machine's own browser finds the service. */
  readonly loopbackUrl: string;
  /** What other machines are told: `LAB_SERVER_URL`. */
  readonly serverUrl: string;
  readonly labName: string | null;
  /** Where the app looks for newer versions of itself; `null` for nowhere. */
  readonly updateFeed: string | null;
  /** What the feed's list must be signed with, as `signedList.ts` has it; `null` where a signature isn't asked for. */
  readonly updatePublicKey: string | null;
  /** The lab manager whose addresses are served, when it isn't ours. */
  readonly follows: string | null;
  /** That lab manager does not answer now, so its addresses are its last known ones. `null` while it answers. */
  readonly followLost: Lost | null;
  /** The lab is a simulated one. */
  readonly demo: boolean;
  /** Somebody set something: in a file, a variable or on the command line. */
  readonly configured: boolean;
  readonly dashboard: DashboardFiles['kind'];
  /** Where the dashboard setting comes from, for the page that says it is off. */
  readonly dashboardOrigin: Origin | null;
  /** Whole path of the file that settings are saved to. */
  readonly settingsTarget: string;
  /** The addresses may be those of two labs. */
  readonly mixedSettings: SettingsProblem | null;
  readonly warnings: readonly SettingsProblem[];
  /** Errors of a later change; the settings that ran before it still run. */
  readonly problems: readonly SettingsProblem[];
  /** Settings that changed and only count after a restart of the service. */
  readonly restartNeeded: readonly string[];
}

/** Exit codes of the headless service. */
export const exitCodes = {
  /** Stopped as asked. */
  ok: 0,
  /** Something else failed; the log says what. */
  failure: 1,
  /** A setting, a settings file or the command line is wrong. */
  settings: 2,
  /** The port is taken. */
  port: 3,
} as const;
