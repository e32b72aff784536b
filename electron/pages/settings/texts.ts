/** All texts of the Settings window. */
import type { PreferencesView } from '../../ipc/settingsContract.ts';
import { plural } from '#api/countText.ts';

export const settingsTexts = {
  title: 'Settings',
  noMatch: (search: string) => `No setting matches “${search}”.`,
  unavailable: (reason: string) => `The settings can’t be shown: ${reason}.`,
  app: 'This app',
  changes: 'Changes',
  count: (changes: number, notAllowed: number) =>
    `${describeCount(changes)}${notAllowed === 0 ? '' : `, ${notAllowed} not allowed`}`,
  notSaved: (changes: number) => `${describeCount(changes)} not saved.`,
  saved: (files: readonly string[]) => `Saved in ${files.join(', ')}.`,
  afterRestart: (titles: readonly string[]) => `${titles.join(', ')}: takes effect after a restart of the service.`,
  undone: (files: readonly string[]) => `The last save was undone in ${files.join(', ')}.`,
  review: 'Review…',
} as const;

function describeCount(changes: number): string {
  return plural(changes, 'change');
}

/** One setting. */
export const settingTexts = {
  allowed: (expected: string) => `Allowed: ${expected}.`,
  on: 'On',
  off: 'Off',
  tryLabel: (title: string) => `Try ${title}`,
  hidden: (shown: string) => `Currently ${shown}. Your input replaces it.`,
  problem: (problem: string) => `The value ${problem}.`,
  moved: (value: string) => `It was changed outside this window meanwhile: now ${value}.`,
  reset: (value: string) => `Back to the default: ${value}.`,
  willBeSaved: (file: string) => `Default, will be saved in ${file}`,
  from: (from: string) => `From ${from}`,
  fromOutside: (from: string) => `From ${from}, which ranks before every file`,
  openFileLabel: (title: string) => `Open file of ${title}`,
  alsoSet: (place: string, by: string) => `Also set in ${place}, hidden by ${by}`,
  default: (value: string) => `Default: ${value}`,
  toDefaultLabel: (title: string) => `Reset ${title} to its default`,
  discardLabel: (title: string) => `Discard the change of ${title}`,
} as const;

export const filesTexts = {
  machineFile: (file: string) => `Port, interface, secrets: ${file}`,
} as const;

export const appChoiceTexts = {
  startAtLogin: 'Start at login',
  closeWindow: 'Closing the window',
  closeWindowChoices: {
    tray: 'Keeps it running in the tray',
    ask: 'Asks each time',
    quit: 'Quits it',
  } satisfies Readonly<Record<PreferencesView['closeWindow'], string>>,
  themeChoices: { system: 'As the system', light: 'Light', dark: 'Dark' },
  timesChoice: (name: string, example: string) => `${name}: ${example}`,
  rememberedHelp: (file: string) => `Kept in ${file}.`,
  closeWithoutTray: {
    quit: 'On a desktop without a tray, closing the window quits Lab Manager.',
    minimize: 'On a desktop without a tray, closing the window minimises it.',
    button: 'Ask again',
  },
} as const;

export const channelTexts = {
  result: (address: string, problem: string | null) => `${address} ${problem ?? 'accepted the test message'}`,
  unavailable: (reason: string) => `The delivery status is not available: ${reason}.`,
  delivery: (channel: string, text: string) => `${channel}: ${text}`,
} as const;

export const reviewTexts = {
  refused: (count: number) => (count === 1 ? 'One change can’t be saved' : `${count} changes can’t be saved`),
  backup: (file: string) => `The previous version is kept as ${file}.`,
  lines: { same: '', added: 'Added: ', removed: 'Removed: ', gap: 'Lines left out' },
  save: 'Save',
} as const;
