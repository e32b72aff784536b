/**
 * Parses the raw value of a source into a typed one, with one parser for each kind of setting. Errors are returned as
 * ends of sentences, never thrown for user input. Source: the values that MADSci 0.8.1 accepts.
 */
import { isTimeZone } from '#api/time/time.ts';
import { addressProblem } from '../../channels/channels.ts';
import { parseAddress, parseNetwork } from '../../net/networks.ts';
import { isInvalidPath, resolveConfiguredPath, type PathBase } from './discovery.ts';
import type { RawValue } from './problem.ts';
import type { SettingKind } from '../schema/definition.ts';
import type { LogLevel } from '../../logging/log.ts';
import { fleetEntryText, originError, parseFleetEntry, parseHost, parseUrl, type Parsed } from './addresses.ts';
import { parseGroupRole } from '../schema/groupRoles.ts';
import { isOptional, type Setting } from '../schema/table.ts';
import { tryParseUrl } from '#api/url.ts';

const invalid = (message: string): Parsed<never> => ({ ok: false, message });
const valid = <Value>(value: Value): Parsed<Value> => ({ ok: true, value });

const noneValues = new Set(['', 'None', 'none', 'null']);
const booleanValues: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on', 't', 'y'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off', 'f', 'n'].map((word) => [word, false] as const),
]);
const levelNames: ReadonlyMap<string, LogLevel> = new Map([
  ['DEBUG', 'DEBUG'],
  ['INFO', 'INFO'],
  ['WARNING', 'WARNING'],
  ['WARN', 'WARNING'],
  ['ERROR', 'ERROR'],
  ['CRITICAL', 'CRITICAL'],
  ['FATAL', 'CRITICAL'],
]);
const levelsByTen: readonly LogLevel[] = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'];

/** The value as the source provides it: text, all values of a repeated option, or a file's own type. */
export function plainValue(raw: RawValue): unknown {
  switch (raw.style) {
    case 'text':
      return raw.text;
    case 'option':
      return raw.texts.length > 1 ? raw.texts : raw.texts[0];
    case 'native':
      return raw.value;
  }
}

const lastValue = (raw: RawValue): unknown => (raw.style === 'option' ? raw.texts.at(-1) : plainValue(raw));

function describeType(value: unknown): string {
  if (value === null || value === undefined) {
    return 'nothing';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  if (value instanceof Date) {
    return 'a date';
  }
  return (
    { boolean: 'true or false', number: 'a number', bigint: 'a number', string: 'text' }[typeof value as 'string'] ??
    'a mapping'
  );
}

function parseBoolean(value: unknown): Parsed<boolean> {
  if (typeof value === 'boolean') {
    return valid(value);
  }
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';
  const parsed = booleanValues.get(word);
  return parsed === undefined ? invalid('is not a boolean') : valid(parsed);
}

function parseInteger(value: unknown): Parsed<number> {
  const number =
    typeof value === 'string' && /^\s*[+-]?\d+(?:_\d+)*(?:\.0+)?\s*$/.test(value)
      ? Number(value.replaceAll('_', ''))
      : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? valid(number) : invalid('is not a whole number');
}

function parseNumber(value: unknown): Parsed<number> {
  const number =
    typeof value === 'string' && /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)
      ? Number(value)
      : value;
  return typeof number === 'number' && Number.isFinite(number) ? valid(number) : invalid('is not a number');
}

const hasControlCharacter = 'contains a line break or another control character: in double quotes \\n is a line break';

function parseText(value: unknown): Parsed<string> {
  return typeof value === 'string'
    ? valid(value)
    : invalid(`is ${describeType(value)}, not text${typeof value === 'object' ? '' : '; put it in quotes'}`);
}

/** Names are part of titles, mails, logs and headers. A block of YAML ends with a line break. */
function parseLines(value: unknown, excluded: RegExp): Parsed<string> {
  const text = parseText(value);
  if (!text.ok) return text;
  const line = text.value.replace(/[\r\n]+$/, '');
  return excluded.test(line) ? invalid(hasControlCharacter) : valid(line);
}

function parseLevel(value: unknown): Parsed<LogLevel> {
  const name = typeof value === 'string' ? levelNames.get(value.trim().toUpperCase()) : undefined;
  if (name !== undefined) {
    return valid(name);
  }
  const number = parseInteger(value);
  // A level between two names maps to the next more severe one.
  const byNumber = number.ok && number.value >= 10 ? levelsByTen[Math.ceil(number.value / 10) - 1] : undefined;
  return byNumber === undefined ? invalid('is not a logging level') : valid(byNumber);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the caller reports the expected form.
    return undefined;
  }
}

