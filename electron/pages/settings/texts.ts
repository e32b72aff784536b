/** All texts of the Settings window. */
import type { PreferencesView } from '../../ipc/settingsContract.ts';
import { plural } from '#api/countText.ts';

export const settingsTexts = {
  title: 'Settings',
  search: 'Search settings',
  sections: 'Sections',
  notices: 'Notices',
  noMatch: (search: string) => `No setting matches “${search}”.`,
  unavailable: (reason: string) => `The settings can’t be shown: ${reason}.`,
  app: 'This app',
  changes: 'Changes',
  count: (changes: number, notAllowed: number) =>
    `${describeCount(changes)}${notAllowed === 0 ? '' : `, ${notAllowed} not allowed`}`,
  notSaved: (changes: number) => `${describeCount(changes)} not saved.`,
  saved: (files: readonly string[]) => `Saved in ${files.join(', ')}.`,
  afterRestart: (titles: readonly string[]) => `${titles.join(', ')}: takes effect after a restart of the service.`,
  restart: 'Restart the service',
  undo: 'Undo',
  undone: (files: readonly string[]) => `The last save was undone in ${files.join(', ')}.`,
  continueEditing: 'Keep editing',
  discardAndClose: 'Discard and close',
  discard: 'Discard',
  review: 'Review…',
} as const;

function describeCount(changes: number): string {
  return plural(changes, 'change');
}

/** One setting. */
export const settingTexts = {
  allowed: (expected: string) => `Allowed: ${expected}.`,
  needsRestart: 'Needs a restart of the service.',
  atOnce: 'Takes effect at once.',
  on: 'On',
  off: 'Off',
  linesHint: 'One on each line',
  notSet: 'not set',
  try: 'Try',
  tryLabel: (title: string) => `Try ${title}`,
  hidden: (shown: string) => `Currently ${shown}. Your input replaces it.`,
  problem: (problem: string) => `The value ${problem}.`,
  moved: (value: string) => `It was changed outside this window meanwhile: now ${value}.`,
  reset: (value: string) => `Back to the default: ${value}.`,
  isDefault: 'Default',
  willBeSaved: (file: string) => `Default, will be saved in ${file}`,
  from: (from: string) => `From ${from}`,
  fromOutside: (from: string) => `From ${from}, which ranks before every file`,
  openFile: 'Open file',
  openFileLabel: (title: string) => `Open file of ${title}`,
  alsoSet: (place: string, by: string) => `Also set in ${place}, hidden by ${by}`,
  default: (value: string) => `Default: ${value}`,
  toDefault: 'Reset',
  toDefaultLabel: (title: string) => `Reset ${title} to its default`,
  discard: 'Discard change',
  discardLabel: (title: string) => `Discard the change of ${title}`,
} as const;

export const filesTexts = {
  title: 'Files',
  folder: 'Lab folder',
  folderHelp: 'The search for settings files starts here and goes up from it.',
  none: 'None chosen',
  choose: 'Choose folder…',
  useNone: 'Use no folder',
  file: 'Settings file',
  fileHelp:
    'New settings are written here; port, interface and secrets into the user configuration of this machine. Existing ones are changed in the file they are in.',
  machineFile: (file: string) => `Port, interface, secrets: ${file}`,
  undo: 'Undo the last save',
} as const;

export const appChoiceTexts = {
  startAtLogin: 'Start at login',
  startAtLoginHelp: 'Lab Manager starts when you log in to this machine.',
  startHidden: 'Without opening the window',
  startHiddenHelp: 'On a desktop without a tray the window opens anyway.',
  closeWindow: 'Closing the window',
  closeWindowHelp: 'While Lab Manager is closed, other machines can’t read service addresses from this one.',
  closeWindowChoices: {
    tray: 'Keeps it running in the tray',
    ask: 'Asks each time',
    quit: 'Quits it',
  } satisfies Readonly<Record<PreferencesView['closeWindow'], string>>,
  notifications: 'Notifications',
  notificationsHelp: 'Shows on this machine what happens in the lab. Webhooks are settings of the lab.',
  theme: 'Theme',
  themeHelp: 'Applies to the app’s own pages, and to a dashboard that follows the system.',
  themeChoices: { system: 'As the system', light: 'Light', dark: 'Dark' },
  times: 'Language of times',
  timesHelp: 'In the tray, in notices and on the app’s own pages. The dashboard has its own choice.',
  timesChoice: (name: string, example: string) => `${name}: ${example}`,
  remembered: 'Remembered choices',
  rememberedHelp: (file: string) => `Kept in ${file}.`,
  nothingRemembered: 'Nothing is remembered.',
  closeWithoutTray: {
    quit: 'On a desktop without a tray, closing the window quits Lab Manager.',
    minimize: 'On a desktop without a tray, closing the window minimises it.',
    button: 'Ask again',
  },
  trayNote: {
    what: 'The note that Lab Manager keeps running in the tray was shown.',
    button: 'Show it again',
  },
  window: { what: 'The window opens at its last position.', button: 'Reset its position' },
} as const;

export const channelTexts = {
  test: 'Send a test',
  savedOnly: 'The test is sent to the saved addresses.',
  noAddress: 'No address is saved.',
  result: (address: string, problem: string | null) => `${address} ${problem ?? 'accepted the test message'}`,
  unavailable: (reason: string) => `The delivery status is not available: ${reason}.`,
  status: 'Delivery status',
  desktop: 'This desktop',
  delivery: (channel: string, text: string) => `${channel}: ${text}`,
} as const;

export const reviewTexts = {
  title: 'Review changes',
  refused: (count: number) => (count === 1 ? 'One change can’t be saved' : `${count} changes can’t be saved`),
  nothing: 'The files have these values already.',
  isNew: 'This file will be created.',
  backup: (file: string) => `The previous version is kept as ${file}.`,
  lines: { same: '', added: 'Added: ', removed: 'Removed: ', gap: 'Lines left out' },
  notes: 'Notes',
  atOnce: 'Takes effect at once',
  afterRestart: 'Takes effect after a restart',
  save: 'Save',
  back: 'Back',
} as const;
