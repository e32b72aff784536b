/**
 * Settings outside files: from the command line, with one table of the programs' own options; from the environment; and
 * from the program that starts the service.
 */
import { roles } from '#api/lab/access.ts';
import { findByOption, isIgnoredKey, settingOptions, envNames, findByEnvName } from '../schema/names.ts';
import { shortenAddress } from '../../logging/text.ts';
import {
  isNumberedAddress,
  makeProblem,
  isUnknownOption,
  unknownOption,
  unknownEnvironment,
  type Candidate,
  type RawValue,
} from './problem.ts';
import { getSetting, type SettingName, settingNames } from '../schema/table.ts';
import { isNone } from './values.ts';
import type { Origin, SettingsInputs, SettingsProblem } from '../schema/types.ts';
import { findNearestName } from '#api/nearestName.ts';

/** An option of our programs that is not a setting. */
export interface ProgramOption {
  readonly names: readonly string[];
  /** The placeholder of its value in `--help`; missing for an option without one. */
  readonly value?: string;
  /** The text for a missing value. */
  readonly syntax?: string;
  readonly help: string;
}

export const programOptions = {
  help: { names: ['--help', '-h'], help: 'Show help and exit' },
  version: { names: ['--version'], help: 'Print the version, and exit' },
  checkSettings: {
    names: ['--check-settings'],
    help: 'Print every problem of the settings, or the settings and where they come from, and exit',
  },
  headless: { names: ['--headless'], help: 'Run the service without a window' },
  hidden: { names: ['--hidden'], help: 'Start in the tray, without opening the window' },
  quit: {
    names: ['--quit'],
    help: 'Quit the running app without confirmation, and exit once it has ended; 4 if no app is running',
  },
  doctor: {
    names: ['--doctor'],
    help: 'Check this machine, the settings, the managers and the network between them, and exit; 0 without a problem',
  },
  json: { names: ['--json'], help: 'With --doctor: print JSON' },
  bundle: {
    names: ['--bundle'],
    value: 'FILE',
    syntax: 'a file',
    help: 'Save log, settings, checks and state of the lab as one ZIP file, without secrets, print its contents, and exit',
  },
  maintenance: {
    names: ['--maintenance'],
    value: 'WHAT',
    syntax: 'lab, a manager, node: and its name, or list',
    help: 'Put the lab, a manager (data) or a node (node:NAME) into maintenance until the time of --until, or regularly with --every and --for, and exit; list shows what is in maintenance and planned',
  },
  until: {
    names: ['--until'],
    value: 'TIME',
    syntax: 'a time',
    help: 'With --maintenance: 30m, 2h, 3d, 18:00, tomorrow (8:00), 2026-03-02T08:00, or now to end it',
  },
  every: {
    names: ['--every'],
    value: 'TIME',
    syntax: 'days and a time of day',
    help: 'With --maintenance and --for: begin it at each Sun 02:00, Mon,Thu 22:30 or daily 03:00, by the clock of this machine; never cancels it',
  },
  for: {
    names: ['--for'],
    value: 'DURATION',
    syntax: 'a duration',
    help: 'With --every: how long it lasts: 30m, 2h, 1d',
  },
  user: {
    names: ['--user'],
    value: 'ACTION [NAME]',
    syntax: 'list, or add, role, password or remove and a name',
    help: 'Users of remote access: list; add, role (both with --role), password or remove and a name; reads passwords from the terminal or the standard input, and exits',
  },
  token: {
    names: ['--token'],
    value: 'ACTION [NAME]',
    syntax: 'list, or create or revoke and a name',
    help: 'API tokens of remote access: list; create (with --role) or revoke and a name; and exit',
  },
  role: {
    names: ['--role'],
    value: 'ROLE',
    syntax: roles.join(', '),
    help: `With --user and --token: ${roles.join(', ')}`,
  },
  notifyTest: { names: ['--notify-test'], help: 'Send a test message to each webhook, and exit' },
  status: { names: ['--status'], help: 'Print the health of the lab, and exit' },
  safetyStop: {
    names: ['--safety-stop'],
    help: 'Stop all nodes at once, without asking, print the result of each, and exit; 0 if every node confirmed',
  },
  ping: {
    names: ['--ping'],
    help: 'Check that the lab manager of this machine responds, whatever the state of the lab, and exit; 0 if it does',
  },
  demo: {
    names: ['--demo'],
    help: 'Run on a simulated lab of six managers and five nodes, without your settings, for this machine alone',
  },
  settingsDir: {
    names: ['--settings-dir', '--settings_dir'],
    value: 'DIR',
    syntax: 'a directory',
    help: 'Where the search for settings files starts; the current directory otherwise',
  },
} as const satisfies Readonly<Record<string, ProgramOption>>;

