/** Locations as a file: parses imports and writes exports. */
import type { Location } from '#api/managers/location.ts';
import { isObject } from '#api/client/wire.ts';
import { errorText } from '#api/errorText.ts';
import { parseYaml } from '#api/yamlText.ts';
import { readPythonScalars } from '../../base/pythonYaml.ts';
import { findInexactNumber, parseExactJson, stringifyExactJson, UnsupportedJsonError } from '#api/exactJson.ts';
import { failure, success, type ParseResult } from '../../components/form/numberText.ts';
import { schemaFormTexts } from '../../components/form/texts.ts';

/** A section that is not imported; `count` is `null` if it has no entries to count. */
export interface OmittedSection {
  readonly name: string;
  readonly count: number | null;
}

export type ReadFile =
  | { readonly ok: true; readonly entries: readonly unknown[]; readonly omitted: readonly OmittedSection[] }
  /** `text`: it can't be parsed, with the position; `shape`: it is neither a list nor an object with `locations`. */
  | { readonly ok: false; readonly kind: 'text'; readonly reason: string }
  | { readonly ok: false; readonly kind: 'shape' };

/** Parses an exported list, or the `locations` of a lab's locations file; JSON or YAML, which includes JSON. */
export function readLocationFile(text: string): ReadFile {
  const parsed = parseText(text);
  if (!parsed.ok) return { ok: false, kind: 'text', reason: parsed.problem };
  const { value } = parsed;
  // The manager could not return them, and its other locations neither.
  const inexact = findInexactNumber(value);
  if (inexact !== null) {
    const { finite, storedAsZero } = schemaFormTexts.problems;
    return { ok: false, kind: 'text', reason: Number(inexact) === 0 ? storedAsZero(inexact) : finite };
  }
  if (Array.isArray(value)) return { ok: true, entries: value, omitted: [] };
  if (!isObject(value) || !Array.isArray(value['locations'])) return { ok: false, kind: 'shape' };
  const { locations, ...others } = value;
  const omitted = Object.entries(others)
    .map(([name, section]) => ({ name, count: countEntries(section) }))
    .filter(({ count }) => count !== 0);
  return { ok: true, entries: locations, omitted };
}

function parseText(text: string): ParseResult {
  try {
    return success(parseExactJson(text));
  } catch (error) {
    if (error instanceof UnsupportedJsonError) return failure(schemaFormTexts.json.unsupported(error.message));
  }
  const { document, placeOf, toData } = parseYaml(text, { uniqueKeys: true, merge: true });
  const [error] = document.errors;
  if (error === undefined) {
    readPythonScalars(document, text);
    try {
      return success(toData());
    } catch (cause) {
      return failure(errorText(cause));
    }
  }
  const { line, column } = placeOf(error.pos[0]);
  return failure(schemaFormTexts.problems.json(line, column, error.message));
}

function countEntries(section: unknown): number | null {
  if (Array.isArray(section)) return section.length;
  return isObject(section) ? Object.keys(section).length : null;
}

/** Returns JSON that the manager can import again, with all fields as stored. */
export function serializeLocations(locations: readonly Location[]): string {
  return `${stringifyExactJson(locations, 2)}\n`;
}
