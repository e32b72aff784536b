/** All texts of the Settings window. */
import type { PreferencesView } from '../../ipc/settingsContract.ts';
import { plural } from '#api/countText.ts';

export const settingsTexts = {
  title: 'Settings',
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
  on: 'On',
  off: 'Off',
  problem: (problem: string) => `The value ${problem}.`,
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
  closeWithoutTray: {
    quit: 'On a desktop without a tray, closing the window quits Lab Manager.',
    minimize: 'On a desktop without a tray, closing the window minimises it.',
    button: 'Ask again',
  },
} as const;

export const channelTexts = {
  result: (address: string, problem: string | null) => `${address} ${problem ?? 'accepted the test message'}`,
} as const;

export const reviewTexts = {
  refused: (count: number) => (count === 1 ? 'One change can’t be saved' : `${count} changes can’t be saved`),
  lines: { same: '', added: 'Added: ', removed: 'Removed: ', gap: 'Lines left out' },
  save: 'Save',
} as const;
