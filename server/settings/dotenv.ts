/**
 * Environment files as python-dotenv reads them: `export`, quoted keys, single and double quotes over several lines,
 * comments, `${VAR}` and `${VAR:-default}` in every value whatever its quotes, the last of several equal keys.
 * Why not a library: docs/adr/0002-settings-readers.md.
 */
import { makeProblem } from './problem.ts';
import { positionAt, type FoundKey, type Reading } from './reading.ts';
import type { SettingsProblem } from './types.ts';

interface Statement {
  readonly key: string;
  /** `null`: a bare name without `=`, which sets nothing. */
  readonly value: string | null;
  readonly offset: number;
}

/** A place in the text that only moves forward, by patterns anchored at it. */
class Cursor {
  readonly text: string;
  offset = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The match at this place, consumed; `null` when the pattern (with the sticky flag) doesn't fit here. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.offset;
    const match = pattern.exec(this.text);
    this.offset += match?.[0].length ?? 0;
    return match;
  }

  get next(): string {
    return this.text.charAt(this.offset);
  }

  get atEnd(): boolean {
    return this.offset >= this.text.length;
  }
}

const space = /[^\S\r\n]*/y;
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

function takeKey(cursor: Cursor): string | null {
  return cursor.next === "'" ? (cursor.take(/'([^']+)'/y)?.[1] ?? null) : (cursor.take(/[^=#\s]+/y)?.[0] ?? null);
}

function takeValue(cursor: Cursor): string | null {
  if (cursor.next === "'") {
    const quoted = cursor.take(/'((?:\\'|[^'])*)'/y)?.[1];
    return quoted?.replace(/\\([\\'])/g, '$1') ?? null;
  }
  if (cursor.next === '"') {
    const quoted = cursor.take(/"((?:\\"|[^"])*)"/y)?.[1];
    return quoted?.replace(/\\([\\'"abfnrtv])/g, (_, letter: string) => escapes[letter] ?? letter) ?? null;
  }
  const line = cursor.take(/[^\r\n]*/y)?.[0] ?? '';
  return line.replace(/\s+#[^]*/, '').trimEnd();
}

/** One statement, `'nothing'` for a line without one, `'malformed'` (the rest of its line consumed). */
function takeStatement(cursor: Cursor): Statement | 'nothing' | 'malformed' {
  cursor.take(/\s*/y);
  if (cursor.atEnd || cursor.take(/#[^\r\n]*/y) !== null) {
    return 'nothing';
  }
  const offset = cursor.offset;
  cursor.take(/export[^\S\r\n]+/y);
  const key = takeKey(cursor);
  cursor.take(space);
  let value: string | null = null;
  const assigned = key !== null && cursor.take(/=[^\S\r\n]*/y) !== null;
  if (assigned) {
    value = takeValue(cursor);
  }
  if (key === null || (assigned && value === null) || cursor.take(endOfStatement) === null) {
    cursor.take(/[^\r\n]*(?:\r\n|\n|\r|$)/y);
    return 'malformed';
  }
  return { key, value, offset };
}

/** `${NAME}` and `${NAME:-default}` replaced: by an earlier line of the file, the environment, the default, nothing. */
function interpolate(
  value: string,
  earlier: ReadonlyMap<string, string | null>,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return value.replace(/\$\{([^}:]*)(?::-([^}]*))?\}/g, (_, name: string, fallback: string | undefined) =>
    earlier.has(name)
      ? (earlier.get(name) ?? '')
      : ((Object.hasOwn(env, name) ? env[name] : undefined) ?? fallback ?? ''),
  );
}

/**
 * Reads an environment file. A malformed line is a warning with its line, and the lines after it count.
 *
 * @param env what `${VAR}` finds besides the file's own earlier lines
 */
export function readDotenv(text: string, path: string, env: Readonly<Record<string, string | undefined>>): Reading {
  const cursor = new Cursor(text);
  const keys = new Map<string, FoundKey>();
  const problems: SettingsProblem[] = [];
  const earlier = new Map<string, string | null>();
  while (!cursor.atEnd) {
    const before = cursor.offset;
    const statement = takeStatement(cursor);
    if (statement === 'malformed') {
      const start = before + (/^\s*/.exec(text.slice(before))?.[0].length ?? 0);
      problems.push(
        makeProblem({
          severity: 'warning',
          source: 'dotenv',
          path,
          ...positionAt(text, start),
          message: 'this line is not understood and was skipped',
          expected: 'NAME=value, with quotes closed and nothing but a comment after them',
        }),
      );
    } else if (statement !== 'nothing') {
      const { key, offset } = statement;
      const value = statement.value === null ? null : interpolate(statement.value, earlier, env);
      earlier.set(key, value);
      // A bare name takes back an earlier value; the last of equal keys counts, at its own place.
      keys.delete(key);
      if (value !== null) {
        keys.set(key, { key, raw: { style: 'text', text: value }, ...positionAt(text, offset) });
      }
    }
  }
  return { keys: [...keys.values()], problems };
}
