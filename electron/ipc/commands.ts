/** The commands of the app: one table for the tray, the application menu and the app's pages. */
import * as z from 'zod/mini';
import { guidePage } from '../../api/diagnostics.ts';
import { maintenanceSubject, recurrence } from '../../api/lab/lab.ts';
import { managerKeys } from '../../api/managers.ts';
import { accountsRequest } from '../../server/access/accountMessages.ts';
import { settingsRequest } from '../../server/settings/edit/messages.ts';
import { logFilter, maxCopyLength } from './logs.ts';
import { preferenceChanges, rememberedChoices } from './settingsContract.ts';

const url = z.string().check(z.maxLength(2000));
const path = z.string().check(z.maxLength(4096));
const subjectId = z.string().check(z.minLength(1), z.maxLength(200));

/** The end times that menus offer for a mute or maintenance. */
export const endChoices = ['hour', 'four-hours', 'tomorrow'] as const;
export type EndChoice = (typeof endChoices)[number];
/** ms since the epoch, or a choice of a menu; `null` ends it. */
const until = z.nullable(z.union([z.number(), z.enum(endChoices)]));

/** Presses the button of a notice, or closes the notice. */
export const noticePress = z.strictObject({
  id: z.string().check(z.maxLength(100)),
  press: z.enum(['action', 'close']),
});
export type NoticePress = z.infer<typeof noticePress>;

/** The commands that pages can send. */
export const pageCommand = z.discriminatedUnion('command', [
  /** Returns the state of the page. */
  z.object({ command: z.literal('state') }),
  /** Opens the window in which the user chooses the lab's folder. */
  z.object({ command: z.literal('choose-folder') }),
  /** Searches this machine for folders with a lab's settings. */
  z.object({ command: z.literal('lab-folders') }),
  /** Returns the content of a folder; `path` null: of the lab's folder, or else of the home folder. */
  z.object({ command: z.literal('list-folder'), path: z.nullable(path) }),
  /** Uses a folder as the lab's. Returns whether the user confirmed it. */
  z.object({ command: z.literal('use-folder'), path }),
  z.object({ command: z.literal('test-address'), manager: z.enum(managerKeys), url }),
  z.object({ command: z.literal('save-addresses'), addresses: z.partialRecord(z.enum(managerKeys), url) }),
  z.object({ command: z.literal('skip-first-screen') }),
  z.object({ command: z.literal('start-demo') }),
  /** Restarts the service, or the demo lab in its place. */
  z.object({ command: z.literal('restart-service') }),
  z.object({ command: z.literal('check-now') }),
  /** Opens the file of a settings error. */
  z.object({ command: z.literal('open-problem'), index: z.int().check(z.minimum(0)) }),
  z.object({ command: z.literal('open-settings') }),
  z.object({ command: z.literal('open-settings-file') }),
  z.object({ command: z.literal('serve-here') }),
  z.object({ command: z.literal('chosen-labs') }),
  /** Removes a lab from the switcher and the tray. */
  z.object({ command: z.literal('forget-lab'), url }),
  /** Returns the labs that are announced on the network; the search runs as long as the page repeats this command. */
  z.object({ command: z.literal('nearby-labs') }),
  /** Tests the address of a lab manager without changing anything. */
  z.object({ command: z.literal('test-lab'), url }),
  /** Shows the lab of another machine's lab manager, now and at the next start. */
  z.object({ command: z.literal('connect'), url }),
  /** Returns to this machine's lab. */
  z.object({ command: z.literal('disconnect') }),
  /** `confirmed`: the `key` of the question that the page shows. */
  z.object({ command: z.literal('safety-stop'), confirmed: z.optional(z.string().check(z.maxLength(3000))) }),
  z.object({ command: z.literal('release-stop') }),
  z.object({ command: z.literal('close-stop') }),
  z.object({ command: z.literal('use-other-lab-manager') }),
  /** Starts the service on a port and an interface, `null` for all interfaces. */
  z.object({
    command: z.literal('use-port'),
    port: z.int().check(z.minimum(1), z.maximum(65535)),
    host: z.nullable(z.string().check(z.maxLength(100))),
  }),
  /** Runs all checks. */
  z.object({ command: z.literal('diagnose') }),
  /** Repeats one check; with `fix`, applies its fix first. */
  z.object({ command: z.literal('run-check'), check: z.string().check(z.maxLength(100)), fix: z.boolean() }),
  z.object({ command: z.literal('save-diagnostics') }),
  z.object({ command: z.literal('set-maintenance'), kind: maintenanceSubject.shape.kind, id: subjectId, until }),
  /** Plans a recurring maintenance; `every` null cancels it. */
  z.object({
    command: z.literal('plan-maintenance'),
    kind: maintenanceSubject.shape.kind,
    id: subjectId,
    every: z.nullable(recurrence),
  }),
  /** `key` null: all notifications. */
  z.object({ command: z.literal('set-mute'), key: z.nullable(subjectId), until }),
  /** Sends a request of the Settings window to the service. */
  z.object({ command: z.literal('settings'), request: settingsRequest }),
  /** Sends a request about users and API tokens to the service. */
  z.object({ command: z.literal('accounts'), request: accountsRequest }),
  /** Opens the file that contains a setting; the service returns its path. */
  z.object({ command: z.literal('open-setting-file'), name: z.string().check(z.maxLength(100)) }),
  /** Sends a test to each saved webhook. */
  z.object({ command: z.literal('test-notifications') }),
  /** Returns the delivery results of each notification channel. */
  z.object({ command: z.literal('deliveries') }),
  z.object({ command: z.literal('preferences') }),
  z.object({ command: z.literal('prefer'), changes: preferenceChanges }),
  z.object({ command: z.literal('forget'), choice: z.enum(rememberedChoices) }),
  /** Searches for settings in the start folder and in the user's folder. */
  z.object({ command: z.literal('use-no-folder') }),
  /** Opens a page of the user guide. */
  z.object({ command: z.literal('open-guide'), page: guidePage }),
  z.object({ command: z.literal('open-log-folder') }),
  /** Reads the newest lines and sets the filter for later reads. */
  z.object({ command: z.literal('log-start'), filter: logFilter }),
  /** Reads the lines before those already sent. */
  z.object({ command: z.literal('log-older') }),
  /** Returns the lines written since the last read. */
  z.object({ command: z.literal('log-newer') }),
  z.object({ command: z.literal('copy'), text: z.string().check(z.maxLength(maxCopyLength)) }),
  z.object({ command: z.literal('press-notice'), ...noticePress.shape }),
  z.object({ command: z.literal('quit') }),
]);
export type PageCommand = z.infer<typeof pageCommand>;

