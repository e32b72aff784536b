/**
 * Parses environment files like python-dotenv: `export`, quoted keys, single and double quotes over several lines,
 * comments, `${VAR}` and `${VAR:-default}` in every value regardless of quotes, the last of several equal keys.
 * docs/adr/0002-settings.md explains why no library is used.
 */
import { makeProblem, LinePositions, type FileEntry, type FoundKey, type Reading } from './problem.ts';
import type { SettingsProblem } from '../schema/types.ts';

type Statement =
  | {
      readonly kind: 'assignment';
      readonly key: string;
      /** `null`: a bare name without `=`, which sets no value. */
      readonly value: string | null;
      readonly offset: number;
      /** The range of the value, including its quotes but not the comment after it. */
      readonly valueStart: number;
      readonly valueEnd: number;
    }
  /** A line without a statement. */
  | { readonly kind: 'nothing' }
  /** Its line is skipped. */
  | { readonly kind: 'malformed'; readonly offset: number };

/** A position in a text, which sticky patterns move forward. */
class Cursor {
  readonly text: string;
  offset = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Consumes the match at this position; `null` if the pattern (with the sticky flag) does not match here. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.offset;
    const match = pattern.exec(this.text);
    this.offset += match?.[0].length ?? 0;
    return match;
  }

  get next(): string {
    return this.text.charAt(this.offset);
  }

  get isAtEnd(): boolean {
    return this.offset >= this.text.length;
  }
}

