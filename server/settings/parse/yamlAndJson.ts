/**
 * Reads settings files in YAML (1.2 core, one document, with merge keys) and strict JSON, with line and column of
 * errors and keys.
 */
import {
  isMap,
  isScalar,
  LineCounter,
  parseAllDocuments,
  type Document,
  type ParsedNode,
  type YAMLMap,
  Lexer,
} from 'yaml';
import {
  backslashAdvice,
  makeProblem,
  LinePositions,
  parserReason,
  type FoundKey,
  type Place,
  type Reading,
} from './problem.ts';
import type { SettingsProblem } from '../schema/types.ts';
import { evaluate, parse, type DocumentNode } from '@humanwhocodes/momoa';

type MakeProblem = (
  severity: SettingsProblem['severity'],
  at: Place,
  message: string,
  expected: string | null,
) => SettingsProblem;

const nowhere: Place = { line: null, column: null };

/** Evaluates a parsed document; returns an error if that is impossible (too many aliases). */
function evaluateDocument(document: Document<ParsedNode>): Readonly<Record<string, unknown>> | Error {
  try {
    return document.toJS({ mapAsMap: false }) as Record<string, unknown>;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * Parses a YAML file. An empty one (or one of comments) has no keys. The last of duplicate keys counts, with a warning.
 * More than one document, or a top level that is not a mapping, is an error.
 */
export function readYaml(text: string, path: string): Reading {
  const lines = new LineCounter();
  const place = (offset: number | undefined): Place => {
    if (offset === undefined) {
      return nowhere;
    }
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const problem: MakeProblem = (severity, at, message, expected) =>
    makeProblem({ severity, source: 'yaml', path, ...at, message, expected });
  const broken = (at: Place, message: string, expected: string): Reading => ({
    keys: [],
    problems: [problem('error', at, message, expected)],
  });

  const tooDeepAt = findTooDeepYaml(text);
  if (tooDeepAt !== null) {
    // The parser fills the line counter, and must not process this text.
    return broken(
      new LinePositions(text).positionOf(tooDeepAt),
      'lists or mappings are nested too deeply',
      'less nesting',
    );
  }
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    merge: true,
    version: '1.2',
  });
  if (!Array.isArray(documents)) {
    return { keys: [], problems: [] };
  }
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0) {
    return {
      keys: [],
      problems: errors.map((error) =>
        problem(
          'error',
          place(error.pos[0]),
          `not valid YAML: ${parserReason(error)}`,
          error.code === 'BAD_DQ_ESCAPE' ? backslashAdvice : 'key: value, one a line, indented with spaces',
        ),
      ),
    };
  }
  const [document, second] = documents;
  if (second !== undefined) {
    return broken(place(second.range[0]), 'a second document begins here', 'one document, so no --- between settings');
  }
  const contents = document?.contents ?? null;
  if (document === undefined || contents === null || (isScalar(contents) && contents.value === null)) {
    return { keys: [], problems: [] };
  }
  if (!isMap(contents)) {
    return broken(place(contents.range[0]), 'the top level is not a mapping', 'key: value, one a line');
  }
  return readMapping(document, contents, place, problem);
}

/** Reads the keys of the document's mapping with their places. */
function readMapping(
  document: Document<ParsedNode>,
  contents: YAMLMap.Parsed,
  place: (offset: number | undefined) => Place,
  problem: MakeProblem,
): Reading {
  const values = evaluateDocument(document);
  if (values instanceof Error) {
    const message = `not usable YAML: ${parserReason(values)}`;
    return { keys: [], problems: [problem('error', nowhere, message, 'fewer aliases, less nesting')] };
  }
  const problems = document.warnings.map((warning) => problem('warning', place(warning.pos[0]), warning.message, null));
  const places = new Map<string, Place>();
  let mergePlace = nowhere;
  for (const pair of contents.items) {
    const at = place(pair.key.range[0]);
    const key = isScalar(pair.key) ? String(pair.key.value) : null;
    // With merging enabled, the library's value of a merge key is a symbol.
    if (isScalar(pair.key) && pair.key.source === '<<') {
      mergePlace = at;
    } else if (key !== null) {
      const first = places.get(key);
      if (first !== undefined) {
        problems.push({
          ...problem('warning', at, `given twice, first on line ${first.line}; this one counts`, 'one of them'),
          key,
        });
      }
      places.set(key, at);
    }
  }
  const keys = Object.entries(values).map(([key, value]): FoundKey => ({
    key,
    raw: { style: 'native', value },
    ...(places.get(key) ?? mergePlace),
  }));
  return { keys, problems };
}

/** The position of a momoa error; its error class is not exported. */
function findErrorPlace(error: unknown): Place {
  const at = error instanceof Error && 'line' in error && 'column' in error ? error : null;
  return {
    line: typeof at?.line === 'number' ? at.line : null,
    column: typeof at?.column === 'number' ? at.column : null,
  };
}