/** All commands: those of pages, and those that only the tray and the application menu offer. */
export type AppCommand =
  | PageCommand
  | { readonly command: 'show-window' }
  | { readonly command: 'open-in-browser' }
  /** Opens the API page of a manager. */
  | { readonly command: 'open-manager'; readonly url: string }
  /** Copies an address, and warns if it does not respond. */
  | { readonly command: 'copy-address'; readonly url: string }
  /** Opens a page of the dashboard, by its path. */
  | { readonly command: 'open-page'; readonly path: string }
  /** Opens the report of the last safety stop, or of the one in effect. */
  | { readonly command: 'open-stop' }
  | { readonly command: 'open-connect' }
  | { readonly command: 'confirm-machine' }
  | { readonly command: 'leave-demo' }
  | { readonly command: 'open-maintenance' }
  | { readonly command: 'open-logs' }
  | { readonly command: 'open-diagnostics' }
  | { readonly command: 'check-for-updates' }
  | { readonly command: 'open-about' };

export type CommandOf<Name extends AppCommand['command']> = Extract<AppCommand, { command: Name }>;

/** The source of a command: `menu` for the tray and the application menu, else the window of the page. */
export type CommandSource = 'menu' | keyof typeof windowCommands;

const common = ['state', 'open-log-folder', 'open-guide', 'copy', 'quit'] as const;
const stop = ['safety-stop', 'release-stop'] as const;
const labChoice = ['chosen-labs', 'forget-lab', 'nearby-labs', 'test-lab', 'connect', 'disconnect'] as const;

/** The commands that the pages of each window may send. The demo lab's window has no command for the real lab. */
export const windowCommands = {
  main: [
    ...common,
    ...stop,
    ...labChoice,
    'choose-folder',
    'lab-folders',
    'use-folder',
    'test-address',
    'save-addresses',
    'skip-first-screen',
    'start-demo',
    'restart-service',
    'check-now',
    'open-problem',
    'open-settings',
    'open-settings-file',
    'serve-here',
    'use-other-lab-manager',
    'use-port',
    'close-stop',
    'press-notice',
  ],
  demo: [...common, 'restart-service'],
  about: [...common, ...stop],
  connect: [...common, ...stop, ...labChoice],
  diagnostics: [...common, ...stop, 'diagnose', 'run-check', 'save-diagnostics'],
  folder: [...common, ...stop, 'list-folder', 'use-folder'],
  logs: [...common, ...stop, 'log-start', 'log-older', 'log-newer'],
  maintenance: [...common, ...stop, 'set-maintenance', 'plan-maintenance', 'set-mute'],
  settings: [
    ...common,
    ...stop,
    'settings',
    'accounts',
    'open-setting-file',
    'open-settings-file',
    'test-address',
    'test-notifications',
    'deliveries',
    'restart-service',
    'preferences',
    'prefer',
    'forget',
    'choose-folder',
    'use-no-folder',
  ],
  stop: [...common, ...stop],
} as const satisfies Readonly<Record<string, readonly PageCommand['command'][]>>;

/** Returns whether the pages of a window may send a command. @param from the window; `null` if unknown */
export function mayCommand(from: keyof typeof windowCommands | null, { command }: PageCommand): boolean {
  const allowed: readonly PageCommand['command'][] = from === null ? [] : windowCommands[from];
  return allowed.includes(command);
}
