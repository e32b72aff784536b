/**
 * Parses the raw value of a source into a typed one, with one parser for each kind of setting. Errors are returned as sentences,
 * never thrown for user input. Source: the values that MADSci 0.8.1 accepts.
 */
import { isTimeZone } from '../../../api/time/time.ts';
import { addressProblem } from '../../channels/channels.ts';
import { parseNetwork } from '../../net/networks.ts';
import { isInvalidPath, resolveEnteredPath, type PathBase } from './discovery.ts';
import type { RawValue } from './problem.ts';
import type { SettingKind } from '../schema/definition.ts';
import type { LogLevel } from '../../logging/log.ts';
import { parseGroupRole } from '../schema/groupRoles.ts';
import { isOptional, type Setting } from '../schema/table.ts';
import { isIP } from 'node:net';

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

/** The value as the source provides it: text for text sources, the last of a repeated option, a file's own type. */
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
  const known = booleanValues.get(word);
  return known === undefined ? invalid('is not a boolean') : valid(known);
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

function parseText(value: unknown): Parsed<string> {
  return typeof value === 'string'
    ? valid(value)
    : invalid(`is ${describeType(value)}, not text${typeof value === 'object' ? '' : '; put it in quotes'}`);
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

function jsonList(text: string): unknown {
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
      list = jsonList(raw.text);
      break;
    case 'option':
      list = raw.texts.flatMap((text): unknown => {
        const json = text.trim().startsWith('[') ? jsonList(text) : text.split(',').map((part) => part.trim());
        return json ?? [undefined];
      });
      break;
  }
  return Array.isArray(list) && list.every((item) => typeof item === 'string' && item.trim() !== '')
    ? valid(list.map((item) => String(item).trim()))
    : invalid(raw.style === 'text' ? 'is not a JSON list of texts' : 'is not a list of texts');
}

function parseOrigins(raw: RawValue): Parsed<readonly string[]> {
  const texts = parseStrings(raw);
  const error = texts.ok ? texts.value.map((origin) => originError(origin)).find((found) => found !== null) : undefined;
  return error === undefined ? texts : invalid(error);
}

/** Accepts a single item, or several separated by commas, instead of a list. */
function splitList(raw: RawValue): RawValue {
  if (raw.style === 'text' && !raw.text.trim().startsWith('['))
    return { style: 'native', value: raw.text.split(',').map((part) => part.trim()) };
  return raw.style === 'native' && typeof raw.value === 'string' ? { style: 'native', value: [raw.value] } : raw;
}

function parseHosts(raw: RawValue): Parsed<readonly string[]> {
  const texts = parseStrings(splitList(raw));
  if (!texts.ok) return texts;
  const hosts = texts.value.map((text) => ({ text, host: parseHost(text) }));
  const bad = hosts.find(({ host }) => !host.ok);
  if (bad !== undefined) return invalid(`has "${bad.text}", which is not a host name`);
  return valid(hosts.flatMap(({ host }) => (host.ok ? [host.value] : [])));
}

function parseWebhooks(raw: RawValue): Parsed<readonly string[]> {
  const texts = parseStrings(splitList(raw));
  if (!texts.ok) return texts;
  const problems = texts.value.map(addressProblem);
  const bad = problems.findIndex((problem) => problem !== null);
  if (bad === -1) return texts;
  // An address is a secret, so the message contains its position instead.
  const which = texts.value.length === 1 ? '' : `, number ${bad + 1} of ${texts.value.length}`;
  return invalid(`has an address that ${problems[bad]}${which}`);
}

function parseNetworks(raw: RawValue): Parsed<readonly string[]> {
  const texts = parseStrings(raw);
  const error = texts.ok ? texts.value.find((text) => parseNetwork(text) === null) : undefined;
  return error === undefined ? texts : invalid(`has "${error}", which is neither an IP address nor a network`);
}

function parseGroupRoles(raw: RawValue): Parsed<readonly string[]> {
  const texts = parseStrings(splitList(raw));
  const error = texts.ok ? texts.value.find((text) => parseGroupRole(text) === null) : undefined;
  return error === undefined ? texts : invalid(`has "${error}", which is not a group and a role`);
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
  return isInvalidPath(text.value) ? invalid('is not a path') : valid(resolveEnteredPath(text.value.trim(), base));
}