function parseStrings(raw: RawValue): Parsed<readonly string[]> {
  let list: unknown;
  switch (raw.style) {
    case 'native':
      list = raw.value;
      break;
    case 'text':
      list = parseJson(raw.text);
      break;
    case 'option':
      list = raw.texts.flatMap((text): unknown => {
        const json = text.trim().startsWith('[') ? parseJson(text) : text.split(',').map((part) => part.trim());
        return json ?? [undefined];
      });
      break;
  }
  return Array.isArray(list) && list.every((item) => typeof item === 'string' && item.trim() !== '')
    ? valid(list.map((item) => String(item).trim()))
    : invalid(raw.style === 'text' ? 'is not a JSON list of texts' : 'is not a list of texts');
}

/** A list whose items have no problem. @param findProblem the end of the message, `null` for a valid item */
function parseItems(
  raw: RawValue,
  findProblem: (text: string, index: number, texts: readonly string[]) => string | null,
): Parsed<readonly string[]> {
  const texts = parseStrings(raw);
  const problem = texts.ok ? texts.value.map(findProblem).find((message) => message !== null) : undefined;
  return problem == null ? texts : invalid(problem);
}

/** Accepts a single item, or several separated by commas, instead of a list. */
function splitList(raw: RawValue): RawValue {
  if (raw.style === 'text' && !raw.text.trim().startsWith('['))
    return { style: 'native', value: raw.text.split(',').map((part) => part.trim()) };
  return raw.style === 'native' && typeof raw.value === 'string' ? { style: 'native', value: [raw.value] } : raw;
}

function parseHosts(raw: RawValue): Parsed<readonly string[]> {
  const texts = parseItems(splitList(raw), (text) =>
    parseHost(text).ok ? null : `has "${text}", which is not a host name`,
  );
  if (!texts.ok) return texts;
  return valid(texts.value.map(parseHost).flatMap((host) => (host.ok ? [host.value] : [])));
}

function parseWebhooks(raw: RawValue): Parsed<readonly string[]> {
  return parseItems(splitList(raw), (text, index, { length }) => {
    const problem = addressProblem(text);
    return problem && `has an address that ${problem}${positionText(index, length)}`;
  });
}

/** The position of an address in its list: messages contain no address, because it may be a secret. @param index from 0 */
function positionText(index: number, count: number): string {
  return count === 1 ? '' : `, number ${index + 1} of ${count}`;
}

function parseNetworks(raw: RawValue): Parsed<readonly string[]> {
  return parseItems(raw, (text) =>
    parseNetwork(text) === null ? `has "${text}", which is neither an IP address nor a network` : null,
  );
}

function parseDatabase(value: unknown): Parsed<string> {
  const text = parseText(value);
  if (!text.ok) return text;
  const address = text.value.trim();
  const url = tryParseUrl(address);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol)) return invalid('is not a postgresql address');
  if (url.hostname === '') return invalid('names no server');
  return url.pathname.length > 1 ? valid(address) : invalid('names no database');
}

function parseIpAddress(value: unknown): Parsed<string> {
  const text = parseText(value);
  if (!text.ok) return text;
  const address = parseAddress(text.value.trim());
  return address === null ? invalid('is not an IP address') : valid(address);
}

function parseGroupRoles(raw: RawValue): Parsed<readonly string[]> {
  return parseItems(splitList(raw), (text) =>
    parseGroupRole(text) === null ? `has "${text}", which is not a group and a role` : null,
  );
}

function parseLabs(raw: RawValue): Parsed<readonly string[]> {
  const texts = parseStrings(splitList(raw));
  if (!texts.ok) return texts;
  const entries = texts.value.map(parseFleetEntry);
  const indexByUrl = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    if (!entry.ok) return invalid(`has a lab that ${entry.message}${positionText(index, entries.length)}`);
    const previous = indexByUrl.get(entry.value.url);
    if (previous !== undefined)
      return invalid(`has ${entry.value.url} twice, as numbers ${previous + 1} and ${index + 1}`);
    indexByUrl.set(entry.value.url, index);
  }
  return entries.length > maxLabs
    ? invalid(`has ${entries.length} labs; at most ${maxLabs} are allowed`)
    : valid(entries.flatMap((entry) => (entry.ok ? [fleetEntryText(entry.value)] : [])));
}

