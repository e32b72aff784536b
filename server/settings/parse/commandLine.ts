/**
 * The command line: one table of the programs' own options, and every setting as an option.
 */
import { findOption, isSilentKey, settingOptions } from '../schema/names.ts';
import { shortenedAddress } from '../../logging/text.ts';
import { makeProblem } from './problem.ts';
import { settingOf, type SettingName } from '../schema/table.ts';
import { isUnknownOption, unknownOption } from './unknownKeys.ts';
import { isNone } from './values.ts';
import type { Candidate } from './merge.ts';
import { programOptions } from './programOptions.ts';
import type { SettingsInputs, SettingsProblem } from '../schema/types.ts';

/** Those with a value. */
type ValueName = 'settingsDir' | 'bundle' | 'maintenance' | 'until';

/** What stands for a value that is missing. */
const valueWords: Readonly<Record<ValueName, string>> = {
  settingsDir: 'a directory',
  bundle: 'a file',
  maintenance: 'lab, a manager, or node: and its name',
  until: 'a time',
};
type FlagName = Exclude<keyof typeof programOptions, ValueName>;

/** Which of the programs' options were given. */
type CommandLineFlags = { readonly [Name in FlagName]: boolean } & {
  readonly [Name in ValueName]: string | null;
};

export interface CommandLine {
  readonly values: readonly Candidate[];
  readonly flags: CommandLineFlags;
  readonly problems: readonly SettingsProblem[];
}

const optionIds = Object.keys(programOptions) as readonly (keyof typeof programOptions)[];
const programIds: ReadonlyMap<string, keyof typeof programOptions> = new Map(
  optionIds.flatMap((id) => programOptions[id].names.map((name) => [name, id] as const)),
);
const knownOptions: readonly string[] = [...programIds.keys(), ...settingOptions];

function takesValue(id: keyof typeof programOptions): id is ValueName {
  return programOptions[id].value !== null;
}

/** As given: the option, and its values in their order. */
type GivenSettings = Map<SettingName, { option: string; texts: string[] }>;

const noFlags: Readonly<Record<FlagName, boolean>> = {
  help: false,
  version: false,
  checkSettings: false,
  headless: false,
  hidden: false,
  doctor: false,
  json: false,
  notifyTest: false,
  status: false,
  demo: false,
};
const noValues: Readonly<Record<ValueName, string | null>> = {
  settingsDir: null,
  bundle: null,
  maintenance: null,
  until: null,
};

/** Whether an unknown option is ours to complain about when Chromium's and Electron's switches are around. */
function looksOurs(option: string): boolean {
  return /^--lab[-_]/.test(option) || /^--.*[-_]server[-_]url$/.test(option);
}

/** Options of the app's command line that are ours to know and that nobody knows; Chromium's switches pass. */
export function unknownOptions(argv: readonly string[]): readonly SettingsProblem[] {
  return parseCommandLine(argv, 'desktop').problems.filter(isUnknownOption);
}

/**
 * Reads the arguments after the program's own. `--name value` and `--name=value` are the same; of a repeated option
 * the last counts, and lists add up; a boolean setting without a value is true.
 */
export function parseCommandLine(argv: readonly string[], mode: SettingsInputs['commandLine']): CommandLine {
  const given = { ...noFlags };
  const named = { ...noValues };
  const values: GivenSettings = new Map();
  const problems: SettingsProblem[] = [];
  const complain = (key: string, message: string, expected: string) =>
    problems.push(makeProblem({ severity: 'error', source: 'command line', key, message, expected }));

  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    const [, option = argument, inline] = /^(--[^=]+)=([\s\S]*)$/.exec(argument) ?? [];
    const following = argv[index + 1];
    const detached = inline === undefined && following !== undefined && !following.startsWith('--') ? following : null;
    const value = inline ?? detached;
    const id = programIds.get(option);
    const name = findOption(option);
    if (id !== undefined && takesValue(id)) {
      index += detached === null ? 0 : 1;
      if (value === null || value === '') {
        complain(option, 'needs a value', valueWords[id]);
      } else {
        named[id] = value;
      }
    } else if (id !== undefined) {
      given[id] = true;
      if (inline !== undefined) {
        complain(option, 'takes no value', `${option} alone`);
      }
    } else if (name !== null) {
      index += detached === null ? 0 : 1;
      const text = value ?? (settingOf(name).kind === 'boolean' ? 'true' : null);
      if (text === null) {
        complain(option, 'needs a value', `${option} ${settingOf(name).example}`);
      } else {
        values.set(name, { option, texts: [...(values.get(name)?.texts ?? []), text] });
      }
    } else if (option.startsWith('--') && isSilentKey(option.slice(2))) {
      index += detached === null ? 0 : 1;
    } else if (mode === 'headless' || looksOurs(option)) {
      if (option.startsWith('-') && option !== '--') {
        problems.push(unknownOption(option, knownOptions));
      } else {
        // A second webhook after a space is one, too.
        const shown = /^[a-z][a-z\d+.-]*:\/\//i.test(argument) ? shortenedAddress(argument) : argument;
        complain(shown, 'is an unexpected argument', 'options only, listed by --help');
      }
      index += option.startsWith('--') && detached !== null ? 1 : 0;
    }
  }
  return { values: candidatesOf(values), flags: { ...given, ...named }, problems };
}

/** Of a list whose last value empties it only that one counts. */
function candidatesOf(values: GivenSettings): readonly Candidate[] {
  return [...values].map(([name, { option, texts }]): Candidate => {
    const last = texts.at(-1) ?? '';
    const raw = isNone({ style: 'text', text: last }) ? [last] : texts;
    return {
      name,
      prefixed: true,
      raw: { style: 'option', texts: raw },
      origin: { source: 'command line', name: option, file: null, path: null, line: null },
      column: null,
    };
  });
}
