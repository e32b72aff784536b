/**
 * Reads settings files in YAML (1.2 core, one document, with merge keys) and strict JSON, with line and column of
 * errors and keys.
 */
import { isMap, isScalar, type YAMLError, type YAMLMap } from 'yaml';
import { parseYaml, yamlLimits, type YamlText } from '#api/yamlText.ts';
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

/**
 * Parses a YAML file. An empty one (or one of comments) has no keys. The last of duplicate keys counts, with a warning.
 * More than one document, or a top level that is not a mapping, is an error.
 */
export function readYaml(text: string, path: string): Reading {
  const yaml = parseYaml(text, { uniqueKeys: false, merge: true });
  const { document, placeOf } = yaml;
  const problem: MakeProblem = (severity, at, message, expected) =>
    makeProblem({ severity, source: 'yaml', path, ...at, message, expected });
  const broken = (at: Place, message: string, expected: string): Reading => ({
    keys: [],
    problems: [problem('error', at, message, expected)],
  });

  if (document.errors.length > 0) {
    return { keys: [], problems: document.errors.map((error) => describeError(error, placeOf, problem)) };
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) {
    return { keys: [], problems: [] };
  }
  if (!isMap(contents)) {
    return broken(placeOf(contents.range[0]), 'the top level is not a mapping', 'key: value, one a line');
  }
  return readMapping(yaml, contents, problem);
}

function describeError(error: YAMLError, placeOf: YamlText['placeOf'], problem: MakeProblem): SettingsProblem {
  const at = placeOf(error.pos[0]);
  if (error.code === 'RESOURCE_EXHAUSTION') return problem('error', at, parserReason(error), null);
  if (error.code === 'MULTIPLE_DOCS')
    return problem('error', at, 'a second document begins here', 'one document, so no --- between settings');
  const expected = error.code === 'BAD_DQ_ESCAPE' ? backslashAdvice : 'key: value, one a line, indented with spaces';
  return problem('error', at, `not valid YAML: ${parserReason(error)}`, expected);
}

/** Reads the keys of the document's mapping with their places. */
function readMapping({ document, placeOf, toData }: YamlText, contents: YAMLMap.Parsed, problem: MakeProblem): Reading {
  let values: Readonly<Record<string, unknown>>;
  try {
    values = toData() as Readonly<Record<string, unknown>>;
  } catch (error) {
    const message = `not usable YAML: ${parserReason(error)}`;
    return { keys: [], problems: [problem('error', nowhere, message, 'aliases of anchors before them')] };
  }
  const problems = document.warnings.map((warning) =>
    problem('warning', placeOf(warning.pos[0]), warning.message, null),
  );
  const places = new Map<string, Place>();
  let mergePlace: Place = nowhere;
  for (const pair of contents.items) {
    const at = placeOf(pair.key.range[0]);
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
    if (depth > yamlLimits.levels) {
      return index;
    }
  }
  return null;
}
