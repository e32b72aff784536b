/** YAML settings files: YAML 1.2 core, one document, with merge keys, and line and column of errors and keys. */
import { isMap, isScalar, LineCounter, parseAllDocuments, type Document, type ParsedNode, type YAMLMap } from 'yaml';
import { makeProblem } from './problem.ts';
import { yamlTooDeep } from './nesting.ts';
import { LinePositions, parserReason, type FoundKey, type Place, type Reading } from './reading.ts';
import type { SettingsProblem } from '../schema/types.ts';

type MakeProblem = (
  severity: SettingsProblem['severity'],
  at: Place,
  message: string,
  expected: string | null,
) => SettingsProblem;

const nowhere: Place = { line: null, column: null };

/** Reads of a parsed document what it holds, or why it can't be had (too many aliases). */
function evaluated(document: Document<ParsedNode>): Readonly<Record<string, unknown>> | Error {
  try {
    return document.toJS({ mapAsMap: false }) as Record<string, unknown>;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * Reads a YAML file. An empty one (or one of comments) holds nothing. Of equal keys the last counts, with a warning.
 * More than one document, or a top level that isn't a mapping, is an error.
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

  const tooDeep = yamlTooDeep(text);
  if (tooDeep !== null) {
    // The line counter is filled by the parser, which must not see this text.
    return broken(new LinePositions(text).at(tooDeep), 'lists or mappings are nested too deeply', 'less nesting');
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
          'key: value, one a line, indented with spaces',
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
  const values = evaluated(document);
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
    // With merging switched on, the library's value of a merge key is a symbol.
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
