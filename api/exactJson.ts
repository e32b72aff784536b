/**
 * JSON without loss: a number that JavaScript would change (`1764304800123456789`, `1.0`, `1e400`, `-0`, and Python's
 * `NaN` and `Infinity`) is kept as its text. The text is a string with a tag, because a primitive value survives copies,
 * messages between threads, storage and comparisons. Other numbers are ordinary numbers, read at native speed.
 */

/** Unicode reserves this character for internal use, so that no text in an interchanged document contains it. */
const tag = '\uFDD0';

const numberPattern = String.raw`-?(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d.eE])|Infinity)|NaN`;
const exactNumber = new RegExp(`^(?:${numberPattern})$`);
/** Strings, keys with their colon, and the numbers outside of them. */
const tokens = new RegExp(String.raw`"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|(${numberPattern})(?!\s*:)`, 'gs');
const serializedTags = new RegExp(`"${tag}(${numberPattern})"`, 'g');
/** Matches each text with a number that needs its text, and some without. */
const suspectedNumber =
  /(?:^|[:,[\s])(?:-?(?:\d[\d.]{15}|\d+(?:\.\d+)?[eE]|\d+\.\d*0(?!\d)|0\.0{6}|Infinity)|-0(?!\.\d*[1-9])|NaN)/;
/** Longer texts are lists from a manager, whose keys are unique, and are scanned only for their numbers. */
const maxCheckedLength = 100_000;

const isSafe = (text: string): boolean => Number.isFinite(Number(text)) && String(Number(text)) === text;

/** The value of a number as it was typed or received: a number, or a string that keeps its text. */
export const exactValue = (text: string): number | string =>
  isSafe(text) || !exactNumber.test(text) ? Number(text) : `${tag}${text}`;

/** The text of a number that is kept as text; `null` for any other value. */
export function exactText(value: unknown): string | null {
  if (typeof value !== 'string' || !value.startsWith(tag)) return null;
  const text = value.slice(tag.length);
  return exactNumber.test(text) ? text : null;
}

/** The number for calculations and plots; `null` for any other value. A number that is kept as text is rounded. */
export function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  const text = exactText(value);
  return text === null ? null : Number(text);
}

/**
 * The value with the numbers that a manager stores: integers with all digits, and others as a double, so that `1.50` equals
 * `1.5`.
 */
export function comparableNumber(value: unknown): unknown {
  const text = exactText(value);
  // JSON has no text for other numbers than finite ones.
  return text === null || /^-?[1-9]\d*$/.test(text) || !Number.isFinite(Number(text)) ? value : Number(text);
}

/** The value without its tags, for validation and display as numbers. Numbers that are kept as text are rounded. */
export function withRoundedNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRoundedNumbers);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withRoundedNumbers(member)]));
  return toNumber(value) ?? value;
}

/** A text as it is, and any other value as JSON; `undefined` is empty. */
export function formatJson(value: unknown, indent?: number): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? (exactText(value) ?? value) : stringifyExactJson(value, indent);
}

/** Whether a value contains a number that managers can't return once they have stored it: NaN, an infinity, 1e400. */
export function hasNonFiniteNumber(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasNonFiniteNumber);
  const number = toNumber(value);
  return number !== null && !Number.isFinite(number);
}

export class DuplicateKeyError extends SyntaxError {
  readonly key: string;
  constructor(key: string) {
    super(`the key "${key}" occurs twice in one object`);
    this.key = key;
  }
}

/** Parses JSON, and Python's `NaN` and `Infinity`. Throws a SyntaxError, also for duplicate keys. */
export function parseExactJson(text: string): unknown {
  if (text.length > maxCheckedLength && !suspectedNumber.test(text)) return JSON.parse(text) as unknown;
  let keyCount = 0;
  const tagged = text.replace(tokens, (token, colon: string | undefined, number: string | undefined) => {
    if (colon !== undefined) keyCount += 1;
    return number === undefined || isSafe(number) ? token : `"${tag}${number}"`;
  });
  const value = JSON.parse(tagged) as unknown;
  if (countKeys(value) !== keyCount) throw new DuplicateKeyError(findDuplicateKey(text));
  return value;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : members.length;
  for (const member of members) count += countKeys(member);
  return count;
}

/** The first key of a valid text that occurs twice in its object. */
function findDuplicateKey(text: string): string {
  const open: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/gs)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const key = JSON.parse(token.slice(0, -colon.length)) as string;
      if (open.at(-1)?.has(key) === true) return key;
      open.at(-1)?.add(key);
    }
  }
  return '';
}

/** Whether `parseExactJson` accepts the text. */
export function isExactJson(text: string): boolean {
  try {
    parseExactJson(text);
    return true;
  } catch {
    return false;
  }
}

/** Serializes a value of `parseExactJson`: numbers that are kept as text are written digit by digit. */
export function stringifyExactJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value ?? null, null, indent);
  return text.includes(tag) ? text.replaceAll(serializedTags, '$1') : text;
}
