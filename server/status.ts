/** The status of the service for its owner: the command line or, in messages between processes, the desktop shell. */
import type { OtherOwner } from './attached/ownSettings.ts';
import type { LostConnection } from './attached/labManagerReader.ts';
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
      /** The origin of the port setting, which decides whether another port can be saved. */
      readonly portOrigin: Origin;
      /** The setting of the port, without its prefix. */
      readonly portSetting: 'server_url' | 'listen_port';
      readonly serverUrl: string;
      /** The interface to listen on; `null` for all. */
      readonly listenHost: string | null;
      /** The addresses of this machine's network interfaces, without loopback. */
      readonly interfaces: readonly string[];
      readonly freePort: number;
      /** Full path of the file in which settings are saved. */
      readonly settingsTarget: string;
    }
  | { readonly phase: 'failed'; readonly reason: string }
  | AttachedStatus
  | RunningStatus;

/** Another copy of this service on this machine uses the port; the app shows the state of that copy. */
interface AttachedStatus {
  readonly phase: 'attached';
  readonly url: string;
  /** Set while the other service does not respond; `null` while it responds. */
  readonly lost: LostConnection | null;
  readonly version: string;
  readonly labName: string | null;
  readonly hasDashboard: boolean;
  /** `null` if it is this app's own lab, or unknown. */
  readonly otherOwner: OtherOwner | null;
}

export interface RunningStatus {
  readonly phase: 'running';
  readonly port: number;
  /** The addresses of the listening sockets, such as `[::]:8000`. */
  readonly listening: readonly string[];
  /** The service's address for this machine's own browser. */
  readonly loopbackUrl: string;
  /** The address for other machines: `LAB_SERVER_URL`. */
  readonly serverUrl: string;
  readonly labName: string | null;
  /** The source of the app's updates; `null` for none. */
  readonly updateFeed: string | null;
  /** The public key for the feed's list, as in `updateList.ts`; `null` if no signature is required. */
  readonly updatePublicKey: string | null;
  /** The followed lab manager whose addresses are served; `null` for our own lab. */
  readonly followedUrl: string | null;
  /**
   * Set while that lab manager does not respond, so that its last known addresses are served. `null` while it responds.
   */
  readonly followLost: LostConnection | null;
  /** Whether the lab is simulated. */
  readonly demo: boolean;
  /** Whether a lab is configured: in a file, a variable or on the command line. */
  readonly configured: boolean;
  readonly dashboard: DashboardFiles['kind'];
  /** The origin of the dashboard setting, for the page that reports it as disabled. */
  readonly dashboardOrigin: Origin | null;
  /** Full path of the file in which settings are saved. */
  readonly settingsTarget: string;
  /** Set if the addresses may belong to two labs. */
  readonly mixedSettings: SettingsProblem | null;
  readonly warnings: readonly SettingsProblem[];
  /** Errors of a later change; the previous settings remain in effect. */
  readonly problems: readonly SettingsProblem[];
  /** Changed settings that take effect only after a restart of the service. */
  readonly restartNeeded: readonly string[];
}

/** Exit codes of the headless service and of the command line. */
export const exitCodes = {
  /** Stopped as requested. */
  ok: 0,
  /** Another failure, which the log describes. */
  failure: 1,
  /** A setting, a settings file or the command line is invalid. */
  settings: 2,
  /** The port is taken. */
  port: 3,
  /** `--quit` found no running app. */
  notRunning: 4,
} as const;
