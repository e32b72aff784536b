import { plural } from '#api/countText.ts';
/** All texts of the app's pages, except the Settings and Logs windows, which have separate catalogues. */
import type { Recurrence } from '#api/lab/lab.ts';
import type { EndChoice } from '../../ipc/commands.ts';

/** Texts that several pages share. */
export const shellTexts = {
  quit: 'Quit',
  settings: 'Settings…',
  openSettingsFile: 'Open settings file',
  openLogsFolder: 'Open logs folder',
  ownLab: 'Use this machine’s lab',
  knownNodes: (count: number, lab: string | undefined) =>
    `${count === 1 ? 'One known node' : `${count} known nodes`} of ${lab ?? 'the lab'}.`,
  stopQuestion: (count: number, lab: string | undefined) =>
    `Stop ${count === 1 ? 'the one node' : `all ${count} nodes`} of ${lab ?? 'the lab'}?`,
} as const;

/** The field for the address of another lab manager. */
export const labAddressTexts = {
  connect: 'Connect',
  found: (name: string | null, machine: string, managers: number) =>
    `${name ?? 'A lab manager'} answers on ${machine}, with ${managers === 1 ? 'one manager' : `${managers} managers`}.`,
} as const;

/** The labs that are announced on the network. */
export const nearbyTexts = {
  place: (machine: string, host: string) => (machine === host ? host : `${machine} (${host})`),
} as const;

export const connectTexts = {
  key: (control: string, index: number) => `${control}${control === 'Ctrl' ? '+' : ''}${index + 2}`,
  shownNow: '(shown now)',
} as const;

export const diagnosticsTexts = {
  again: 'Check again',
  button: (check: string, label: string) => `${check}: ${label}`,
} as const;

export const failedTexts = {
  nextTry: (seconds: number) => (seconds === 0 ? 'Trying again now.' : `Next try in ${seconds} s.`),
  log: 'Last lines of the log',
} as const;

export const firstScreenTexts = {
  title: 'Where is your lab?',
  folder: {
    title: 'Choose your lab’s folder',
    text: 'The folder with your lab’s settings.yaml or .env.',
    code: ['settings.yaml', '.env'],
    button: 'Choose folder…',
  },
  addresses: {
    button: 'Enter addresses…',
    host: 'Host of all six',
  },
  demo: {
    title: 'Try the demo lab',
    text: 'Six simulated managers and five nodes on this machine, in a separate window. Nothing real moves.',
    button: 'Start the demo lab',
  },
  skip: {
    title: 'Continue without settings',
    text: 'The dashboard shows the managers as soon as they answer. Other machines get no addresses until you choose a lab.',
    button: 'Open the dashboard',
  },
} as const;

/** The window in which the lab's folder is chosen, and the list of found ones. */
export const folderTexts = {
  title: 'Choose your lab’s folder',
  path: 'Folder',
  lab: (name: string | null) => (name === null ? 'This folder has the settings of a lab.' : `Lab: ${name}`),
  useThis: 'Use this folder',
} as const;

export const labPageTexts = {
  title: (lab: string | null, state: string) => `${lab ?? 'Lab'}: ${state}`,
} as const;

export const maintenanceTexts = {
  what: 'What',
  groups: { manager: 'Managers', node: 'Nodes' },
  choices: {
    hour: 'For 1 hour',
    'four-hours': 'For 4 hours',
    tomorrow: 'Until tomorrow 8:00',
    other: 'Until another time…',
  } satisfies Record<EndChoice | 'other', string>,
  noTime: 'Choose a time first',
  unknownSubject: 'Choose the lab, a manager or a node',
  begin: 'Start maintenance',
  days: {
    Sun: 'Sundays',
    Mon: 'Mondays',
    Tue: 'Tuesdays',
    Wed: 'Wednesdays',
    Thu: 'Thursdays',
    Fri: 'Fridays',
    Sat: 'Saturdays',
  } satisfies Record<Recurrence['days'][number], string>,
} as const;

export const portInUseTexts = {
  labManager: (details: readonly string[]) =>
    `Another MADSci lab manager${details.length === 0 ? '' : ` (${details.join(', ')})`}`,
  ours: (account: string | null, file: string) =>
    `Lab Manager, run ${account === null ? 'with other settings' : `by the account ${account}`} (${file}),`,
  connect: {
    title: (account: string | null) =>
      account === null ? 'Use the running lab manager' : `Use the lab manager of ${account}`,
    text: (account: string | null, file: string) =>
      account === null
        ? `Shows its lab. To use your own settings at this port instead, end the program that runs it. Your settings stay in ${file}.`
        : `Shows its lab. Nothing changes for ${account} or for other machines. To change the lab’s settings, ask ${account}. Your settings stay in ${file}.`,
  },
  error: (port: number, process: string | null) =>
    `listen EADDRINUSE port ${port}${process === null ? '' : `, process ${process}`}`,
} as const;

export const settingsErrorTexts = {
  title: (count: number) => (count === 1 ? 'A setting has an error' : `${count} settings have errors`),
  problem: (key: string | null, message: string) => `${key ?? 'The file is'} ${message}`,
} as const;

/** Texts of the Logs window. */

const linesText = (count: number): string => plural(count, 'line');

export const logsTexts = {
  sources: { service: 'Lab manager', app: 'App' },
  copied: (count: number) => `${linesText(count)} copied`,
  newestCopied: (count: number) => `The newest ${linesText(count)} copied`,
  levels: { debug: 'All levels', info: 'Info and above', warn: 'Warnings and errors', error: 'Errors' },
  lineLevels: { debug: 'Debug', info: 'Info', warn: 'Warning', error: 'Error' },
} as const;
