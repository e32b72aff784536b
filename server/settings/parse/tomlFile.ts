/** TOML settings files: TOML 1.0, with line and column of errors and keys. */
import { parse, TomlError } from 'smol-toml';
import { yamlLimits } from '#api/yamlText.ts';
import {
  backslashAdvice,
  makeProblem,
  LinePositions,
  parserReason,
  type FileEntry,
  type FoundKey,
  type Reading,
} from './problem.ts';

/** The parts of a text that decide whether a line end also ends a statement. */
const tokens =
  /"""(?:\\[\s\S]|(?!""")[^\\])*"{3,5}|'''(?:(?!''')[\s\S])*'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#.*|[[\]{}\n]/g;

/** The offsets of the lines that begin outside texts and lists of several lines. */
function statementStarts(text: string): readonly number[] {
  const starts = [0];
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    else if (token === '\n' && depth === 0) starts.push(index + 1);
  }
  return starts;
}

/** The begin of a line that sets a key or begins a table. */
const statement =
  /(?<header>[ \t]*(?:\[\[?[ \t]*)?)(?:"(?<basic>(?:\\.|[^"\\\n])*)"|'(?<literal>[^'\n]*)'|(?<bare>[\w-]+))[ \t]*(?<equals>=[ \t]*|[.\]])/y;
const strings = /"(?:\\.|[^"\\\n])*"|'[^'\n]*'/g;
/** A value with the rest of its line: a comment, or nothing. A text over several lines begins with three quotes. */
const lineOfValue = /(?!"""|''')((?:"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^#\r\n"'])+)(?:#.*)?(?:\r?\n|$)/y;

/** The range of the value at an offset; `null` if it has several lines. */
function findValue(text: string, start: number): FileEntry['value'] {
  lineOfValue.lastIndex = start;
  const value = lineOfValue.exec(text)?.[1]?.trimEnd() ?? '';
  const brackets = value.replaceAll(strings, '');
  const isClosed = brackets.split(/[[{]/).length === brackets.split(/[\]}]/).length;
  return value !== '' && isClosed ? { start, end: start + value.length } : null;
}

/** The top-level keys of a valid TOML text; smol-toml reports values without positions. */
export function tomlEntries(text: string): readonly FileEntry[] {
  const entries: FileEntry[] = [];
  let isInTable = false;
  for (const start of statementStarts(text)) {
    statement.lastIndex = start;
    const match = statement.exec(text);
    if (match === null) continue;
    const { header = '', basic, literal, bare, equals = '' } = match.groups ?? {};
    const isTable = header.includes('[');
    if (isTable || !isInTable) {
      const key = bare ?? literal ?? String(Object.keys(parse(`"${basic}" = 0`))[0]);
      const value = isTable || !equals.startsWith('=') ? null : findValue(text, match.index + match[0].length);
      entries.push({ key, start: match.index + header.length, value });
    }
    isInTable ||= isTable;
  }
  return entries;
}

/** Parses a TOML file. An empty one has no keys; TOML itself forbids duplicate keys. */
export function readToml(text: string, path: string): Reading {
  try {
    const values = parse(text, { maxDepth: yamlLimits.levels });
    const lines = new LinePositions(text);
    // The first position of each key; for a table that of its header.
    const places = new Map(
      tomlEntries(text)
        .toReversed()
        .map(({ key, start }) => [key, lines.positionOf(start)]),
    );
    const keys = Object.entries(values).map(([key, value]): FoundKey => ({
      key,
      raw: { style: 'native', value },
      ...(places.get(key) ?? { line: null, column: null }),
    }));
    return { keys, problems: [] };
  } catch (error) {
    const at = error instanceof TomlError ? { line: error.line, column: error.column } : {};
    const reason = parserReason(error).split('\n')[0] ?? '';
    return {
      keys: [],
      problems: [
        makeProblem({
          severity: 'error',
          source: 'toml',
          path,
          ...at,
          message: `not valid TOML: ${reason.replace(/^Invalid TOML document: /, '')}`,
          expected: /escape/i.test(reason) ? backslashAdvice : 'key = value, one a line, text in quotes',
        }),
      ],
    };
  }
}