type OptionId = keyof typeof programOptions;

/** The programs' own options: whether they were given, or their values. */
type CommandLineFlags = {
  -readonly [Id in OptionId]: (typeof programOptions)[Id] extends { readonly value: string } ? string | null : boolean;
};

interface CommandLine {
  readonly values: readonly Candidate[];
  readonly flags: CommandLineFlags;
  readonly problems: readonly SettingsProblem[];
}

const optionEntries = Object.entries(programOptions) as readonly [OptionId, ProgramOption][];
const optionsByName: ReadonlyMap<string, ProgramOption & { readonly id: OptionId }> = new Map(
  optionEntries.flatMap(([id, option]) => option.names.map((name) => [name, { id, ...option }] as const)),
);
const knownOptions: readonly string[] = [...optionsByName.keys(), ...settingOptions];
/** Options whose value may have a second word. */
const withSecondWord: ReadonlySet<OptionId> = new Set(['user', 'token']);

/** The given settings, each with its option and values in order. */
type OptionSettings = Map<SettingName, { option: string; texts: string[] }>;

/** Whether an unknown option is an error although Chromium's and Electron's switches are accepted. */
function isOwnOption(option: string): boolean {
  return /^--lab[-_]/.test(option) || /^--.*[-_]server[-_]url$/.test(option);
}

/** Unknown options of the app's command line that match our naming; Chromium's switches are accepted. */
export function unknownOptions(argv: readonly string[]): readonly SettingsProblem[] {
  return parseCommandLine(argv, 'desktop').problems.filter(isUnknownOption);
}

/**
 * Parses the arguments after the program's own. `--name value` and `--name=value` are equal; the last of a repeated
 * option counts, and lists are concatenated; a boolean setting without a value is true.
 */
export function parseCommandLine(argv: readonly string[], mode: SettingsInputs['commandLine']): CommandLine {
  const flags: Partial<Record<OptionId, string | boolean | null>> = Object.fromEntries(
    optionEntries.map(([id, { value }]) => [id, value === undefined ? false : null]),
  );
  const values: OptionSettings = new Map();
  const problems: SettingsProblem[] = [];
  const addProblem = (key: string, message: string, expected: string) =>
    problems.push(makeProblem({ severity: 'error', source: 'command line', key, message, expected }));

  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    const [, option = argument, inline] = /^(--[^=]+)=([\s\S]*)$/.exec(argument) ?? [];
    const following = argv[index + 1];
    const detached = inline === undefined && following !== undefined && !following.startsWith('--') ? following : null;
    const value = inline ?? detached;
    const program = optionsByName.get(option);
    const name = findByOption(option);
    if (program?.value !== undefined) {
      index += detached === null ? 0 : 1;
      if (value === null || value === '') {
        addProblem(option, 'needs a value', program.syntax ?? '');
      } else {
        const second = withSecondWord.has(program.id) ? argv[index + 1] : undefined;
        const hasSecondWord = second !== undefined && !second.startsWith('-');
        index += hasSecondWord ? 1 : 0;
        flags[program.id] = hasSecondWord ? `${value} ${second}` : value;
      }
    } else if (program !== undefined) {
      flags[program.id] = true;
      if (inline !== undefined) {
        addProblem(option, 'takes no value', `${option} alone`);
      }
    } else if (name !== null) {
      index += detached === null ? 0 : 1;
      const text = value ?? (getSetting(name).kind === 'boolean' ? 'true' : null);
      if (text === null) {
        addProblem(option, 'needs a value', `${option} ${getSetting(name).example}`);
      } else {
        values.set(name, { option, texts: [...(values.get(name)?.texts ?? []), text] });
      }
    } else if (option.startsWith('--') && isIgnoredKey(option.slice(2))) {
      index += detached === null ? 0 : 1;
    } else if (mode === 'headless' || isOwnOption(option)) {
      if (option.startsWith('-') && option !== '--') {
        problems.push(unknownOption(option, knownOptions));
      } else {
        // A second webhook after a space is an address, too.
        const displayed = /^[a-z][a-z\d+.-]*:\/\//i.test(argument) ? shortenAddress(argument) : argument;
        addProblem(displayed, 'is an unexpected argument', 'options only, listed by --help');
      }
      index += option.startsWith('--') && detached !== null ? 1 : 0;
    }
  }
  return { values: toCandidates(values), flags: flags as CommandLineFlags, problems };
}