const endOfStatement = /[^\S\r\n]*(?:#[^\r\n]*)?(?:\r\n|\n|\r|$)/y;
const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function readKey(cursor: Cursor): string | null {
  return cursor.next === "'" ? (cursor.match(/'([^']+)'/y)?.[1] ?? null) : (cursor.match(/[^=#\s]+/y)?.[0] ?? null);
}

function readValue(cursor: Cursor): string | null {
  if (cursor.next === "'") {
    const quoted = cursor.match(/'((?:\\'|[^'])*)'/y)?.[1];
    return quoted?.replace(/\\([\\'])/g, '$1') ?? null;
  }
  if (cursor.next === '"') {
    const quoted = cursor.match(/"((?:\\"|[^"])*)"/y)?.[1];
    return quoted?.replace(/\\([\\'"abfnrtv])/g, (_, letter: string) => escapes[letter] ?? letter) ?? null;
  }
  return stripComment(cursor.match(/[^\r\n]*/y)?.[0] ?? '').trimEnd();
}

/** An unquoted value up to the first `#` that has a space before it. */
function stripComment(line: string): string {
  for (let hash = line.indexOf('#'); hash >= 0; hash = line.indexOf('#', hash + 1)) {
    if (/\s/.test(line.charAt(hash - 1))) {
      return line.slice(0, hash);
    }
  }
  return line;
}

/** The next statement; for a malformed one the rest of its line is consumed. */
function readStatement(cursor: Cursor): Statement {
  cursor.match(/\s*/y);
  if (cursor.isAtEnd || cursor.match(/#[^\r\n]*/y) !== null) {
    return { kind: 'nothing' };
  }
  const { offset } = cursor;
  cursor.match(/export[^\S\r\n]+/y);
  const key = readKey(cursor);
  cursor.match(/[^\S\r\n]*/y);
  let value: string | null = null;
  let [valueStart, valueEnd] = [cursor.offset, cursor.offset];
  const isAssignment = key !== null && cursor.match(/=[^\S\r\n]*/y) !== null;
  if (isAssignment) {
    valueStart = cursor.offset;
    const isQuoted = cursor.next === "'" || cursor.next === '"';
    value = readValue(cursor);
    valueEnd = isQuoted ? cursor.offset : valueStart + (value ?? '').length;
  }
  if (key === null || (isAssignment && value === null) || cursor.match(endOfStatement) === null) {
    cursor.match(/[^\r\n]*(?:\r\n|\n|\r|$)/y);
    return { kind: 'malformed', offset };
  }
  return { kind: 'assignment', key, value, offset, valueStart, valueEnd };
}

/** The assignments of an environment file, in order. */
export function dotenvEntries(text: string): readonly FileEntry[] {
  const cursor = new Cursor(text);
  const entries: FileEntry[] = [];
  while (!cursor.isAtEnd) {
    const statement = readStatement(cursor);
    if (statement.kind === 'assignment' && statement.value !== null) {
      const { key, offset: start, valueStart, valueEnd } = statement;
      entries.push({ key, start, value: { start: valueStart, end: valueEnd } });
    }
  }
  return entries;
}

/** Maximum length of a value, in characters: values that reference each other twice would double with every line. */
const maxValueLength = 65_536;

/**
 * Replaces `${NAME}` and `${NAME:-default}` by an earlier line of the file, the environment, the default, or nothing; returns
 * `null` if the result exceeds the maximum length. It is linear, while a pattern would search for `}` from every `${`.
 */
function interpolate(
  value: string,
  earlierValues: ReadonlyMap<string, string | null>,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const endOfName = /[}:]/g;
  let result = '';
  let copiedUntil = 0;
  for (let open = value.indexOf('${'); open >= 0;) {
    endOfName.lastIndex = open + 2;
    const end = endOfName.exec(value)?.index;
    const hasDefault = end !== undefined && value.startsWith(':-', end);
    const close = hasDefault ? value.indexOf('}', end) : value.charAt(end ?? value.length) === '}' ? (end ?? -1) : -1;
    if (end === undefined || (hasDefault && close < 0)) {
      break;
    }
    if (close >= 0) {
      const name = value.slice(open + 2, end);
      const fallback = hasDefault ? value.slice(end + 2, close) : '';
      const inherited = Object.hasOwn(env, name) ? env[name] : undefined;
      result +=
        value.slice(copiedUntil, open) +
        (earlierValues.has(name) ? (earlierValues.get(name) ?? '') : (inherited ?? fallback));
      copiedUntil = close + 1;
    }
    if (result.length > maxValueLength) {
      return null;
    }
    open = value.indexOf('${', Math.max(copiedUntil, end));
  }
  result += value.slice(copiedUntil);
  return result.length > maxValueLength ? null : result;
}

/**
 * Parses an environment file. A malformed line is a warning with its line, and the following lines count.
 * @param env the values of `${VAR}` besides the file's own earlier lines
 */
export function readDotenv(text: string, path: string, env: Readonly<Record<string, string | undefined>>): Reading {
  const cursor = new Cursor(text);
  const lines = new LinePositions(text);
  const keys = new Map<string, FoundKey>();
  const problems: SettingsProblem[] = [];
  const earlier = new Map<string, string | null>();
  const addProblem = (
    offset: number,
    problem: Pick<SettingsProblem, 'severity' | 'message' | 'expected'>,
    key?: string,
  ) =>
    problems.push(
      makeProblem({ source: 'dotenv', path, ...lines.positionOf(offset), ...problem, ...(key ? { key } : {}) }),
    );
  while (!cursor.isAtEnd) {
    const statement = readStatement(cursor);
    if (statement.kind === 'malformed') {
      addProblem(statement.offset, {
        severity: 'warning',
        message: 'this line is not understood and was skipped',
        expected: 'NAME=value, with quotes closed and nothing but a comment after them',
      });
    } else if (statement.kind === 'assignment') {
      const { key, offset } = statement;
      const value = statement.value === null ? null : interpolate(statement.value, earlier, env);
      if (value === null && statement.value !== null) {
        const message = `its value is longer than ${maxValueLength} characters`;
        addProblem(offset, { severity: 'error', message, expected: 'a shorter value' }, key);
      }
      earlier.set(key, value);
      // A bare name removes an earlier value; the last of equal keys counts, at its own position.
      keys.delete(key);
      if (value !== null) {
        keys.set(key, { key, raw: { style: 'text', text: value }, ...lines.positionOf(offset) });
      }
    }
  }
  return { keys: [...keys.values()], problems };
}
