/** Locations as a file: what an import takes, and what an export writes. Pure. */
import { parseDocument } from 'yaml';
import type { Location } from '../../../api/managers/location.ts';
import { isObject } from '../../../api/client/wire.ts';

export type ReadFile =
  | { readonly ok: true; readonly entries: readonly unknown[] }
  /** `text`: it can't be read, with the place; `shape`: it is neither a list nor has it `locations`. */
  | { readonly ok: false; readonly why: 'text'; readonly reason: string }
  | { readonly ok: false; readonly why: 'shape' };

/** A list as it was exported, or the `locations` of a lab's locations file; JSON or YAML, of which JSON is a part. */
export function readLocationFile(text: string): ReadFile {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) return { ok: false, why: 'text', reason: error.message.split('\n')[0] ?? '' };
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (Array.isArray(value)) return { ok: true, entries: value };
  const inside = isObject(value) ? value['locations'] : undefined;
  return Array.isArray(inside) ? { ok: true, entries: inside } : { ok: false, why: 'shape' };
}

/** JSON that the manager's import takes back, all fields as they are stored. */
export function locationsText(locations: readonly Location[]): string {
  return `${JSON.stringify(locations, null, 2)}\n`;
}
