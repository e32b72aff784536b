/** The state of the shell's pages, and the responses to their commands. Validated on arrival. */
import * as z from 'zod/mini';
import { checkReport } from '../../api/diagnostics.ts';
import { fleetStates } from '../../api/lab/fleet.ts';
import { labStatus, maintenanceSubject, managerStatus, recurrence } from '../../api/lab/lab.ts';
import { shapeNames, stateColorNames } from '../../api/states.ts';
import type { NoticePress, PageCommand } from './commands.ts';
import { settingsPage } from './settingsContract.ts';

const problem = z.object({
  severity: z.enum(['error', 'warning']),
  /** The absolute path of the file, otherwise the kind of source: `Environment variables` or `Command line`. */
  source: z.string(),
  /** `line 12, column 3`; `null` if the source has no lines. */
  place: z.nullable(z.string()),
  key: z.nullable(z.string()),
  value: z.nullable(z.string()),
  message: z.string(),
  expected: z.nullable(z.string()),
  /** Whether the source is a file that can be opened. */
  hasFile: z.boolean(),
});

const subject = z.extend(maintenanceSubject, { name: z.string() });
/** The window "Maintenance and Mute". Times are ms since the epoch. */
const maintenancePage = z.object({
  page: z.literal('maintenance'),
  /** The subjects that can be in maintenance or muted, in the lab's order. */
  subjects: z.array(subject),
  /** The reason why maintenance can't be set; `null` if it can. */
  maintenanceRefusal: z.nullable(z.string()),
  inMaintenance: z.array(z.extend(subject, { from: z.number(), until: z.number() })),
  /** The next window of each recurring maintenance. */
  planned: z.array(z.extend(subject, { from: z.number(), every: recurrence })),
  /** `key` null: all notifications. */
  muted: z.array(z.object({ key: z.nullable(z.string()), name: z.string(), until: z.number() })),
});

/** The page that the window shows instead of the dashboard. */
const shellPage = z.discriminatedUnion('page', [
  z.object({ page: z.literal('starting'), message: z.string() }),
  z.object({
    page: z.literal('first-screen'),
    managers: z.array(z.pick(managerStatus, { manager: true, name: true, url: true, state: true, reason: true })),
    settingsFile: z.string(),
  }),
  z.object({
    page: z.literal('settings-error'),
    problems: z.array(problem),
    /** The chosen lab folder, `null` when none is chosen. */
    labFolder: z.nullable(z.string()),
  }),
  z.object({
    page: z.literal('port-taken'),
    port: z.int(),
    portOwner: z.object({
      kind: z.enum(['ours', 'madsci', 'unknown']),
      url: z.string(),
      version: z.nullable(z.string()),
      name: z.nullable(z.string()),
      process: z.nullable(z.string()),
    }),
    freePort: z.int(),
    /** The interface to listen on, `null` for all, and the addresses that can be chosen instead. */
    listenHost: z.nullable(z.string()),
    interfaces: z.array(z.string()),
    /** How the lab manager to which the app was attached differs from this app; `null` for any other program. */
    otherOwner: z.nullable(
      z.object({ account: z.nullable(z.string()), settingsFile: z.string(), ownSettingsFile: z.string() }),
    ),
    /** The reason why the other port is for this start only; `null` when it is saved in `settingsFile`. */
    temporaryPortReason: z.nullable(z.string()),
    settingsFile: z.string(),
  }),
  z.object({
    page: z.literal('failed'),
    title: z.string(),
    reason: z.string(),
    /** The start of the failure, in ms since the epoch; `null` if unknown. */
    since: z.nullable(z.number()),
    /** The time of the next automatic retry, in ms since the epoch; `null` when there is none. */
    nextRetryAt: z.nullable(z.number()),
    /** The followed lab manager; `null` for this machine's lab. */
    followedUrl: z.nullable(z.string()),
    /** True for the simulated lab, in either kind of window. */
    demo: z.boolean(),
    logLines: z.array(z.string()),
    logFile: z.string(),
  }),
  /** The attached service on this machine does not respond; the app waits for it. */
  z.object({ page: z.literal('service-lost'), url: z.string(), since: z.number(), reason: z.string() }),
  z.object({ page: z.literal('lab'), lab: z.nullable(labStatus), because: z.string(), url: z.string() }),
  z.object({
    page: z.literal('about'),
    version: z.string(),
    runtime: z.array(z.object({ name: z.string(), version: z.string() })),
    isFallbackRuntime: z.boolean(),
    addresses: z.array(z.string()),
    /** The addresses at which other machines reach the service, the best first; empty if there are none. */
    publicUrls: z.array(z.string()),
    paths: z.array(z.object({ name: z.string(), path: z.string() })),
    licences: z.string(),
  }),
  maintenancePage,
  /** The page requests its content with `diagnose`. */
  z.object({ page: z.literal('diagnostics') }),
  settingsPage,
  z.object({
    page: z.literal('connect'),
    /** The lab that is shown and its machine. */
    shown: z.string(),
    /** The address of its lab manager, if that is on another machine. */
    followedUrl: z.nullable(z.string()),
  }),
  /** The page requests the content of a folder with `list-folder`. */
  z.object({ page: z.literal('folder') }),
  /** The page requests its lines with `log-start` and the other log commands. */
  z.object({ page: z.literal('logs') }),
  /** The report of the safety stop. Every window of the app can open it, in a separate window. */
  z.object({ page: z.literal('stop') }),
]);
export type ShellPage = z.infer<typeof shellPage>;
export type PageOf<Name extends ShellPage['page']> = Extract<ShellPage, { page: Name }>;

