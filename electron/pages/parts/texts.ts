/** All texts of the app's pages, except the Settings and Logs windows, which have separate catalogues. */
import type { Recurrence } from '#api/lab/lab.ts';
import type { EndChoice } from '../../ipc/commands.ts';

/** Texts that several pages share. */
export const shellTexts = {
  overlays: 'Dialogs and hints',
  starting: (message: string) => `${message}…`,
  notices: 'Notices',
  guide: 'Open the user guide',
  help: (about: string) => `Help: ${about}`,
  copy: 'Copy',
  copied: 'Copied',
  quit: 'Quit',
  settings: 'Settings…',
  openSettingsFile: 'Open settings file',
  openLogsFolder: 'Open logs folder',
  ownLab: 'Use this machine’s lab',
  knownNodes: (count: number, lab: string | undefined) =>
    `${count === 1 ? 'One known node' : `${count} known nodes`} of ${lab ?? 'the lab'}.`,
  stopQuestion: (count: number, lab: string | undefined) =>
    `Stop ${count === 1 ? 'the one node' : `all ${count} nodes`} of ${lab ?? 'the lab'}?`,
  confirmAndStop: 'Confirm machine and stop all nodes',
  noSafetyStop: 'Has no safety stop: it is locked and paused, or its action is cancelled',
  stopLabel: (title: string, lab: string) => `${title} of ${lab}`,
} as const;

export const aboutTexts = {
  title: (version: string) => `Lab Manager ${version}`,
  lead: 'Service addresses and health of your lab.',
  runtime: 'Runtime',
  fallbackRuntime: 'Fallback for machines that can’t download the official one. Not for daily use.',
  addresses: 'Addresses',
  notListening: 'not listening',
  publicUrls: 'For other machines and phones',
  noPublicUrl: 'None: the lab manager accepts connections from this machine only (LAB_LISTEN_HOST), or is not running.',
  licences: 'Licences',
} as const;

/** The field for the address of another lab manager. */
export const labAddressTexts = {
  hint: 'lab-pc or http://lab-pc:8000',
  noAddress: 'Enter an address first',
  test: 'Test',
  connect: 'Connect',
  found: (name: string | null, machine: string, managers: number) =>
    `${name ?? 'A lab manager'} answers on ${machine}, with ${managers === 1 ? 'one manager' : `${managers} managers`}.`,
  unidentified:
    'This loopback address does not identify a machine: commands are refused until you confirm the machine.',
} as const;

/** The labs that are announced on the network. */
export const nearbyTexts = {
  title: 'On this network',
  searching: 'Searching this network…',
  none: 'No other lab manager was found on this network. Enter its address above.',
  off: 'The search on this network is switched off (LAB_MDNS).',
  place: (machine: string, host: string) => (machine === host ? host : `${machine} (${host})`),
  reading: 'Checking…',
  managers: (healthy: number, total: number) => `${healthy}/${total} managers`,
  connectTo: (name: string, machine: string) => `Connect to ${name} on ${machine}`,
} as const;

export const connectTexts = {
  title: 'Connect to a lab',
  lead: (shown: string) => `Shown now: ${shown}. It stays until the other lab manager has answered.`,
  address: 'Address of the lab manager',
  chosen: 'Saved labs',
  chosenLead: 'The Labs menu switches between them, and the tray shows the worst of their states.',
  key: (control: string, index: number) => `${control}${control === 'Ctrl' ? '+' : ''}${index + 2}`,
  connectTo: (name: string) => `Connect to the saved lab ${name}`,
  remove: 'Remove',
  removeLab: (name: string) => `Remove ${name}`,
  shownNow: '(shown now)',
  ownServiceStops:
    'While another lab is shown, the lab manager service of this machine is stopped: other machines can’t read service addresses from it.',
} as const;

export const diagnosticsTexts = {
  title: 'Diagnostics',
  running: 'Checking…',
  again: 'Check again',
  save: 'Save diagnostics…',
  results: { ok: 'OK', warning: 'Warning', problem: 'Problem', unknown: 'Unknown' },
  sameCommand: (command: string) => `Equivalent command: ${command}`,
  button: (check: string, label: string) => `${check}: ${label}`,
} as const;

