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
