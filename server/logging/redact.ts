/**
 * Removes secrets from texts and values: by the preceding name, by their form, and by the known secret values. In doubt
 * it redacts.
 */
import { tryParseUrl } from '../../api/url.ts';

export const redacted = '[redacted]';

/** Words in a name that mark its value as a secret. */
const secretNamePattern =
  'tokens?|secrets?|passw(?:or)?ds?|passwd|pwd|passphrases?|keys?|authorization|auth|webhooks?|credentials?|cookies?|signature|apikey';
/** `apiKey`, `API_KEY`, `x-api-key` as words joined by `_`. */
const toSnakeCase = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/[^A-Za-z\d]+/g, '_');
const secretName = new RegExp(`(?:^|_)(?:${secretNamePattern})(?:_|$)|password|secret|token|webhook|apikey`, 'i');

/** Whether a name marks its value as a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(toSnakeCase(name));
}

/** A name with the characters between it and its value, in the usual notations: `name = `, `"name": `, `\"name\":`. */
const nameBeforeValue = /(?:\\*["'])?([A-Za-z][\w.-]{0,60})(?:\\*["'])?\s{0,3}[:=]\s{0,3}/g;
const openingQuote = /\\*["']/y;
const bareValue = /[^\s"',;&)}\]]+/y;
const quoteOrBracket = /\\*["']|[[\]{}]|\n/g;
/** For these names the rest of the line is secret. */
const secretToLineEnd = /authorization|cookie/i;
const restOfLine = /[^"'\n]+/y;

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const address = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'<>`\\]+/gi;
const scheme = /\b(bearer|basic|digest)(\s+)[\w.~+/=-]{6,}/gi;
const jwt = /\beyJ[\w-]{4,}\.[\w-]{4,}(?:\.[\w-]*)?/g;
/** Prefixes of services' tokens. */
const tokenWithPrefix =
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[a-z]-|sk-|sk_live_|rk_live_|pk_live_|AKIA|ASIA|AIza|tk_|lmt_)[\w-]{8,}/g;
const uuid = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
const runWithSlashes = /[A-Za-z\d+/_-]{32,}={0,2}/g;
const run = /[A-Za-z\d+_-]{20,}={0,2}/g;

/** MADSci's IDs (ULIDs) identify log subjects and grant no access. */
const ulid = /^[0-7][\dA-HJKMNP-TV-Z]{25}$/;

/** The minimum length of a run of letters and digits without words that counts as a secret. */
const minSecretRun = 32;
/** The longest plausible word, in letters. */
const maxWordLength = 24;

/**
 * Changes of the character class (lower case, upper case, digit) per character: rare in words, frequent in random text.
 */
function classChangeRate(text: string): number {
  const kinds = text
    .replace(/[a-z]/g, 'a')
    .replace(/[A-Z]/g, 'B')
    .replace(/\d/g, '0')
    .replace(/[^aB0]/g, '');
  let count = 0;
  for (let index = 1; index < kinds.length; index += 1) if (kinds[index] !== kinds[index - 1]) count += 1;
  return kinds.length === 0 ? 0 : count / kinds.length;
}

const isWord = (part: string): boolean =>
  /^\d{0,4}$/.test(part) ||
  (part.length <= maxWordLength &&
    /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|(?:[A-Z]?[a-z]{2,})(?:[A-Z][a-z]{2,})*)\d{0,4}$/.test(part));

/** Whether a run of letters, digits, `+`, `_` and `-` looks like a key or token and not like words. */
function isRandom(text: string): boolean {
  const bare = text.replace(/=+$/, '');
  if (ulid.test(bare)) return false;
  if (/^[\da-f]{20,}$/i.test(bare) && /\d/.test(bare)) return true;
  if (bare.length >= minSecretRun) return bare.includes('+') || !bare.split(/[_-]/).every(isWord);
  return classChangeRate(bare) >= 0.35 && /[a-z]/.test(bare) && /[A-Z]/.test(bare) && /\d/.test(bare);
}

/** Whether a run with slashes is base64 and not a path. */
function isBase64(text: string): boolean {
  const rest = text.split('/').filter((part) => !ulid.test(part));
  return rest.length > 1 && rest.join('').length >= minSecretRun && classChangeRate(rest.join('')) >= 0.35;
}

/** Redacts the values of names that mark a secret. */
function redactNamedSecrets(text: string): string {
  let safe = '';
  let copiedUntil = 0;
  for (
    let match = execFrom(nameBeforeValue, text, 0);
    match !== null;
    match = execFrom(nameBeforeValue, text, nameBeforeValue.lastIndex)
  ) {
    const start = nameBeforeValue.lastIndex;
    const [, name = ''] = match;
    if (!isSecretName(name)) continue;
    const quote = execFrom(openingQuote, text, start)?.[0] ?? '';
    const end = quote === '' ? endOfBare(name, text, start) : endOfQuoted(quote, text, start + quote.length);
    safe += `${text.slice(copiedUntil, start)}${quote}${redacted}`;
    copiedUntil = end;
    nameBeforeValue.lastIndex = end;
  }
  return safe + text.slice(copiedUntil);
}

function execFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

function endOfBare(name: string, text: string, start: number): number {
  // Already redacted by its value.
  if (text.startsWith(redacted, start)) return start + redacted.length;
  if (/[[{]/.test(text.charAt(start))) return endOfBrackets(text, start);
  const value = execFrom(secretToLineEnd.test(name) ? restOfLine : bareValue, text, start)?.[0] ?? '';
  return start + value.length;
}

/** The position after the bracket that closes a list or mapping; the end of the line if it is not closed there. */
function endOfBrackets(text: string, start: number): number {
  let depth = 0;
  let at = start;
  for (;;) {
    const match = execFrom(quoteOrBracket, text, at);
    if (match === null) return text.length;
    const [delimiter] = match;
    at = quoteOrBracket.lastIndex;
    if (delimiter === '\n') return match.index;
    if (delimiter === '[' || delimiter === '{') depth += 1;
    else if (delimiter === ']' || delimiter === '}') depth -= 1;
    else {
      const line = text.indexOf('\n', at);
      at = Math.min(text.length, endOfQuoted(delimiter, text, at) + delimiter.length);
      if (line !== -1 && line < at) return line;
    }
    if (depth === 0) return at;
  }
}

/** The end of a quoted text; a quote with an additional backslash belongs to the value. */
function endOfQuoted(quote: string, text: string, start: number): number {
  for (let at = text.indexOf(quote, start); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (text[at - 1] !== '\\') return at;
  }
  return text.length;
}

/** Removes user and password, query values, fragment, and random-looking path parts from an address. */
function redactAddress(text: string): string {
  const [, start = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/)([\s\S]*)$/i.exec(text) ?? [];
  const [, authority = '', path = '', query = '', fragment = ''] =
    /^([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(rest) ?? [];
  const at = authority.lastIndexOf('@');
  const host = at === -1 ? authority : `${redacted}@${authority.slice(at + 1)}`;
  // The path of a webhook is a secret.
  const isHook = /hook|services\/T|ntfy/i.test(`${host}${path}`);
  const parts = path.split('/').map((part) => {
    if (ulid.test(part)) return part;
    const isSuspicious =
      part.length >= minSecretRun || (part.length >= 12 && classChangeRate(part) >= 0.3) || isRandom(part);
    return isSuspicious ? redacted : part;
  });
  const shownPath = isHook && path.length > 1 ? `/${redacted}` : parts.join('/');
  const shownQuery = query.replace(/=[^&]+/g, `=${redacted}`).replace(/^\?[^=&]+$/, `?${redacted}`);
  return `${start}${host}${shownPath}${shownQuery}${fragment === '' ? '' : `#${redacted}`}`;
}

/**
 * A text of up to some thousand characters without secrets.
 * @param knownSecrets values that are secret regardless of their form
 */
export function redactText(text: string, knownSecrets: readonly string[] = []): string {
  let safe = text;
  // Longest first, because one may be a prefix of another.
  for (const value of knownSecrets.filter(({ length }) => length >= 4).toSorted((a, b) => b.length - a.length))
    safe = safe.replaceAll(value, redacted);
  const addressed = safe
    .replace(privateKey, redacted)
    .replace(scheme, `$1$2${redacted}`)
    .replace(address, redactAddress);
  return redactNamedSecrets(addressed)
    .replace(jwt, redacted)
    .replace(tokenWithPrefix, redacted)
    .replace(uuid, redacted)
    .replace(runWithSlashes, (match) => (isBase64(match) ? redacted : match))
    .replace(run, (match) => (isRandom(match) ? redacted : match));
}

/** The maximum depth; deeper values are redacted. */
const maxDepth = 12;

/** Redacts the secrets in a JSON value. */
export function redactValue(value: unknown, knownSecrets: readonly string[] = [], depth = 0): unknown {
  if (typeof value === 'string') return redactText(value, knownSecrets);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return redacted;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, knownSecrets, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => {
      const isPlain = item === null || typeof item === 'boolean';
      const safe = isSecretName(name) && !isPlain ? redacted : redactValue(item, knownSecrets, depth + 1);
      return [redactText(name, knownSecrets), safe];
    }),
  );
}

/** The values that identify a secret address: the whole, its path, the last part of the path, user and password. */
export function secretPartsOfAddress(text: string): readonly string[] {
  const url = tryParseUrl(text);
  if (url === null) return [text];
  const { pathname, search, username, password, href } = url;
  const last = pathname.split('/').findLast((part) => part !== '') ?? '';
  // A short path, such as /notify, may occur in any text.
  const parts = [pathname + search, last, username, password].filter(({ length }) => length >= 8);
  return [text, href, ...parts];
}
