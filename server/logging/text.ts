/**
 * Cleans foreign text (from managers, foreign lab managers, processes, files) for terminals, logs, notifications and
 * pages: without terminal controls or changes of the reading direction, and limited in length.
 */
import { tryParseUrl } from '../../api/url.ts';

/** Maximum length of a reason or description, in characters (UTF-16 code units). */
export const maxTextLength = 500;

/**
 * Whole terminal sequences (ECMA-48): CSI with its parameters, and the strings OSC, DCS, SOS, PM, APC up to their
 * terminator, so that no readable remainder such as `[31m` or a window title stays. Each class excludes the start of the
 * next part, so matching is linear.
 */
const escapeSequences =
  // oxlint-disable-next-line no-control-regex
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-Z\\^-~]/g;

/** Characters that change the reading direction of the following text (Trojan Source), and invisible tags and fillers. */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const controls = /[\p{Cc}\s]+/gu;

/** `text` on one line and without control characters. */
export function toOneLine(text: string): string {
  return text
    .replace(escapeSequences, '')
    .replace(invisible, '')
    .replace(controls, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim();
}

const credentials = /\b([a-z][a-z\d+.-]{1,20}:\/\/)[^\s/?#@"'<>]+@/gi;
const queryParameter = /([?&;])([\w.-]{1,60})=[^\s&#"'<>]+/g;
const secretName = /token|secret|passw(?:or)?d|key|sig(?:nature)?$|auth/i;

/** `text` with its addresses without user, password, and parameters with secret names. */
export function redactAddresses(text: string): string {
  return text
    .replace(credentials, '$1…@')
    .replace(queryParameter, (all, begin: string, name: string) => (secretName.test(name) ? `${begin}${name}=…` : all));
}

/** An address without its secret parts: `https://hooks.example.com/…`. */
export function shortenAddress(address: string): string {
  const url = tryParseUrl(address);
  return url === null ? '…' : `${url.protocol}//${url.host}/…`;
}

/** `text` on one line, of at most `length` characters; a truncated text ends with `…`. */
export function cleanText(text: string, length: number = maxTextLength): string {
  const line = toOneLine(text);
  return line.length > length ? `${line.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** Maximum length of a message or details of one event, in characters, enough for a stack. */
const maxLogLength = 8000;

/** One line per event, without terminal control sequences or secrets in addresses. */
export function logText(text: string): string {
  return cleanText(redactAddresses(text), maxLogLength);
}

/** Quotes a path as one word for a POSIX shell. */
export function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