function createCandidate(name: SettingName, raw: RawValue, source: Origin['source'], key: string): Candidate {
  const origin = { source, name: key, file: null, path: null, line: null };
  return { name, isPrefixed: true, raw, origin, column: null };
}

/** If the last value of a repeated option is none, only that one counts. */
function toCandidates(values: OptionSettings): readonly Candidate[] {
  return [...values].map(([name, { option, texts }]): Candidate => {
    const last = texts.at(-1) ?? '';
    const raw = isNone({ style: 'text', text: last }, getSetting(name)) ? [last] : texts;
    return createCandidate(name, { style: 'option', texts: raw }, 'command line', option);
  });
}

/**
 * The environment's settings: `LAB_*`, and the service addresses without a prefix, in any case. The last of several
 * spellings of a variable counts, as in MADSci's lab manager. A `LAB_` variable that looks like a mistyped setting is a
 * warning; others are ignored.
 */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly SettingsProblem[];
} {
  const candidates: Candidate[] = [];
  const problems: SettingsProblem[] = [];
  for (const [variable, text] of Object.entries(env)) {
    const name = findByEnvName(variable);
    if (text === undefined) {
      continue;
    }
    if (name !== null) {
      candidates.push(createCandidate(name, { style: 'text', text }, 'environment', variable));
    } else if (isNumberedAddress(variable) || (/^lab_/i.test(variable) && !isIgnoredKey(variable))) {
      problems.push(...unknownEnvironment(variable, envNames));
    }
  }
  return { candidates, problems };
}

/** The possible names of an argument; `lab_server_url` is a key of `context.*` files, not an argument. */
const names: readonly SettingName[] = settingNames.filter((name) => name !== 'lab_server_url');

/**
 * Settings from the program that starts the service, by unprefixed name; only the command line has a higher priority.
 * `undefined` means that a setting is not given; an unknown name is an error.
 */
export function readOverrides(overrides: Readonly<Record<string, unknown>>): {
  readonly candidates: readonly Candidate[];
  readonly problems: readonly SettingsProblem[];
} {
  const candidates: Candidate[] = [];
  const problems: SettingsProblem[] = [];
  for (const [key, value] of Object.entries(overrides)) {
    const name = names.find((candidate) => candidate === key);
    if (value === undefined) {
      continue;
    }
    if (name === undefined) {
      const nearest = findNearestName(key, names);
      problems.push(
        makeProblem({
          severity: 'error',
          source: 'argument',
          key,
          value,
          message: 'there is no such setting',
          expected: nearest === null ? 'the unprefixed name of a setting' : `did you mean ${nearest}?`,
        }),
      );
    } else {
      candidates.push(createCandidate(name, { style: 'native', value }, 'argument', key));
    }
  }
  return { candidates, problems };
}