/** Finds the first raw control character in a string: momoa accepts these, JSON forbids them. */
function findRawControlCharacter(document: DocumentNode, text: string): Place | null {
  for (const token of document.tokens ?? []) {
    const offset = token.loc.start.offset;
    const inside = token.type === 'String' ? text.slice(offset, token.loc.end.offset) : '';
    const index = [...inside].findIndex((character) => character < ' ');
    if (index >= 0) {
      return new LinePositions(text).positionOf(offset + [...inside].slice(0, index).join('').length);
    }
  }
  return null;
}

/**
 * Parses a JSON file. An empty one has no keys. The last of duplicate keys counts, with a warning. Anything but an
 * object of strict JSON is an error.
 */
export function readJson(text: string, path: string): Reading {
  const problem = (severity: SettingsProblem['severity'], place: Place, message: string, expected: string) =>
    makeProblem({ severity, source: 'json', path, ...place, message, expected });
  const broken = (place: Place, message: string): Reading => ({
    keys: [],
    problems: [problem('error', place, message, 'a JSON object, without comments or trailing commas')],
  });
  if (text.trim() === '') {
    return { keys: [], problems: [] };
  }
  const tooDeepAt = findTooDeepJson(text);
  if (tooDeepAt !== null) {
    return broken(new LinePositions(text).positionOf(tooDeepAt), 'lists or objects are nested too deeply');
  }
  let document: DocumentNode;
  let values: readonly unknown[];
  try {
    document = parse(text, { mode: 'json', tokens: true });
    values =
      document.body.type === 'Object' ? document.body.members.map(({ value }) => evaluate(value) as unknown) : [];
  } catch (error) {
    const reason = parserReason(error).replace(/ found\. \(\d+:\d+\)$/, '');
    return broken(findErrorPlace(error), `not valid JSON: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`);
  }
  const control = findRawControlCharacter(document, text);
  if (control !== null) {
    return broken(control, 'not valid JSON: a line break or control character inside a string');
  }
  const { body } = document;
  if (body.type !== 'Object') {
    return broken({ line: body.loc.start.line, column: body.loc.start.column }, 'the top level is not an object');
  }
  const keys = new Map<string, FoundKey>();
  const problems: SettingsProblem[] = [];
  for (const [index, member] of body.members.entries()) {
    const key = member.name.type === 'String' ? member.name.value : member.name.name;
    const { line, column } = member.name.loc.start;
    const first = keys.get(key);
    if (first !== undefined) {
      problems.push({
        ...problem(
          'warning',
          { line, column },
          `given twice, first on line ${first.line}; this one counts`,
          'one of them',
        ),
        key,
      });
    }
    keys.set(key, { key, raw: { style: 'native', value: values[index] }, line, column });
  }
  return { keys: [...keys.values()], problems };
}

// Nesting is checked before a parser recurses into a text: if a regular expression is compiled when no stack is left,
// V8 ends the whole process instead of throwing.

/** Maximum levels of bracketed lists and mappings in a settings file. */
export const maxLevels = 100;

/** Maximum start column of a block list or a nested line of YAML: each level needs at least one column. */
const maxColumn = 500;

const jsonTokens = /"(?:\\.|[^"\\])*"?|[[\]{}]/gs;

/** The offset of the bracket that exceeds the maximum depth; `null` for a text that can be parsed. */
function findTooDeepJson(text: string): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(jsonTokens)) {
    if (token === '[' || token === '{') {
      depth += 1;
    } else if (token === ']' || token === '}') {
      depth -= 1;
    }
    if (depth > maxLevels) {
      return index;
    }
  }
  return null;
}

/** Byte order mark, start of a document, error in brackets, start of a scalar. */
const lexerMarks: ReadonlySet<string> = new Set(['\ufeff', '\u0002', '\u0018', '\u001f']);

/** The offset at which a YAML text exceeds the maximum depth of brackets or the maximum column; `null` if none. */
function findTooDeepYaml(text: string): number | null {
  let depth = 0;
  let offset = 0;
  let lineStart = 0;
  for (const token of new Lexer().lex(text)) {
    // The lexer's own markers (start of a document, of a scalar …) are single control characters and not part of the
    // text.
    if (lexerMarks.has(token)) {
      offset += token === '\ufeff' ? 1 : 0;
      continue;
    }
    if (token === '[' || token === '{') {
      depth += 1;
    } else if (token === ']' || token === '}') {
      depth -= 1;
    }
    const isIndentation = offset === lineStart && /^ +$/.test(token);
    const isIndicator = token === '-' || token === '?';
    const column = offset - lineStart + (isIndentation ? token.length : 0);
    if (depth > maxLevels || ((isIndentation || isIndicator) && column > maxColumn)) {
      return offset;
    }
    offset += token.length;
    const end = token.lastIndexOf('\n');
    lineStart = end < 0 ? lineStart : offset - (token.length - end - 1);
  }
  return null;
}