/** A notice, shown as long as its cause exists. */
const notice = z.object({
  id: z.string(),
  severity: z.enum(['attention', 'failed']),
  text: z.string(),
  /** Label of the button that performs the notice's action. */
  action: z.optional(z.string()),
  /** Progress in percent. */
  progress: z.optional(z.number()),
  isClosable: z.optional(z.boolean()),
});
export type Notice = z.infer<typeof notice>;

/** Notices that the dashboard shows itself, because it also needs them in a browser. */
export const dashboardNotices: ReadonlySet<string> = new Set([
  'followed-unidentified',
  'followed-differs',
  'safety-stop-published',
  'service-lost',
  'service-silent',
]);

/** The safety stop as the shell's pages show it. */
const stopView = z.object({
  /** The target lab and its machine: `Bench on lab-pc`. Missing in windows that don't show the safety stop. */
  lab: z.optional(z.string()),
  /** The number of known nodes; 0 disables the stop. */
  knownNodes: z.int(),
  /** What a press in the window of the report stops; missing in the other windows. */
  question: z.optional(
    z.object({
      /** Identifies the lab and its warning: a press stops only what the window shows. */
      key: z.string(),
      nodes: z.array(z.string()),
      /** The nodes that have no safety stop. */
      nodesWithoutStop: z.array(z.string()),
      /** The reason why the nodes may belong to another lab; a press confirms their machine. `null` if they don't. */
      warning: z.nullable(z.string()),
    }),
  ),
  /** The report of the last safety stop; `null` when there was none, or it was closed. */
  report: z.nullable(
    z.object({
      /** The target lab of the stop, in the format of `lab`. */
      lab: z.string(),
      /** The send time as a sentence. */
      sent: z.string(),
      /** The number of confirmed nodes, and the advice for the others. */
      summary: z.string(),
      /** What the service or the app is doing; `null` at its end. */
      progress: z.nullable(z.string()),
      /** What a release does, one line for each node and one for the workflows. */
      effects: z.array(z.string()),
      /** The number of nodes that can be released. */
      releasableCount: z.int(),
      /** Whether the stop is in effect, also without a node that can be released. */
      canRelease: z.boolean(),
      rows: z.array(
        z.object({
          name: z.string(),
          appearance: z.object({ shape: z.enum(shapeNames), color: z.enum(stateColorNames), label: z.string() }),
          text: z.string(),
          /** The node's current state with its flags; `null` if unknown. */
          state: z.nullable(z.string()),
        }),
      ),
    }),
  ),
});
export type StopView = z.infer<typeof stopView>;
/** The view for windows that don't show the safety stop. */
export const noStop: StopView = { knownNodes: 0, report: null };

/** The complete state of a shell page. */
export const shellState = z.object({
  page: shellPage,
  notices: z.array(notice),
  stop: stopView,
  /** The locale of times; without one, times have the dashboard's format. */
  times: z.optional(z.nullable(z.string())),
});
export type ShellState = z.infer<typeof shellState>;

/** Response to `test-address`. */
export const addressTest = z.object({
  ok: z.boolean(),
  /** `Event Manager is running normally (0.8.1)`, or the reason why it isn't usable. */
  text: z.string(),
  /** The normalized address, `null` when it is invalid. */
  url: z.nullable(z.string()),
});
export type AddressTest = z.infer<typeof addressTest>;

/** Response to `diagnose`; `run-check` returns a single `checkReport`. */
export const diagnosis = z.object({ reports: z.array(checkReport) });
export type Diagnosis = z.infer<typeof diagnosis>;

/** Response to `chosen-labs`: the lab managers connected to before, in the order of their keyboard shortcuts. */
export const chosenLabs = z.array(z.object({ url: z.string(), name: z.nullable(z.string()) }));
export type ChosenLab = z.infer<typeof chosenLabs>[number];

/** Response to `test-lab`: a lab manager that responded. */
export const foundLabManager = z.object({
  url: z.string(),
  machine: z.string(),
  labName: z.nullable(z.string()),
  managers: z.int(),
  isIdentified: z.boolean(),
});
export type FoundLab = z.infer<typeof foundLabManager>;

/** Response to `nearby-labs`: the labs that are announced on the network. */
export const nearbyLabs = z.object({
  /** Whether a setting switches the search off. */
  isOff: z.boolean(),
  labs: z.array(
    z.object({
      url: z.string(),
      name: z.string(),
      machine: z.string(),
      state: z.enum(fleetStates),
      /** The reason why it is unreachable, or its open incident. */
      reason: z.nullable(z.string()),
      managers: z.nullable(z.object({ healthy: z.int(), total: z.int() })),
    }),
  ),
});
export type NearbyLabs = z.infer<typeof nearbyLabs>;

/** The response to a page's command: its value, or the error. */
export const shellResponse = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.optional(z.unknown()) }),
  z.object({ ok: z.literal(false), error: z.string() }),
]);
export type ShellResponse = z.infer<typeof shellResponse>;

/** The API that the preload script exposes to the shell's pages only. */
export interface ShellBridge {
  request(command: PageCommand): Promise<unknown>;
  /** Calls `listener` with each state to show. */
  onState(listener: (state: ShellState) => void): void;
}

/** The API that the preload script exposes to the dashboard in the app's window: notices, and their buttons. */
export interface NoticesBridge {
  /** Calls `listener` with the notices now, and again when they change. */
  onNotices(listener: (notices: readonly Notice[]) => void): void;
  press(id: string, press: NoticePress['press']): void;
}

export const channels = {
  request: 'shell:request',
  state: 'shell:state',
  notices: 'shell:notices',
  pressNotice: 'shell:press-notice',
  printing: 'shell:printing',
} as const;
