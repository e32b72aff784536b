/** The messages between the desktop shell and the service process. Each side checks what it gets. */
import * as z from 'zod';
import { managerKeys } from '../../api/managers.ts';
import { demoAddresses } from './demo.ts';
import { desktopDelivery } from '../../api/diagnostics.ts';
import { maintenanceSubject, type LabStatus } from '../../api/lab/lab.ts';
import type { KnownNodes } from '../activity/knownNodes.ts';
import type { Notification } from '../channels/channel.ts';
import { settingsQuestion } from '../settings/edit/messages.ts';
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

const appFacts = z.object({
  sandboxed: z.boolean(),
  trayHost: z.boolean(),
  notifications: desktopDelivery,
  dumps: z.array(z.object({ name: z.string(), bytes: z.number(), at: z.string() })).readonly(),
});

/** What the shell asks. `id` comes back with the reply. */
export const shellMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    /** Which start of the shell's this is: what is told carries it, so that nothing said of an earlier one counts. */
    run: z.int(),
    inputs: z.custom<SettingsInputs>((value) => inputs.safeParse(value).success, 'not the inputs of the settings'),
    logDir: z.string(),
    /** `serve`: on the settings' address. `follow`: another lab manager's addresses, for this machine alone. */
    mode: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('serve') }),
      z.object({ kind: z.literal('follow'), url: z.string() }),
      z.object({ kind: z.literal('attach'), url: z.string() }),
      z.object({ kind: z.literal('demo'), addresses: demoAddresses, beside: z.boolean() }),
    ]),
  }),
  /** Stop, and end the process. */
  z.object({ type: z.literal('quit') }),
  /** Are you there? Answered by `pong` at once. */
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('restart') }),
  z.object({ type: z.literal('check-now') }),
  /** Which machine the followed lab manager runs on was confirmed. */
  z.object({ type: z.literal('confirm-machine') }),
  z.object({ type: z.literal('suspend') }),
  z.object({ type: z.literal('resume') }),
  z.object({
    type: z.literal('test-address'),
    id: z.int(),
    manager: z.enum(managerKeys),
    url: z.string(),
  }),
  /** Addresses of other machines that asked something in the last ten minutes. */
  z.object({ type: z.literal('recent-visitors'), id: z.int() }),
  z.object({
    type: z.literal('write-settings'),
    id: z.int(),
    changes: z.record(z.string(), z.nullable(z.string())),
  }),
  /** Put something into maintenance until then (ms since the epoch), or end it (`null`). */
  z.object({
    type: z.literal('set-maintenance'),
    id: z.int(),
    of: maintenanceSubject,
    until: z.nullable(z.number()),
  }),
  /** Send a test to each webhook. */
  z.object({ type: z.literal('test-notifications'), id: z.int() }),
  /** What became of the notifications to each webhook; the answer is a list of `Delivery`. */
  z.object({ type: z.literal('deliveries'), id: z.int() }),
  /** What the settings window asks. */
  z.object({ type: z.literal('settings'), id: z.int(), question: settingsQuestion }),
  /** Run the checks and collect the bundle; the answer lists what it holds. */
  z.object({ type: z.literal('collect-diagnostics'), id: z.int(), app: appFacts }),
  /** Run this check alone; with `mend`, do first what its finding offers. */
  z.object({ type: z.literal('run-check'), id: z.int(), check: z.string(), mend: z.boolean(), app: appFacts }),
  /** Save the bundle that was listed; `null`: nobody wants it any more. */
  z.object({ type: z.literal('save-diagnostics'), id: z.int(), path: z.nullable(z.string()) }),
]);
export type ShellMessage = z.infer<typeof shellMessage>;

export type Reply = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

/** What the service process tells. It is our own code on the other end, so the shape is checked by its type alone. */
export type ServiceMessage =
  | { readonly type: 'status'; readonly run: number; readonly status: ServiceStatus; readonly logFile: string }
  | { readonly type: 'lab'; readonly run: number; readonly lab: LabStatus }
  /** The nodes that the workcell manager has told of, for the shell's safety stop. */
  | { readonly type: 'nodes'; readonly run: number; readonly nodes: KnownNodes }
  /** What a person should hear of. */
  | { readonly type: 'notification'; readonly run: number; readonly notification: Notification }
  | { readonly type: 'pong' }
  | { readonly type: 'reply'; readonly id: number; readonly reply: Reply };

/** Whether something from the service's port is one of its messages. */
export function isServiceMessage(message: unknown): message is ServiceMessage {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    ['status', 'lab', 'nodes', 'notification', 'pong', 'reply'].includes(String(message.type))
  );
}