/** Accepts the file that openssl writes, or only its middle line. The first bytes identify an Ed25519 key of 32 bytes. */
function parsePublicKey(value: unknown): Parsed<string> {
  const text = parseText(value);
  if (!text.ok) return text;
  if (/PRIVATE KEY|^\s*MC4CAQAwBQYDK2Vw/.test(text.value))
    return invalid('is a private key, which only the signer may have; create a new key pair, and set its public key');
  const key = text.value.replaceAll(/-----(?:BEGIN|END) PUBLIC KEY-----|\s/g, '');
  return /^MCowBQYDK2VwAyEA[A-Za-z\d+/]{43}=$/.test(key) ? valid(key) : invalid('is not an Ed25519 public key');
}

function parseTimeZone(value: unknown): Parsed<string> {
  const text = parseText(value);
  if (!text.ok) return text;
  const zone = text.value.trim();
  return isTimeZone(zone) ? valid(zone) : invalid('is not a time zone');
}

function parsePath(value: unknown, base: PathBase): Parsed<string> {
  const text = parseText(value);
  if (!text.ok) {
    return text;
  }
  if (isInvalidPath(text.value)) return invalid('is not a path');
  // A Windows path in double quotes, such as "C:\new\table".
  if (/\p{Cc}/u.test(text.value.trim()))
    return invalid(`${hasControlCharacter}; use single quotes, or / instead of \\`);
  return valid(resolveConfiguredPath(text.value.trim(), base));
}

type Parser = (value: unknown, raw: RawValue, base: PathBase) => Parsed;

const parsePathOf: Parser = (value, _raw, base) => parsePath(value, base);
/** The parsers get the plain value, of a repeated option the last one; those of lists use the raw value. */
const parsers: Readonly<Record<SettingKind, Parser>> = {
  url: parseUrl,
  host: parseHost,
  hosts: (_value, raw) => parseHosts(raw),
  boolean: parseBoolean,
  integer: parseInteger,
  number: parseNumber,
  text: (value) => parseLines(value, /[\p{Cc}\u2028\u2029]/u),
  lines: (value) => parseLines(value, /[^\P{Cc}\t\r\n]/u),
  level: parseLevel,
  path: parsePathOf,
  file: parsePathOf,
  networks: (_value, raw) => parseNetworks(raw),
  origins: (_value, raw) => parseItems(raw, originError),
  ipAddress: parseIpAddress,
  database: parseDatabase,
  webhooks: (_value, raw) => parseWebhooks(raw),
  publicKey: parsePublicKey,
  timeZone: parseTimeZone,
  groupRoles: (_value, raw) => parseGroupRoles(raw),
  labs: (_value, raw) => parseLabs(raw),
  word: parseText,
  words: (_value, raw) => parseStrings(splitList(raw)),
};

/**
 * Whether a source's value is a spelling of "none": `None`, `none`, `null`, empty, or a file's null. A word that the setting
 * allows, such as an exporter named `none`, is a value.
 */
export function isNone(raw: RawValue, setting: Pick<Setting, 'kind' | 'schema'>): boolean {
  const value = lastValue(raw);
  if (setting.kind === 'word' && typeof value === 'string' && setting.schema.safeParse(value).success) return false;
  return value === null || value === undefined || (typeof value === 'string' && noneValues.has(value.trim()));
}

/** The maximum length of a value, in characters. Values are part of responses and pages, and none needs more. */
const maxTextLength = 8192;
/** The addresses of a thousand labs; also the limit of a value in a dotenv file. */
const maxLabsLength = 65_536;
/** Maximum number of labs: each is read every 15 s. */
const maxLabs = 2000;

function isTooLong(raw: RawValue, maxLength: number): boolean {
  const value = plainValue(raw);
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 1), 0) > maxLength;
}

/**
 * The typed value of a setting: parsed by its kind's parser, then checked by its schema.
 * @param base base of this source's relative paths
 */
export function parseValue(setting: Setting, raw: RawValue, base: PathBase): Parsed {
  if (isNone(raw, setting)) {
    return isOptional(setting) ? valid(null) : invalid('needs a value');
  }
  const maxLength = setting.kind === 'labs' ? maxLabsLength : maxTextLength;
  if (isTooLong(raw, maxLength)) {
    return invalid(`is longer than ${maxLength} characters`);
  }
  const parsed = parsers[setting.kind](lastValue(raw), raw, base);
  if (!parsed.ok) {
    return parsed;
  }
  const checked = setting.schema.safeParse(parsed.value);
  return checked.success ? valid(checked.data) : invalid('is out of range');
}
