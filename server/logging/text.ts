/**
 * Text that others wrote (managers, foreign lab managers, processes, files) on its way to terminals, logs, notifications
 * and pages: without what could steer a terminal or turn the reading direction, and never longer than it may be. Pure.
 */

/** Longest reason or description that is kept, in characters (UTF-16 code units). */
export const maxTextLength = 500;

/**
 * Whole terminal sequences (ECMA-48): CSI with its parameters, and the strings OSC, DCS, SOS, PM, APC up to their
 * terminator, so that no readable rest such as `[31m` or a window title stays behind. Each class excludes what begins the
 * next part, so matching is linear.
 */
const escapeSequences =
  // oxlint-disable-next-line no-control-regex
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-Z\\^-~]/g;

/** Marks that change the reading direction of what follows (Trojan Source), and invisible tags and fillers. */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const controls = /[\p{Cc}\s]+/gu;

/** `text` on one line and without control characters. */
export function oneLine(text: string): string {
  return text
    .replace(escapeSequences, '')
    .replace(invisible, '')
    .replace(controls, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim();
}

const credentials = /\b([a-z][a-z\d+.-]{1,20}:\/\/)[^\s/?#@"'<>]+@/gi;
const parameter = /([?&;])([\w.-]{1,60})=[^\s&#"'<>]+/g;
const secretName = /token|secret|passw(?:or)?d|key|sig(?:nature)?$|auth/i;

/** `text` with its addresses shown without user, password, and parameters that are named like secrets. */
export function withoutSecretsInAddresses(text: string): string {
  return text
    .replace(credentials, '$1…@')
    .replace(parameter, (all, begin: string, name: string) => (secretName.test(name) ? `${begin}${name}=…` : all));
}

/** An address without what makes it a secret: `https://hooks.example.com/…`. */
export function shortenedAddress(address: string): string {
  if (!URL.canParse(address)) return '…';
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}/…`;
}

/** `text` on one line, of at most `length` characters; what was cut ends with `…`. */
export function cleanText(text: string, length: number = maxTextLength): string {
  const line = oneLine(text);
  return line.length > length ? `${line.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** A path as a POSIX shell takes it as one word. Pure. */
export function shellQuoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
