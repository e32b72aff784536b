/**
 * JSON without loss: a number that JavaScript would change (`1764304800123456789`, `1.0`, `1e400`, `-0`, and Python's
 * `NaN` and `Infinity`) is kept as its text. The text is a string with a tag, because a primitive value survives copies,
 * messages between threads, storage and comparisons. Other numbers are ordinary numbers, read at native speed.
 */

/** Unicode reserves this character for internal use, so that no text in an interchanged document contains it. */
const tag = '\uFDD0';

const numberPattern = String.raw`-?(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d.eE])|Infinity)|NaN`;
const exactNumber = new RegExp(`^(?:${numberPattern})$`);
const numbers = new RegExp(String.raw`(?:${numberPattern})(?!\s*:)`, 'g');
const serializedTags = new RegExp(`"${tag}(${numberPattern})"`, 'g');
/**
 * A fast check for numbers that may need their text: 16 characters or more, an exponent, a zero at the end of a fraction,
 * six zeros after the point, a negative zero, `NaN` or `Infinity`. All others are the same as their text.
 */
const suspectedNumber =
  /(?:^|[:,[\s])(?:-?(?:\d[\d.]{15}|\d+(?:\.\d+)?[eE]|\d+\.\d*0(?!\d)|0\.0{6}|Infinity)|-0(?!\.\d*[1-9])|NaN)/;
/** Python's parser, which the managers use, reads up to about 1000. */
const maxLevels = 500;

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

/** The text of a number that a manager can't store as it is: a non-finite one, `-0`, or one below the smallest double. */
export function findInexactNumber(value: unknown): string | null {
  if (typeof value === 'object' && value !== null)
    return (
      Object.values(value)
        .map(findInexactNumber)
        .find((text) => text !== null) ?? null
    );
  const number = toNumber(value);
  if (number === null) return null;
  // Python reads `-0` as an integer, and `-0.0` as a float with its sign.
  const text = exactText(value) ?? (Object.is(value, -0) ? '-0' : String(value));
  const becomesZero = number === 0 && (text === '-0' || /^[^e]*[1-9]/i.test(text));
  return Number.isFinite(number) && !becomesZero ? null : text;
}

/** Whether the text is one number of JSON, or Python's `NaN` or an infinity. */
export const isNumberText = (text: string): boolean => exactNumber.test(text);

/** A text that is JSON, but can't be read without loss or within limits. The message states the reason. */
export class UnsupportedJsonError extends SyntaxError {}

export class DuplicateKeyError extends UnsupportedJsonError {
  readonly key: string;
  constructor(key: string) {
    super(`the key "${key}" occurs twice in one object`);
    this.key = key;
  }
}

/** Parses JSON, and Python's `NaN` and `Infinity`, in linear time. Throws a SyntaxError, also for duplicate keys. */
export function parseExactJson(text: string): unknown {
  const tagged = suspectedNumber.test(text) ? tagNumbers(text) : text;
  const value = JSON.parse(tagged) as unknown;
  if (countKeys(value, 0) !== countWrittenKeys(text)) throw new DuplicateKeyError(findDuplicateKey(text));
  return value;
}

function countKeys(value: unknown, level: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (level >= maxLevels)
    throw new UnsupportedJsonError(`lists or objects are nested more than ${maxLevels} levels deep: use fewer levels`);
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countKeys(item, level + 1);
  else {
    const members: unknown[] = Object.values(value);
    count = members.length;
    for (const member of members) count += countKeys(member, level + 1);
  }
  return count;
}

/** Replaces the numbers that JavaScript would change by their tagged texts. */
function tagNumbers(text: string): string {
  let tagged = '';
  scanStrings(text, (outside, string) => {
    // Most parts outside of strings are a colon or a comma.
    tagged +=
      outside.length < 2
        ? outside
        : outside.replaceAll(numbers, (number) => (isSafe(number) ? number : `"${tag}${number}"`));
    tagged += string;
  });
  return tagged;
}

/**
 * Calls `visit` with each string of the text, with its quotes, and the part before it; the last call has no string, or one
 * that doesn't end. A regular expression for strings runs out of stack for long ones.
 */
function scanStrings(text: string, visit: (outside: string, string: string) => void): void {
  let position = 0;
  while (position < text.length) {
    const start = text.indexOf('"', position);
    const end = start === -1 ? text.length : findStringEnd(text, start);
    visit(text.slice(position, start === -1 ? end : start), start === -1 ? '' : text.slice(start, end));
    position = end;
  }
}

/** The offset after the string that starts at `start`; the length of the text if it doesn't end. */
function findStringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

/** Whether an odd number of backslashes precedes the offset. */
function isEscaped(text: string, offset: number): boolean {
  let start = offset;
  while (text[start - 1] === '\\') start -= 1;
  return (offset - start) % 2 === 1;
}

/** The number of strings of a valid text that a colon follows. */
function countWrittenKeys(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start !== -1;) {
    let next = findStringEnd(text, start);
    while (/\s/.test(text.charAt(next))) next += 1;
    if (text[next] === ':') count += 1;
    start = text.indexOf('"', next);
  }
  return count;
}

/** The first key of a valid text that occurs twice in its object. */
function findDuplicateKey(text: string): string {
  const open: Set<string>[] = [];
  let previous = '';
  let duplicate: string | undefined;
  scanStrings(text, (outside, string) => {
    if (previous !== '' && outside.trimStart().startsWith(':')) {
      const key = JSON.parse(previous) as string;
      if (open.at(-1)?.has(key) === true) duplicate ??= key;
      open.at(-1)?.add(key);
    }
    for (const character of outside) {
      if (character === '{') open.push(new Set());
      else if (character === '}') open.pop();
    }
    previous = string;
  });
  return duplicate ?? '';
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
