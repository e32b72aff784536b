/** JSON settings files: strict JSON, with line and column of errors and keys. */
import { evaluate, parse, type DocumentNode } from '@humanwhocodes/momoa';
import { jsonTooDeep } from './nesting.ts';
import { makeProblem } from './problem.ts';
import { LinePositions, parserReason, type FoundKey, type Place, type Reading } from './reading.ts';
import type { SettingsProblem } from '../schema/types.ts';

/** Where momoa's errors point; its error class isn't exported. */
function placeOf(error: unknown): Place {
  const at = error instanceof Error && 'line' in error && 'column' in error ? error : null;
  return {
    line: typeof at?.line === 'number' ? at.line : null,
    column: typeof at?.column === 'number' ? at.column : null,
  };
}

/** momoa takes raw control characters in strings, which JSON forbids; this finds the first. */
function rawControlCharacter(document: DocumentNode, text: string): Place | null {
  for (const token of document.tokens ?? []) {
    const offset = token.loc.start.offset;
    const inside = token.type === 'String' ? text.slice(offset, token.loc.end.offset) : '';
    const index = [...inside].findIndex((character) => character < ' ');
    if (index >= 0) {
      return new LinePositions(text).at(offset + [...inside].slice(0, index).join('').length);
    }
  }
  return null;
}

/**
 * Reads a JSON file. An empty one holds nothing. Of equal keys the last counts, with a warning. Anything that isn't an
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
  const tooDeep = jsonTooDeep(text);
  if (tooDeep !== null) {
    return broken(new LinePositions(text).at(tooDeep), 'lists or objects are nested too deeply');
  }
  let document: DocumentNode;
  let values: readonly unknown[];
  try {
    document = parse(text, { mode: 'json', tokens: true });
    values =
      document.body.type === 'Object' ? document.body.members.map(({ value }) => evaluate(value) as unknown) : [];
  } catch (error) {
    const reason = parserReason(error).replace(/ found\. \(\d+:\d+\)$/, '');
    return broken(placeOf(error), `not valid JSON: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`);
  }
  const control = rawControlCharacter(document, text);
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
