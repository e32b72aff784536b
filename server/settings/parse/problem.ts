/**
 * The common results of all parsers: keys with raw values and positions, and problems without redundant fields or
 * secrets.
 */
import { managerKeys } from '#api/managers.ts';
import { cleanText, toOneLine } from '../../logging/text.ts';
import { allSettings, type SettingName } from '../schema/table.ts';
import type { SettingsProblem, Origin } from '../schema/types.ts';
import { errorText } from '#api/errorText.ts';
import { redactText } from '../../logging/redact.ts';
import { findNearestName } from '#api/nearestName.ts';
import { findByFileKey, isIgnoredKey, knownFileKeys, type FileGroup } from '../schema/names.ts';

const secretNamePattern = /password|passwd|token|secret|credential|api_?key|webhook/i;
const secretSettings = allSettings.filter(({ isSecret }) => isSecret).map(({ name }) => name);
const credentialsInUrl = /([a-z][a-z0-9+.-]*:\/\/)[^/?#@\s]*@/gi;
const truncatedCredentials = /([a-z][a-z0-9+.-]*:\/\/)[^/?#@\s]*(?:@|$)/gi;
const maxValueLength = 200;
const maxScannedLength = 1000;
const maxKeyLength = 100;

/** Whether a key, in any source's spelling, has a secret value: `--lab-notify-webhook-url`. */
function isSecretKey(key: string): boolean {
  const name = key.toLowerCase().replace(/[^a-z\d]+/g, '_');
  return secretNamePattern.test(key) || secretSettings.some((setting) => name.endsWith(setting));
}

/**
 * The maximum number of shown items and levels of a list or mapping; the rest is `…`. A value may contain itself (YAML
 * aliases).
 */
const maxShownItems = 10;
const maxShownLevels = 3;

/** Any value as JSON-like text of bounded length. */
function valueText(value: unknown, levels: number): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.slice(0, maxValueLength + 1));
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return value instanceof Date ? JSON.stringify(value) : String(value);
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (levels === 0) {
    return `${open}…${close}`;
  }
  const entries = Object.entries(value);
  const items = entries.slice(0, maxShownItems).map(([key, item]: [string, unknown]) => {
    const text = !Array.isArray(value) && isSecretKey(key) ? '***REDACTED***' : valueText(item, levels - 1);
    return Array.isArray(value) ? text : `${JSON.stringify(key.slice(0, maxKeyLength))}:${text}`;
  });
  return `${open}${[...items, ...(entries.length > maxShownItems ? ['…'] : [])].join(',')}${close}`;
}

/**
 * A displayable text of a value: values of keys that look like secrets are hidden completely, user and password in
 * addresses are hidden, long texts are truncated, and terminal controls are removed.
 */
export function redact(key: string | null, value: unknown): string {
  if (key !== null && isSecretKey(key)) {
    return '***REDACTED***';
  }
  const text = typeof value === 'string' ? value : valueText(value, maxShownLevels);
  // Only this part is scanned; if it ends within an address, the end counts as the end of the password.
  const start = text.slice(0, maxScannedLength);
  const safe = start.replace(text.length > maxScannedLength ? truncatedCredentials : credentialsInUrl, '$1***@');
  return cleanText(safe, maxValueLength + 1);
}

/** Creates a problem from the known fields; redacts `value`. */
export function makeProblem(
  fields: Pick<SettingsProblem, 'severity' | 'source' | 'message'> &
    Partial<Omit<SettingsProblem, 'value'>> & { readonly value?: unknown },
): SettingsProblem {
  const { value, key = null, message, ...rest } = fields;
  return {
    path: null,
    line: null,
    column: null,
    expected: null,
    ...rest,
    // Key and message may contain text of a file.
    key: key === null ? null : cleanText(key, maxKeyLength),
    message: cleanText(message),
    value: value === undefined ? null : redact(key, value),
  };
}

/**
 * A problem in one line: `/lab/settings.yaml:12:3: lab_server_url = "ftp://x": has the scheme ftp, not http or https;
 * expected: …`.
 */
export function formatProblem(problem: SettingsProblem): string {
  const { path, line, column, key, value, expected } = problem;
  const location = path === null ? problem.source : [path, line, column].filter((part) => part !== null).join(':');
  const subject = key === null ? '' : value === null ? `${key}: ` : `${key} = ${JSON.stringify(value)}: `;
  const advice = expected === null ? '' : expected.endsWith('?') ? `; ${expected}` : `; expected: ${expected}`;
  return toOneLine(`${location}: ${subject}${problem.message}${advice}`);
}

/**
 * A value before it is parsed. `text`: environment and dotenv, lists are JSON. `option`: command line, an option may
 * be repeated. `native`: files and constructor arguments, with their own types.
 */
export type RawValue =
  | { readonly style: 'text'; readonly text: string }
  | { readonly style: 'option'; readonly texts: readonly string[] }
  | { readonly style: 'native'; readonly value: unknown };

/** Line and column count from 1; `null` where they are unknown. */
export interface Place {
  readonly line: number | null;
  readonly column: number | null;
}

/** A top-level key of a source. */
export interface FoundKey extends Place {
  readonly key: string;
  readonly raw: RawValue;
}

/** A top-level key in the text of a file; offsets. */
export interface FileEntry {
  readonly key: string;
  readonly start: number;
  /** With its quotes; `null` for a table in TOML, and for a value of several lines there. */
  readonly value: { readonly start: number; readonly end: number } | null;
}

/** The result of a parser. If the problems contain an error, the keys may be incomplete. */
export interface Reading {
  readonly keys: readonly FoundKey[];
  readonly problems: readonly SettingsProblem[];
}

