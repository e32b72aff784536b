/** Addresses, hosts and origins as settings hold them. Source: the WHATWG URL standard. */
import { isIP } from 'node:net';
import type { Parsed } from './parsed.ts';

const wrong = (message: string): Parsed<never> => ({ ok: false, message });

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** Whether the scheme is missing: `localhost:8001` is an address with the scheme `localhost` to the URL standard. */
function lacksScheme(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && parsed(`http://${text}`) !== null;
}

/**
 * An http(s) address, normalised as WHATWG does: `http://localhost:8001` → `http://localhost:8001/`. User, password,
 * query and fragment are errors: clients append paths to it.
 */
export function parseUrl(value: unknown): Parsed<string> {
  if (typeof value !== 'string') {
    return wrong('is not an address');
  }
  const text = value.trim();
  const url = parsed(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    if (lacksScheme(text)) {
      return wrong(`has no scheme; write http://${text}`);
    }
    return wrong(url === null ? 'is not an address' : `has the scheme ${url.protocol.slice(0, -1)}, not http or https`);
  }
  if (url.username !== '' || url.password !== '') {
    return wrong('has a user or password in it');
  }
  if (/[?#]/.test(url.href)) {
    return wrong('has a query or fragment (? or #) in it');
  }
  return { ok: true, value: url.href };
}

/** A host name or IP address without scheme, port or brackets: `auto` and `bench-4.lab` are host names. */
export function parseHost(value: unknown): Parsed<string> {
  if (typeof value !== 'string') {
    return wrong('is not a host name');
  }
  const text = value.trim().replace(/^\[(.*)\]$/, '$1');
  if (isIP(text) !== 0) {
    return { ok: true, value: text };
  }
  const name = /^[^\s:/?#@[\]\\%]+$/.test(text) ? parsed(`http://${text}/`)?.hostname : undefined;
  // The URL standard reads 256.1 or 0x7f as an IPv4 address; who writes that means something else.
  return name === undefined || isIP(name) !== 0 ? wrong('is not a host name') : { ok: true, value: name };
}

/** What is wrong with an allowed origin, `null` when it is what a browser sends in `Origin`, or `*`. */
export function originError(origin: string): string | null {
  if (origin === '*' || origin === 'null') {
    return null;
  }
  const url = parsed(origin);
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
