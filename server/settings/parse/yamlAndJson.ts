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
  type FileEntry,
  type FoundKey,
  type Place,
  type Reading,
} from './problem.ts';
import type { SettingsProblem } from '../schema/types.ts';
import { parse, type DocumentNode } from '@humanwhocodes/momoa';

type MakeProblem = (
  severity: SettingsProblem['severity'],
  at: Place,
  message: string,
  expected: string | null,
  key?: string,
) => SettingsProblem;

const problemsOf =
  (source: 'yaml' | 'json', path: string): MakeProblem =>
  (severity, at, message, expected, key) =>
    makeProblem({ severity, source, path, ...at, message, expected, key: key ?? null });

const nowhere: Place = { line: null, column: null };

/** Collects the keys with their values. The last of duplicate keys counts, with a warning. */
function collectKeys(
  values: object,
  places: readonly (Place & { readonly key: string })[],
  problem: MakeProblem,
  placeOfOthers = nowhere,
): Reading {
  const placeByKey = new Map<string, Place>();
  const problems: SettingsProblem[] = [];
  for (const { key, line, column } of places) {
    const first = placeByKey.get(key);
    if (first !== undefined) {
      const message = `given twice, first on line ${first.line}; this one counts`;
      problems.push(problem('warning', { line, column }, message, 'one of them', key));
    }
    placeByKey.set(key, { line, column });
  }
  const keys = Object.entries(values).map(([key, value]: [string, unknown]): FoundKey => {
    const { line, column } = placeByKey.get(key) ?? placeOfOthers;
    return { key, raw: { style: 'native', value }, line, column };
  });
  return { keys, problems };
}

/**
 * Parses a YAML file. An empty one (or one of comments) has no keys. The last of duplicate keys counts, with a warning.
 * More than one document, or a top level that is not a mapping, is an error.
 */
export function readYaml(text: string, path: string): Reading {
  const yaml = parseYaml(text, { uniqueKeys: false, merge: true });
  const { document, placeOf } = yaml;
  const problem = problemsOf('yaml', path);
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
  let values: object;
  try {
    values = toData() as object;
  } catch (error) {
    const message = `not usable YAML: ${parserReason(error)}`;
    return { keys: [], problems: [problem('error', nowhere, message, 'aliases of anchors before them')] };
  }
  const warnings = document.warnings.map((warning) =>
    problem('warning', placeOf(warning.pos[0]), warning.message, null),
  );
  const places = contents.items.flatMap(({ key }) =>
    isScalar(key) ? [{ key: String(key.value), source: key.source, ...placeOf(key.range[0]) }] : [],
  );
  // With merging enabled, the library's value of a merge key is a symbol.
  const isMerge = ({ source }: { readonly source?: string | undefined }) => source === '<<';
  const { keys, problems } = collectKeys(
    values,
    places.filter((place) => !isMerge(place)),
    problem,
    places.findLast(isMerge),
  );
  return { keys, problems: [...warnings, ...problems] };
}

/** A member of the top-level object, with its start and end. */
export interface JsonEntry extends FileEntry {
  readonly end: number;
}

/** The members of the top-level object; `null` if the top level is something else. */
function membersOf({ body }: DocumentNode): readonly JsonEntry[] | null {
  if (body.type !== 'Object') return null;
  return body.members.map(({ name, value, loc }) => ({
    key: name.type === 'String' ? name.value : name.name,
    start: loc.start.offset,
    end: loc.end.offset,
    value: { start: value.loc.start.offset, end: value.loc.end.offset },
  }));
}

/** The top-level keys of a text that `readJson` accepts. */
export function jsonEntries(text: string): readonly JsonEntry[] {
  return membersOf(parse(text, { mode: 'json' })) ?? [];
}

/**
 * Parses a JSON file. An empty one has no keys. The last of duplicate keys counts, with a warning. Anything but an
 * object of strict JSON is an error.
 */
export function readJson(text: string, path: string): Reading {
  const problem = problemsOf('json', path);
  const broken = (place: Place, message: string): Reading => ({
    keys: [],
    problems: [problem('error', place, message, 'a JSON object, without comments or trailing commas')],
  });
  if (text.trim() === '') {
    return { keys: [], problems: [] };
  }
  const lines = new LinePositions(text);
  const tooDeepAt = findTooDeepJson(text);
  if (tooDeepAt !== null) {
    return broken(lines.positionOf(tooDeepAt), 'lists or objects are nested too deeply');
  }
  let document: DocumentNode;
  try {
    document = parse(text, { mode: 'json' });
  } catch (error) {
    const reason = parserReason(error).replace(/ found\. \(\d+:\d+\)$/, '');
    return broken(findErrorPlace(error), `not valid JSON: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`);
  }
  let values: object;
  try {
    values = JSON.parse(text) as object;
  } catch (error) {
    // Only a control character inside a string is valid for momoa, and not in JSON.
    const offset = /position (\d+)/.exec(parserReason(error))?.[1];
    const place = offset === undefined ? nowhere : lines.positionOf(Number(offset));
    return broken(place, 'not valid JSON: a line break or control character inside a string');
  }
  const members = membersOf(document);
  if (members === null) {
    return broken(lines.positionOf(document.body.loc.start.offset), 'the top level is not an object');
  }
  const places = members.map(({ key, start }) => ({ key, ...lines.positionOf(start) }));
  return collectKeys(values, places, problem);
}

/** The position of a momoa error; its error class is not exported. */
function findErrorPlace(error: unknown): Place {
  const { line, column } = error as Partial<Record<keyof Place, unknown>>;
  return { line: typeof line === 'number' ? line : null, column: typeof column === 'number' ? column : null };
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
