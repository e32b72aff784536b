/** The programs' own options, which are no settings. */

/** An option of our programs that is no setting. */
export interface ProgramOption {
  readonly names: readonly string[];
  /** What stands for its value in `--help`; `null` for an option without one. */
  readonly value: string | null;
  readonly help: string;
}

export const programOptions = {
  help: { names: ['--help', '-h'], value: null, help: 'Show help and exit' },
  version: { names: ['--version'], value: null, help: 'Print the version, and exit' },
  checkSettings: {
    names: ['--check-settings'],
    value: null,
    help: 'Print every problem of the settings, or the settings and where they come from, and exit',
  },
  headless: { names: ['--headless'], value: null, help: 'Run the service without a window' },
  hidden: { names: ['--hidden'], value: null, help: 'Start in the tray, without opening the window' },
  doctor: {
    names: ['--doctor'],
    value: null,
    help: 'Look for what is wrong with this machine, the settings, the managers and the network between, and exit; 0 without a problem',
  },
  json: { names: ['--json'], value: null, help: 'With --doctor: print JSON' },
  bundle: {
    names: ['--bundle'],
    value: 'FILE',
    help: 'Save log, settings, checks and state of the lab as one ZIP file, without secrets, print what it holds, and exit',
  },
  maintenance: {
    names: ['--maintenance'],
    value: 'WHAT',
    help: 'Put the lab, a manager (data) or a node (node:NAME) into maintenance until the time of --until, and exit',
  },
  until: {
    names: ['--until'],
    value: 'TIME',
    help: 'With --maintenance: 30m, 2h, 3d, 18:00, tomorrow (8:00), 2026-03-02T08:00, or now to end it',
  },
  notifyTest: { names: ['--notify-test'], value: null, help: 'Send a test message to each webhook, and exit' },
  status: { names: ['--status'], value: null, help: 'Print the health of the lab, and exit' },
  demo: {
    names: ['--demo'],
    value: null,
    help: 'Run on a simulated lab of six managers and five nodes, without your settings, for this machine alone',
  },
  settingsDir: {
    names: ['--settings-dir', '--settings_dir'],
    value: 'DIR',
    help: 'Where the search for settings files starts; the current directory otherwise',
  },
} as const satisfies Readonly<Record<string, ProgramOption>>;
