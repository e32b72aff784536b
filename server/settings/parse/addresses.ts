/**
 * Parses addresses, hosts and origins. Errors are returned as ends of sentences, never thrown for user input. Source of
 * the rules: the WHATWG URL standard.
 */
import { isIP } from 'node:net';
import { ensureTrailingSlash } from '#api/hosts.ts';
import { defaultPorts } from '#api/managers.ts';
import { cleanText } from '../../logging/text.ts';
import { tryParseUrl } from '#api/url.ts';

/** A parsed value, or the reason why the text is invalid, which follows the key in messages. */
export type Parsed<Value = unknown> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message: string };

const invalid = (message: string): Parsed<never> => ({ ok: false, message });

/**
 * Whether the scheme is missing: the URL standard parses `localhost:8001` as an address with the scheme `localhost`. A slash
 * after the colon follows a scheme, also a wrong one: `htp:/lab`.
 */
function lacksScheme(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\//i.test(text) && tryParseUrl(`http://${text}`) !== null;
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
  const url = tryParseUrl(text);
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
export function parseHost(value: unknown): Parsed<string> {
  if (typeof value !== 'string') {
    return invalid('is not a host name');
  }
  const text = value.trim().replace(/^\[(.*)\]$/, '$1');
  if (isIP(text) !== 0) {
    return { ok: true, value: text };
  }
  const name = /^[^\s:/?#@[\]\\%]+$/.test(text) ? tryParseUrl(`http://${text}/`)?.hostname : undefined;
  // The URL standard parses 256.1 or 0x7f as an IPv4 address, which is hardly intended.
  return name === undefined || isIP(name) !== 0 ? invalid('is not a host name') : { ok: true, value: name };
}

/** The error of an allowed origin, `null` if it is a valid `Origin` header of a browser, or `*`. */
export function originError(origin: string): string | null {
  if (origin === '*' || origin === 'null') {
    return null;
  }
  const url = tryParseUrl(origin);
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

/** The maximum length of a host name in DNS, in characters. */
const maxHostName = 253;

/**
 * The scheme is optional, and without it the port too: `lab-pc` is `http://lab-pc:8000/`. Error messages never repeat an
 * address, which may contain a password.
 */
export function parseLabAddress(text: string): Parsed<string> {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, message: 'is empty; enter an address such as lab-pc or http://lab-pc:8000' };
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const address = parseUrl(hasScheme ? trimmed : `http://${trimmed}`);
  if (!address.ok) {
    const advice = /user or password/.test(address.message) ? '; remove it: a lab manager needs none' : '';
    return { ok: false, message: `${address.message}${advice}` };
  }
  const url = new URL(address.value);
  if (url.hostname.length > maxHostName)
    return {
      ok: false,
      message: `has a host name of ${url.hostname.length} characters; at most ${maxHostName} are allowed`,
    };
  // Add the default port unless one was typed: the URL standard drops `:80`.
  if (!hasScheme && url.port === '' && !/:80(?:\/|$)/.test(trimmed)) url.port = String(defaultPorts.lab);
  return { ok: true, value: ensureTrailingSlash(url.href) };
}

/** A lab of LAB_FLEET. */
export interface FleetEntry {
  /** The name given in the settings; `null` if its lab manager reports it. */
  readonly name: string | null;
  readonly url: string;
}

/** Maximum length of a name of a lab, in characters. */
const maxLabName = 100;

/** `lab-pc`, `http://lab-pc:8000`, or with a name for it: `Bench 4=http://lab-pc:8000`. */
export function parseFleetEntry(text: string): Parsed<FleetEntry> {
  const separator = text.indexOf('=');
  const isNamed = separator !== -1 && !text.slice(0, separator).includes('://');
  const name = isNamed ? text.slice(0, separator).trim() : null;
  if (name === '') return invalid('has no name before =');
  if (name !== null && (name.length > maxLabName || name !== cleanText(name, maxLabName)))
    return invalid(`has a name with a control character, or with more than ${maxLabName} characters`);
  const address = parseLabAddress(isNamed ? text.slice(separator + 1) : text);
  return address.ok ? { ok: true, value: { name, url: address.value } } : address;
}

/** The canonical text of an entry. */
export function fleetEntryText({ name, url }: FleetEntry): string {
  return name === null ? url : `${name}=${url}`;
}
