/** What the Settings window may ask, and what it is answered. Checked on arrival, as all of the contract. */
import * as z from 'zod/mini';
import { desktopDelivery } from '../../api/diagnostics.ts';
import { delivery } from '../../api/lab/lab.ts';

export { checkAnswer, planView, savedView, settingsList, undoneView } from '../../server/settings/edit/messages.ts';
export type {
  PlanView,
  SavedView,
  SettingRow,
  SettingsList,
  SettingsQuestion,
} from '../../server/settings/edit/messages.ts';

export const closeChoices = ['tray', 'ask', 'quit'] as const;
export const themeChoices = ['system', 'light', 'dark'] as const;
/** `dashboard`: as the dashboard has them; `system`: as the system has them; else a language. */
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

/** The app's own choices that the window can change; they count at once. */
export const preferenceChanges = z.strictObject({
  startAtLogin: z.exactOptional(z.boolean()),
  /** At login the window stays closed. */
  startHidden: z.exactOptional(z.boolean()),
  /** What closing the window does where there is a tray. */
  closeWindow: z.exactOptional(z.enum(closeChoices)),
  notifications: z.exactOptional(z.boolean()),
  theme: z.exactOptional(z.enum(themeChoices)),
  times: z.exactOptional(z.enum(timeChoices)),
});
export type PreferenceChanges = z.infer<typeof preferenceChanges>;

export const preferencesView = z.object({
  startAtLogin: z.boolean(),
  /** What else one must know of that, such as another program that is started; `null`: nothing. */
  loginNote: z.nullable(z.string()),
  startHidden: z.boolean(),
  closeWindow: z.enum(closeChoices),
  notifications: z.boolean(),
  theme: z.enum(themeChoices),
  times: z.enum(timeChoices),
  /** Each choice with what a time of another day looks like. */
  timeExamples: z.array(z.object({ choice: z.enum(timeChoices), name: z.string(), example: z.string() })),
  remembered: z.object({
    closeWithoutTray: z.nullable(z.enum(['quit', 'minimize'])),
    trayNoteShown: z.boolean(),
    window: z.boolean(),
  }),
  labFolder: z.nullable(z.string()),
  /** Why another folder counts in place of the chosen one, or what is wrong with it. */
  labFolderNote: z.nullable(z.string()),
  /** The lab manager on another machine whose lab is shown. */
  follows: z.nullable(z.string()),
  /** Where these choices are kept. */
  file: z.string(),
});
export type PreferencesView = z.infer<typeof preferencesView>;

/** Remembered choices that can be forgotten. */
export const rememberedChoices = ['closeWithoutTray', 'trayNoteShown', 'window'] as const;
export type RememberedChoice = (typeof rememberedChoices)[number];

/** Answer to `test-notifications`: each address, shortened, with why it didn't take the message. */
export const testResults = z.array(z.object({ address: z.string(), problem: z.nullable(z.string()) }));
export type TestResults = z.infer<typeof testResults>;

/** Answer to `deliveries`. */
export const deliveriesView = z.object({ webhooks: z.array(delivery), desktop: desktopDelivery });
export type DeliveriesView = z.infer<typeof deliveriesView>;

/** The page itself asks for what it shows. `revision` grows when the service says something new. */
export const settingsPage = z.object({
  page: z.literal('settings'),
  revision: z.int(),
  /** Why changes may not count for what the window with the lab shows; `null` when they do. */
  note: z.nullable(z.string()),
});
