/** The requests and responses of the Settings window. Validated on arrival, like the rest of the contract. */
import * as z from 'zod/mini';
import { desktopDelivery } from '../../api/diagnostics.ts';
import { delivery } from '../../api/lab/lab.ts';

export { accountsReply, maxSentLength } from '../../server/access/accountMessages.ts';
export type {
  AccountsRequest,
  AccountsRefusal,
  AccountsView,
  AccountView,
} from '../../server/access/accountMessages.ts';
export { checkReply, planView, savedView, settingsList, undoneView } from '../../server/settings/edit/messages.ts';
export type {
  PlanView,
  SavedView,
  SettingRow,
  SettingsList,
  SettingsRequest,
} from '../../server/settings/edit/messages.ts';

export const closeChoices = ['tray', 'ask', 'quit'] as const;
export const themeChoices = ['system', 'light', 'dark'] as const;
/** `dashboard`: the dashboard's format; `system`: the system's format; otherwise a language. */
export const timeChoices = [
  'dashboard',
  'system',
  'en-GB',
  'en-US',
  'de',
  'es',
  'fr',
  'it',
  'nl',
  'pl',
  'pt',
  'sv',
  'ja',
  'ko',
  'zh',
] as const;

/** The app preferences that the window can change; they apply immediately. */
export const preferenceChanges = z.strictObject({
  startAtLogin: z.exactOptional(z.boolean()),
  /** Whether the window stays closed at login. */
  startHidden: z.exactOptional(z.boolean()),
  /** The effect of closing the window on a desktop with a tray. */
  closeWindow: z.exactOptional(z.enum(closeChoices)),
  notifications: z.exactOptional(z.boolean()),
  theme: z.exactOptional(z.enum(themeChoices)),
  times: z.exactOptional(z.enum(timeChoices)),
});
export type PreferenceChanges = z.infer<typeof preferenceChanges>;

export const preferencesView = z.object({
  startAtLogin: z.boolean(),
  /** Further information, such as another program that is started; `null` for none. */
  loginNote: z.nullable(z.string()),
  startHidden: z.boolean(),
  closeWindow: z.enum(closeChoices),
  notifications: z.boolean(),
  theme: z.enum(themeChoices),
  times: z.enum(timeChoices),
  /** Each choice with two example times: one of today and one of another day. */
  timeExamples: z.array(z.object({ choice: z.enum(timeChoices), name: z.string(), example: z.string() })),
  remembered: z.object({
    closeWithoutTray: z.nullable(z.enum(['quit', 'minimize'])),
    trayNoteShown: z.boolean(),
    window: z.boolean(),
  }),
  labFolder: z.nullable(z.string()),
  /** The reason why another folder is used instead of the chosen one, or the problem with it. */
  labFolderNote: z.nullable(z.string()),
  /** The lab manager on another machine whose lab is shown. */
  followedUrl: z.nullable(z.string()),
  /** The path of the preferences file. */
  file: z.string(),
});
export type PreferencesView = z.infer<typeof preferencesView>;

/** Remembered choices that can be forgotten. */
export const rememberedChoices = ['closeWithoutTray', 'trayNoteShown', 'window'] as const;
export type RememberedChoice = (typeof rememberedChoices)[number];

/** Response to `test-notifications`: each address, shortened, with the reason if it did not accept the message. */
export const testResults = z.array(z.object({ address: z.string(), problem: z.nullable(z.string()) }));
export type TestResults = z.infer<typeof testResults>;

/** Response to `deliveries`. */
export const deliveriesView = z.object({ webhooks: z.array(delivery), desktop: desktopDelivery });
export type DeliveriesView = z.infer<typeof deliveriesView>;

/** The page requests its content itself. `revision` increases when the service reports a change. */
export const settingsPage = z.object({
  page: z.literal('settings'),
  revision: z.int(),
  /** The reason why changes may not affect the lab in the main window; `null` when they do. */
  note: z.nullable(z.string()),
});
