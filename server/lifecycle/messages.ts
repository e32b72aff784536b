/** The messages between the desktop shell and the service process. Each side validates its input. */
import * as z from 'zod';
import { managerKeys } from '../../api/managers.ts';
import { demoAddresses } from './demo.ts';
import { desktopDelivery } from '../../api/diagnostics.ts';
import { maintenanceSubject, recurrence, type LabStatus } from '../../api/lab/lab.ts';
import { accountsRequest } from '../access/accountMessages.ts';
import type { KnownNodes } from '../lab/knownNodes.ts';
import type { WatchedLab } from '../fleet/watchedLabs.ts';
import type { Notification } from '../channels/channel.ts';
import { settingsRequest } from '../settings/edit/messages.ts';
import { folderRequest } from '../../api/labFolders.ts';
import type { SettingsInputs } from '../settings/schema/types.ts';
import type { ServiceStatus } from '../status.ts';

const inputs = z.object({
  argv: z.array(z.string()),
  env: z.record(z.string(), z.optional(z.string())),
  settingsDir: z.optional(z.string()),
  labFolder: z.optional(z.string()),
  cwd: z.nullable(z.string()),
  homeDir: z.string(),
  userConfigDir: z.string(),
  commandLine: z.enum(['headless', 'desktop']),
});

const appDetails = z.object({
  isSandboxed: z.boolean(),
  trayHost: z.boolean(),
  notifications: desktopDelivery,
  dumps: z.array(z.object({ name: z.string(), bytes: z.number(), at: z.string() })).readonly(),
});

/** Messages of the shell. The reply contains the same `id`. */
export const shellMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    /** The number of this start: reports contain it, so that the shell can ignore those of an earlier start. */
    run: z.int(),
    inputs: z.custom<SettingsInputs>((value) => inputs.safeParse(value).success, 'not the inputs of the settings'),
    logDir: z.string(),
    /** Addresses of other labs for the tray. */
    labs: z.optional(z.array(z.string())),
    /**
     * `serve`: on the settings' address. `follow`: another lab manager's addresses, on this machine only. `attach`: a
     * service that runs already. `demo`: the demo lab; `besidesLab` if the app also runs the lab manager of a real lab.
     */
    mode: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('serve') }),
      z.object({ kind: z.literal('follow'), url: z.string() }),
      z.object({ kind: z.literal('attach'), url: z.string() }),
      z.object({ kind: z.literal('demo'), addresses: demoAddresses, besidesLab: z.boolean() }),
    ]),
  }),
  /** Stops, and ends the process. */
  z.object({ type: z.literal('quit') }),
  /** Checks that the service responds; the service replies with `pong` immediately. */
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('restart') }),
  z.object({ type: z.literal('check-now') }),
  /** Confirms the machine of the followed lab manager. */
  z.object({ type: z.literal('confirm-machine') }),
  z.object({ type: z.literal('suspend') }),
  z.object({ type: z.literal('resume') }),
  z.object({
    type: z.literal('test-address'),
    id: z.int(),
    manager: z.enum(managerKeys),
    url: z.string(),
  }),
  /** Changes the addresses of other labs for the tray. */
  z.object({ type: z.literal('watch-labs'), labs: z.array(z.string()) }),
  /** The labs that are announced on the network; the reply is a `NearbyLabs`. */
  z.object({ type: z.literal('nearby-labs'), id: z.int() }),
  /** Addresses of other machines with requests in the last ten minutes. */
  z.object({ type: z.literal('recent-visitors'), id: z.int() }),
  z.object({
    type: z.literal('write-settings'),
    id: z.int(),
    changes: z.record(z.string(), z.nullable(z.string())),
  }),
  /**
   * Starts a maintenance window until a time (ms since the epoch) or ends it (`null`), or plans a recurring maintenance or
   * cancels it (`null`).
   */
  z.object({
    type: z.literal('set-maintenance'),
    id: z.int(),
    change: z.union([
      z.object({ ...maintenanceSubject.shape, until: z.nullable(z.number()) }),
      z.object({ ...maintenanceSubject.shape, every: z.nullable(recurrence) }),
    ]),
  }),
  /** Sends a test message to each notification address. */
  z.object({ type: z.literal('test-notifications'), id: z.int() }),
  /** The delivery status of each notification address; the reply is a list of `Delivery`. */
  z.object({ type: z.literal('deliveries'), id: z.int() }),
  /** A request of the settings window, or about the folders of this machine. */
  z.object({ type: z.literal('settings'), id: z.int(), request: z.union([settingsRequest, folderRequest]) }),
  /** A request of the settings window about users and API tokens. */
  z.object({ type: z.literal('accounts'), id: z.int(), request: accountsRequest }),
  /** Runs the checks and collects the bundle; the reply lists its files. */
  z.object({ type: z.literal('collect-diagnostics'), id: z.int(), app: appDetails }),
  /** Runs one check; with `fix`, applies the fix of its finding first. */
  z.object({ type: z.literal('run-check'), id: z.int(), check: z.string(), fix: z.boolean(), app: appDetails }),
  /** Saves the listed bundle; `null` discards it. */
  z.object({ type: z.literal('save-diagnostics'), id: z.int(), path: z.nullable(z.string()) }),
]);
export type ShellMessage = z.infer<typeof shellMessage>;

export type Reply = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

/** Messages of the service process. The sender is our own code, so only its type is checked. */
export type ServiceMessage =
  | { readonly type: 'status'; readonly run: number; readonly status: ServiceStatus; readonly logFile: string }
  | { readonly type: 'lab'; readonly run: number; readonly lab: LabStatus }
  /** The nodes in the workcell manager's list, for the shell's safety stop. */
  | { readonly type: 'nodes'; readonly run: number; readonly nodes: KnownNodes }
  /** The key by which the app's window is administrator of this start's service. A new start has a new one. */
  | { readonly type: 'app-key'; readonly run: number; readonly key: string }
  /** The other labs for the tray, after each change. */
  | { readonly type: 'other-labs'; readonly run: number; readonly labs: readonly WatchedLab[] }
  /** A notification for the user. */
  | { readonly type: 'notification'; readonly run: number; readonly notification: Notification }
  | { readonly type: 'pong' }
  | { readonly type: 'reply'; readonly id: number; readonly reply: Reply };

/** Whether a message from the service's port has a known type. */
export function isServiceMessage(message: unknown): message is ServiceMessage {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    ['status', 'lab', 'nodes', 'app-key', 'other-labs', 'notification', 'pong', 'reply'].includes(String(message.type))
  );
}