function parseKind(kind: SettingKind, raw: RawValue, base: PathBase): Parsed {
  const value = raw.style === 'option' ? raw.texts.at(-1) : plainValue(raw);
  switch (kind) {
    case 'url':
      return parseUrl(value);
    case 'host':
      return parseHost(value);
    case 'hosts':
      return parseHosts(raw);
    case 'boolean':
      return parseBoolean(value);
    case 'integer':
      return parseInteger(value);
    case 'number':
      return parseNumber(value);
    case 'text':
      return parseText(value);
    case 'level':
      return parseLevel(value);
    case 'path':
    case 'file':
      return parsePath(value, base);
    case 'networks':
      return parseNetworks(raw);
    case 'origins':
      return parseOrigins(raw);
    case 'webhooks':
      return parseWebhooks(raw);
    case 'publicKey':
      return parsePublicKey(value);
    case 'timeZone':
      return parseTimeZone(value);
    case 'groupRoles':
      return parseGroupRoles(raw);
    case 'word':
      return parseText(value);
    case 'words':
      return parseStrings(splitList(raw));
  }
}

/** Whether a source's value is a spelling of "none": `None`, `none`, `null`, empty, or a file's null. */
export function isNone(raw: RawValue): boolean {
  const value = raw.style === 'option' ? raw.texts.at(-1) : plainValue(raw);
  return value === null || value === undefined || (typeof value === 'string' && noneValues.has(value.trim()));
}

/** The maximum length of a value, in characters. Values are part of responses and pages, and none needs more. */
const maxTextLength = 8192;

function isTooLong(raw: RawValue): boolean {
  const value = plainValue(raw);
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 1), 0) > maxTextLength;
}

/**
 * The typed value of a setting: parsed by its kind's parser, then checked by its schema.
 * @param base base of this source's relative paths
 */
export function parseValue(setting: Setting, raw: RawValue, base: PathBase): Parsed {
  if (isNone(raw)) {
    return isOptional(setting) ? valid(null) : invalid('needs a value');
  }
  if (isTooLong(raw)) {
    return invalid(`is longer than ${maxTextLength} characters`);
  }
  const parsed = parseKind(setting.kind, raw, base);
  if (!parsed.ok) {
    return parsed;
  }
  const checked = setting.schema.safeParse(parsed.value);
  return checked.success ? valid(checked.data) : invalid('is out of range');
}

// Source of the rules for addresses, hosts and origins: the WHATWG URL standard.

function parseUrlOrNull(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** Whether the scheme is missing: the URL standard parses `localhost:8001` as an address with the scheme `localhost`. */
function lacksScheme(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && parseUrlOrNull(`http://${text}`) !== null;
}

/**
 * An http(s) address, normalised as in WHATWG: `http://localhost:8001` → `http://localhost:8001/`. User, password, query
 * and fragment are errors, because clients append paths to it.
 */
export function parseUrl(value: unknown): Parsed<string> {
  if (typeof value !== 'string') {
    return invalid('is not an address');
  }
  const text = value.trim();
  const url = parseUrlOrNull(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    if (lacksScheme(text)) {
      return invalid(`has no scheme; write http://${text}`);
    }
    return invalid(
      url === null ? 'is not an address' : `has the scheme ${url.protocol.slice(0, -1)}, not http or https`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    return invalid('has a user or password in it');
  }
  if (/[?#]/.test(url.href)) {
    return invalid('has a query or fragment (? or #) in it');
  }
  return { ok: true, value: url.href };
}

/** A host name or IP address without scheme, port or brackets: `auto` and `bench-4.lab` are host names. */
function parseHost(value: unknown): Parsed<string> {
  if (typeof value !== 'string') {
    return invalid('is not a host name');
  }
  const text = value.trim().replace(/^\[(.*)\]$/, '$1');
  if (isIP(text) !== 0) {
    return { ok: true, value: text };
  }
  const name = /^[^\s:/?#@[\]\\%]+$/.test(text) ? parseUrlOrNull(`http://${text}/`)?.hostname : undefined;
  // The URL standard parses 256.1 or 0x7f as an IPv4 address, which is hardly intended.
  return name === undefined || isIP(name) !== 0 ? invalid('is not a host name') : { ok: true, value: name };
}

/** The error of an allowed origin, `null` if it is a valid `Origin` header of a browser, or `*`. */
function originError(origin: string): string | null {
  if (origin === '*' || origin === 'null') {
    return null;
  }
  const url = parseUrlOrNull(origin);
  if (url === null || url.host === '') {
    return `has "${origin}", which is not an origin`;
  }
  const plain = `${url.protocol}//${url.host}`;
  if (origin === plain) {
    return null;
  }
  return origin === `${plain}/`
    ? `has "${origin}" with a slash at its end, which no browser sends; write "${plain}"`
    : `has "${origin}", which no browser sends; write "${plain}"`;
}

/** A parsed value, or an error message that continues a sentence whose subject is the key. */
export type Parsed<Value = unknown> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message: string };