export const failedTexts = {
  since: (time: string) => `Since ${time}.`,
  nextTry: (seconds: number) => (seconds === 0 ? 'Trying again now.' : `Next try in ${seconds} s.`),
  otherLab: 'Another lab',
  otherAddress: 'Connect to a lab manager on another machine',
  log: 'Last lines of the log',
} as const;

export const firstScreenTexts = {
  title: 'Where is your lab?',
  lead: 'No settings were found, and no manager answers at the usual addresses on this machine yet.',
  folder: {
    title: 'Choose your lab’s folder',
    text: 'The folder with your lab’s settings.yaml or .env.',
    code: ['settings.yaml', '.env'],
    button: 'Choose folder…',
  },
  other: {
    title: 'Connect to a lab manager on another machine',
    text: 'Shows that lab here, now and at every start until you choose this machine’s lab again.',
  },
  addresses: {
    title: 'Enter the addresses of your managers',
    text: (file: string) => `Each is tested as you type, and saved in ${file}.`,
    button: 'Enter addresses…',
    host: 'Host of all six',
    hostHint: 'lab-pc',
    noHost: (host: string) => `“${host}” is not a host name or IP address`,
    noAnswer: 'No answer yet',
    save: 'Save and open the dashboard',
    none: 'Enter at least one address',
    invalid: 'An address is not valid or not tested yet',
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
  lead: 'The folder with your lab’s settings.yaml or .env. Select the folder, or a settings file in it.',
  path: 'Folder',
  open: 'Open',
  parent: 'Parent folder',
  content: 'Content of the folder',
  empty: 'No folder and no settings file.',
  lab: (name: string | null) => (name === null ? 'This folder has the settings of a lab.' : `Lab: ${name}`),
  noLab: 'This folder has no settings of a lab yet. The app creates lab.settings.yaml in it when you save settings.',
  useThis: 'Use this folder',
  found: 'Labs on this machine',
  unnamed: 'Lab without a name',
  use: 'Use',
  useFolder: (path: string) => `Use the lab in ${path}`,
} as const;

export const labPageTexts = {
  title: (lab: string | null, state: string) => `${lab ?? 'Lab'}: ${state}`,
  searching: 'Looking for the managers of your lab',
  addresses: (because: string, url: string) => `${because} Other machines still get service addresses from ${url}.`,
  managers: 'The managers of the lab',
  manager: 'Manager',
  state: 'State',
  reason: 'Reason',
  checkNow: 'Check now',
} as const;

export const maintenanceTexts = {
  title: 'Maintenance and mute',
  lead: 'A manager or node in maintenance doesn’t count as down, for all users of this lab. Mute only hides notifications on this machine.',
  form: 'Start',
  what: 'What',
  lab: 'The lab',
  groups: { manager: 'Managers', node: 'Nodes' },
  howLong: 'How long',
  choices: {
    hour: 'For 1 hour',
    'four-hours': 'For 4 hours',
    tomorrow: 'Until tomorrow 8:00',
    other: 'Until another time…',
  } satisfies Record<EndChoice | 'other', string>,
  until: 'Until',
  noTime: 'Choose a time first',
  noFuture: 'Choose a time in the future',
  unknownSubject: 'Choose the lab, a manager or a node',
  begin: 'Start maintenance',
  mute: 'Mute notifications',
  inMaintenance: 'In maintenance',
  nothingInMaintenance: 'Nothing is in maintenance.',
  from: (until: string, from: string) => `until ${until}, since ${from}`,
  recurring: 'Recurring maintenance',
  recurringLead:
    'Begins at this time by the clock of this machine, also after a change to or from daylight saving time.',
  day: 'When',
  everyDay: 'Every day',
  days: {
    Sun: 'Sundays',
    Mon: 'Mondays',
    Tue: 'Tuesdays',
    Wed: 'Wednesdays',
    Thu: 'Thursdays',
    Fri: 'Fridays',
    Sat: 'Saturdays',
  } satisfies Record<Recurrence['days'][number], string>,
  at: 'Time of day',
  duration: 'Duration',
  plan: 'Plan',
  planned: 'Planned',
  nothingPlanned: 'No maintenance is planned.',
  next: (every: string, next: string) => `${every}, next ${next}`,
  cancel: 'Cancel',
  cancelLabel: (name: string) => `Cancel the recurring maintenance of ${name}`,
  end: 'End',
  endLabel: (name: string) => `End the maintenance of ${name}`,
  muted: 'Muted on this machine',
  nothingMuted: 'Nothing is muted.',
  mutedUntil: (until: string) => `until ${until}`,
  unmute: 'Unmute',
  unmuteLabel: (name: string) => `Unmute ${name}`,
} as const;

export const portInUseTexts = {
  title: (port: number) => `Port ${port} is already in use`,
  lead: (owner: string, url: string) =>
    `${owner} is listening at ${url}. Other machines in the lab use this address, so it isn’t changed without your confirmation. When the port becomes free, the lab manager starts automatically.`,
  otherProgram: 'Another program',
  labManager: (details: readonly string[]) =>
    `Another MADSci lab manager${details.length === 0 ? '' : ` (${details.join(', ')})`}`,
  version: (version: string) => `version ${version}`,
  named: (name: string) => `“${name}”`,
  use: {
    title: 'Use that lab manager',
    text: 'Shows its lab in this window and the tray, without taking its place.',
    button: 'Use it',
  },
  ours: (account: string | null, file: string) =>
    `Lab Manager, run ${account === null ? 'with other settings' : `by the account ${account}`} (${file}),`,
  connect: {
    title: (account: string | null) =>
      account === null ? 'Use the running lab manager' : `Use the lab manager of ${account}`,
    text: (account: string | null, file: string) =>
      account === null
        ? `Shows its lab. To use your own settings at this port instead, end the program that runs it. Your settings stay in ${file}.`
        : `Shows its lab. Nothing changes for ${account} or for other machines. To change the lab’s settings, ask ${account}. Your settings stay in ${file}.`,
    button: 'Connect with these settings',
  },
  own: {
    title: 'Run your own lab manager',
    text: (port: number) =>
      `Your lab is served on another port. Other machines keep the addresses of the other lab at port ${port} until they are given yours.`,
    button: 'Run mine',
  },
  port: 'Port',
  noPort: 'Enter a port from 1 to 65535',
  network: 'Network',
  allNetworks: 'All networks',
  loopback: 'This machine only',
  free: {
    title: 'Start on another port',
    saved: (port: number, file: string) =>
      `${port} is free. Other machines need the new address. It is saved in ${file}.`,
    temporary: (port: number, because: string) =>
      `${port} is free. Other machines need the new address. For this start only, because ${because}.`,
    button: (port: number) => `Use ${port}`,
  },
  details: 'Details',
  error: (port: number, process: string | null) =>
    `listen EADDRINUSE port ${port}${process === null ? '' : `, process ${process}`}`,
} as const;

export const serviceLostTexts = {
  title: (since: string) => `The lab manager service has not answered since ${since}`,
  lead: (url: string, reason: string) =>
    `The service at ${url} runs outside this app, and does not answer: ${reason}. The dashboard comes back by itself when the service answers again.`,
  serve: {
    title: 'Run the service in this app',
    text: 'Other machines then get the service addresses from this app while it runs.',
    button: 'Run it here',
  },
} as const;

export const settingsErrorTexts = {
  title: (count: number) => (count === 1 ? 'A setting has an error' : `${count} settings have errors`),
  lead: 'The lab manager starts automatically as soon as every setting is valid.',
  openFile: 'Open file',
  problem: (key: string | null, message: string) => `${key ?? 'The file is'} ${message}`,
  where: 'Where',
  found: 'Found',
  expected: 'Expected',
  labFolder: (path: string) => `Lab folder: ${path}`,
  otherFolder: 'Choose another lab folder…',
} as const;
