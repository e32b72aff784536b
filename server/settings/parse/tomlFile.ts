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

const blank = /(?:[ \t\r\n]|#[^\n]*)*/y;
const keyPart = /[ \t]*(?:"(?<basic>(?:\\.|[^"\\])*)"|'(?<literal>[^']*)'|(?<bare>[A-Za-z0-9_-]+))/y;
const stringToken = /"""(?:\\[\s\S]|(?!""")[^\\])*"{3,5}|'''(?:(?!''')[\s\S])*'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y;

function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}

/**
 * Where a statement ends: the end of its line, including strings, arrays and inline tables over several lines; and where
 * its value ends, without the comment after it.
 */
function findStatementEnd(text: string, start: number): { readonly end: number; readonly valueEnd: number } {
  let depth = 0;
  let offset = start;
  let valueEnd = start;
  while (offset < text.length) {
    const string = matchAt(stringToken, text, offset);
    const character = text.charAt(offset);
    if (string !== null) {
      offset += string[0].length;
      valueEnd = offset;
      continue;
    }
    if (character === '#') {
      const end = text.indexOf('\n', offset);
      offset = end < 0 ? text.length : end;
      continue;
    }
    if (character === '\n' && depth === 0) {
      return { end: offset, valueEnd };
    }
    depth += '[{'.includes(character) ? 1 : ']}'.includes(character) ? -1 : 0;
    offset += 1;
    valueEnd = character.trim() === '' ? valueEnd : offset;
  }
  return { end: offset, valueEnd };
}

/** The top-level keys of a valid TOML text; smol-toml reports values without positions. */
export function tomlEntries(text: string): readonly FileEntry[] {
  const entries: FileEntry[] = [];
  let offset = 0;
  let inTable = false;
  while (offset < text.length) {
    offset += matchAt(blank, text, offset)?.[0].length ?? 0;
    const header = matchAt(/\[\[?/y, text, offset)?.[0] ?? '';
    const part = matchAt(keyPart, text, offset + header.length);
    const { end, valueEnd } = findStatementEnd(text, offset);
    if (part !== null && (header !== '' || !inTable)) {
      const { basic, literal, bare } = part.groups ?? {};
      const key = bare ?? literal ?? (basic === undefined ? '' : String(Object.keys(parse(`"${basic}" = 0`))[0]));
      const start = offset + header.length;
      // A table (`[otel]`) and a key of several parts (`otel.enabled`) have no single value.
      const equals = header === '' ? matchAt(/[ \t]*=[ \t]*/y, text, start + part[0].length) : null;
      const value = equals && { start: start + part[0].length + equals[0].length, end: valueEnd };
      entries.push({ key, start, value });
    }
    inTable ||= header !== '';
    offset = end;
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
