/** Locations as a file: parses imports and writes exports. Pure. */
import { parseDocument } from 'yaml';
import type { Location } from '../../../api/managers/location.ts';
import { isObject } from '../../../api/client/wire.ts';
import { readPythonScalars } from '../../base/pythonYaml.ts';
import { hasNonFiniteNumber, stringifyExactJson } from '../../../api/exactJson.ts';
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
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) return { ok: false, kind: 'text', reason: error.message.split('\n')[0] ?? '' };
  readPythonScalars(document, text);
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  // The manager could not return them, and its other locations neither.
  if (hasNonFiniteNumber(value)) return { ok: false, kind: 'text', reason: schemaFormTexts.problems.finite };
  if (Array.isArray(value)) return { ok: true, entries: value, omitted: [] };
  if (!isObject(value) || !Array.isArray(value['locations'])) return { ok: false, kind: 'shape' };
  const { locations, ...others } = value;
  const omitted = Object.entries(others)
    .map(([name, section]) => ({ name, count: countEntries(section) }))
    .filter(({ count }) => count !== 0);
  return { ok: true, entries: locations, omitted };
}

function countEntries(section: unknown): number | null {
  if (Array.isArray(section)) return section.length;
  return isObject(section) ? Object.keys(section).length : null;
}

/** Returns JSON that the manager can import again, with all fields as stored. */
export function serializeLocations(locations: readonly Location[]): string {
  return `${stringifyExactJson(locations, 2)}\n`;
}