/** A place in a text; line and column count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Lines and columns of a text with LF, CRLF or CR line endings; computed once, so that many lookups are cheap. */
export class LinePositions {
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#starts = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), (end) => end.index + end[0].length)];
  }

  /** The place of an offset. */
  positionOf(offset: number): Position {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}

/** The maximum used length of a parser's message, in characters. */
const maxReasonLength = 1000;

/** A parser's error message; a stack overflow by nesting is described in the user's terms. */
export function parserReason(error: unknown): string {
  const message = errorText(error);
  return /call stack|stack overflow/i.test(message)
    ? 'lists or mappings are nested too deeply'
    : // A parser may quote the invalid text.
      redactText(message.slice(0, maxReasonLength));
}

/** A setting's raw value and its origin. */
export interface Candidate {
  readonly name: SettingName;
  /** Whether it has the prefix; true for sources with only one spelling. */
  readonly isPrefixed: boolean;
  readonly raw: RawValue;
  readonly origin: Origin;
  readonly column: number | null;
}

/** The candidates of one source: a file, the environment, the arguments, the command line. */
export type Layer = readonly Candidate[];

/** A warning about a valid value, at its position. */
export function createWarning(
  { origin: { source, path, line, name }, column }: Candidate,
  fields: { readonly value: string; readonly message: string; readonly expected: string },
): SettingsProblem {
  return makeProblem({ severity: 'warning', source, path, line, column, key: name, ...fields });
}

/** The advice for a Windows path in double quotes. */
export const backslashAdvice = String.raw`backslashes in single quotes, or each of them twice: 'C:\lab' or "C:\\lab"`;

const normalizeKey = (name: string): string => name.toLowerCase().replaceAll('-', '_');

/** What replaces settings that other versions of MADSci or people expect, by their unprefixed names. */
const replacements: ReadonlyMap<string, string> = new Map([
  ['manager_definition', 'lab_manager_name and the managers’ addresses; MADSci has no definition files since 0.7'],
  ['port', 'the port in lab_server_url, or lab_listen_port'],
  ['host', 'lab_listen_host'],
]);

/** The advice for an unknown name. @param fallback used if no setting is similar */
function adviseName<Fallback>(name: string, nearest: string | null, fallback: Fallback): string | Fallback {
  const replacement = replacements.get(normalizeKey(name).replace(/^_*(?:lab_)?/, ''));
  return replacement ?? (nearest === null ? fallback : `did you mean ${nearest}?`);
}

/** One of several addresses of a kind of manager: `WORKCELL_SERVER_URL_0`. A lab has one manager of each kind. */
const numberedAddress = new RegExp(`^(?:lab_)?(?:${managerKeys.join('|')})_server_url_?\\d+$`, 'i');
export const isNumberedAddress = (name: string): boolean => numberedAddress.test(name);
const noSuchSetting = 'there is no such setting, so this is ignored';
const numberedProblem = {
  severity: 'warning',
  message: 'a lab manager has one manager of each kind, so this is ignored',
  expected:
    'a lab manager for each of them, which Many labs shows together: see “A lab with several workcells” in the guide (many-labs)',
} as const;

/** The known file key closest to an unknown one; a known key with an invalid prefix counts as close too. */
function nearestFileKey(key: string, group: FileGroup): string | null {
  const bare = normalizeKey(key).replace(/^lab_/, '');
  return findByFileKey(bare, group) === null ? findNearestName(key, knownFileKeys(group)) : bare;
}

/**
 * Warnings for the unknown keys of a file: for every one in a lab manager's own files, and only for probable typos in
 * `context.*` files, which belong to the whole lab. In shared files, unknown keys belong to other managers.
 */
export function unknownFileKeys(
  keys: readonly FoundKey[],
  file: { readonly group: FileGroup; readonly path: string; readonly source: SettingsProblem['source'] },
): readonly SettingsProblem[] {
  const warn = ({ key, line, column }: FoundKey, text: Pick<SettingsProblem, 'message' | 'expected'>) =>
    makeProblem({ severity: 'warning', source: file.source, path: file.path, line, column, key, ...text });
  const numbered = keys.filter(({ key }) => isNumberedAddress(key)).map((found) => warn(found, numberedProblem));
  if (file.group === 'shared') return numbered;
  const others = keys
    .filter(({ key }) => !isNumberedAddress(key))
    .flatMap((found) => {
      const nearest = nearestFileKey(found.key, file.group);
      if (isIgnoredKey(found.key) || (file.group === 'context' && nearest === null)) return [];
      const expected = adviseName(found.key, nearest, 'a setting listed by --help');
      return [warn(found, { message: noSuchSetting, expected })];
    });
  return [...numbered, ...others];
}

/** A warning for a `LAB_` variable that looks like a mistyped setting; otherwise an empty list. */
export function unknownEnvironment(variable: string, knownNames: readonly string[]): readonly SettingsProblem[] {
  if (isNumberedAddress(variable)) return [makeProblem({ ...numberedProblem, source: 'environment', key: variable })];
  const advice = adviseName(variable, findNearestName(variable, knownNames), null);
  return advice === null
    ? []
    : [
        makeProblem({
          severity: 'warning',
          source: 'environment',
          key: variable,
          message: noSuchSetting,
          expected: advice,
        }),
      ];
}

const noSuchOption = 'there is no such option';

export function isUnknownOption({ source, message }: SettingsProblem): boolean {
  return source === 'command line' && message === noSuchOption;
}

/** The error for an unknown option, with the nearest known one. */
export function unknownOption(option: string, knownNames: readonly string[]): SettingsProblem {
  const nearest = findNearestName(option, knownNames);
  return makeProblem({
    severity: 'error',
    source: 'command line',
    key: option,
    message: noSuchOption,
    expected: adviseName(option, nearest, 'an option listed by --help'),
  });
}
