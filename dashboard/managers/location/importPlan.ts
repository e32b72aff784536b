/** The plan of a location import, row by row before anything is sent, and its results. */
import { newLocation, type Location, type NewLocation } from '#api/managers/location.ts';
import { isObject } from '#api/client/wire.ts';
import { evaluateDifferences, type Premise } from '../commands/premise.ts';
import { type Difference, findDifferences, withAllFields, findNameProblem } from './locationFields.ts';
import { sameValue } from '#api/sameJson.ts';
import { isUlid } from '../../base/objectPages.ts';
import type { LocationClient } from './locationPremise.ts';

export type ImportLine = { readonly key: number; readonly name: string } & (
  | { readonly kind: 'new'; readonly location: NewLocation }
  | { readonly kind: 'same' }
  | { readonly kind: 'differs'; readonly location: NewLocation; readonly differences: readonly Difference[] }
  /** One invalid location makes the manager reject the whole import, so it isn't sent. */
  | { readonly kind: 'invalid'; readonly reason: string }
);

/** The manager accepts `name` as an alias of `location_name`. */
function normalizeName(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { name, ...rest } = entry;
  return 'location_name' in entry || name === undefined ? { ...entry } : { location_name: name, ...rest };
}

/** Zod skips a key of this name, so its content would be lost silently. */
const skippedKey = '__proto__';

/** Returns the path of the entry's field that Zod would skip; `null` if there is none. */
function findSkippedField(input: Readonly<Record<string, unknown>>): string | null {
  if (Object.hasOwn(input, skippedKey)) return skippedKey;
  const parentEntry = Object.entries(input).find(([, value]) => isObject(value) && Object.hasOwn(value, skippedKey));
  return parentEntry === undefined ? null : `${parentEntry[0]}.${skippedKey}`;
}

interface Entry {
  readonly name: string;
  /** `null` if it can't be sent, for the reason. */
  readonly location: NewLocation | null;
  readonly reason: string;
}

function readEntry(entry: unknown): Entry {
  const invalid = (name: string, reason: string): Entry => ({ name, location: null, reason });
  if (!isObject(entry)) return invalid('', 'It is not an object with fields.');
  const input = normalizeName(entry);
  const name = typeof input['location_name'] === 'string' ? input['location_name'] : '';
  const parsed = newLocation.safeParse(input);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? '';
    return invalid(name, field === '' ? 'It can’t be read.' : describeInvalidField(field));
  }
  if (input['representations'] === null) return invalid(name, describeInvalidField('representations'));
  const skippedField = findSkippedField(input);
  if (skippedField !== null) return invalid(name, `A field can’t be named ${skippedField}: rename it.`);
  const problem = findNameProblem(name);
  if (problem !== null) return invalid(name, problem);
  const id = parsed.data.location_id;
  if (id !== undefined && !isUlid(id.toUpperCase())) return invalid(name, `${id} is not a ULID: ${leaveIdOut}`);
  return { name, location: parsed.data, reason: '' };
}
const describeInvalidField = (field: string): string => `${field} is missing or of the wrong type.`;
const leaveIdOut = 'leave location_id out, and the location manager generates one.';

/** Returns one row per entry of the file, in its order. */
export function createImportPlan(
  entries: readonly unknown[],
  storedLocations: readonly Location[],
): readonly ImportLine[] {
  const byName = new Map(storedLocations.map((location) => [location.location_name, location]));
  const nameById = new Map(storedLocations.map((location) => [location.location_id, location.location_name]));
  const seenNames = new Set<string>();
  return entries.map((entry, key): ImportLine => {
    const { name, location, reason } = readEntry(entry);
    const invalid = (text: string): ImportLine => ({ key, name, kind: 'invalid', reason: text });
    if (location === null) return invalid(reason);
    if (seenNames.has(name)) return invalid('The file contains this name twice; the first entry is used.');
    const stored = byName.get(name);
    const id = location.location_id ?? '';
    const owner = stored === undefined ? nameById.get(id) : undefined;
    if (owner !== undefined) return invalid(`Its ID is that of ${owner}: ${leaveIdOut}`);
    seenNames.add(name);
    if (stored === undefined) {
      // A second new entry with the same ID would replace this one.
      if (id !== '') nameById.set(id, name);
      return { key, name, kind: 'new', location: withAllFields(location) };
    }
    const changes = findDifferences(stored, location);
    if (changes.length === 0) return { key, name, kind: 'same' };
    return { key, name, kind: 'differs', location: withAllFields(location), differences: changes };
  });
}

type SentLine = Extract<ImportLine, { kind: 'new' | 'differs' }>;

const isSent = (line: ImportLine, overwrite: boolean): line is SentLine =>
  line.kind === 'new' || (line.kind === 'differs' && overwrite);

/** Returns the locations of a plan to send: new ones, and with `overwrite` those that differ. */
export function locationsToSend(plan: readonly ImportLine[], overwrite: boolean): readonly NewLocation[] {
  return plan.flatMap((line) => (isSent(line, overwrite) ? [line.location] : []));
}

/**
 * The premise that the displayed plan is the same for the manager's current locations. Lines are compared with what they
 * overwrite: for a location that was added meanwhile, the same location is sent.
 */
export function importPremise(
  client: () => Pick<LocationClient, 'getLocations'>,
  entries: readonly unknown[],
  plan: readonly ImportLine[],
  overwrite: boolean,
): Premise<readonly Location[]> {
  return {
    read: (options) => client().getLocations({}, options),
    evaluate: (storedLocations) => {
      const [previous, current] = [plan, createImportPlan(entries, storedLocations)].map(
        (lines) => new Map(lines.filter((line) => isSent(line, overwrite)).map((line) => [line.name, line])),
      );
      const names = [...new Set([...(previous?.keys() ?? []), ...(current?.keys() ?? [])])];
      const changed = names.filter((name) => !sameValue(previous?.get(name), current?.get(name)));
      return evaluateDifferences(
        changed.map((name) => `“${name}” was added, changed or deleted: the import would do something else with it.`),
      );
    },
  };
}

export type ImportResponse = Awaited<ReturnType<LocationClient['importLocations']>>;

/** The result of the import for one sent location. */
export type ImportOutcome =
  | { readonly name: string; readonly result: 'imported'; readonly id: string }
  | { readonly name: string; readonly result: 'skipped' }
  | { readonly name: string; readonly result: 'failed'; readonly reason: string };

/** Returns how many of the sent locations the response names; `null` if that differs from the number it reports. */
export function countImported(sentLocations: readonly NewLocation[], response: ImportResponse): number | null {
  const count = importOutcomes(sentLocations, response).filter(({ result }) => result === 'imported').length;
  return count === response.imported ? count : null;
}

/**
 * Returns the result for each sent location. The manager's response contains the imported locations and an error text for
 * each failed one; the others were skipped.
 */
export function importOutcomes(
  sentLocations: readonly NewLocation[],
  response: ImportResponse,
): readonly ImportOutcome[] {
  const importedIds = new Map(response.locations.map(({ location_name: name, location_id: id }) => [name, id]));
  return sentLocations.map(({ location_name: name }): ImportOutcome => {
    const id = importedIds.get(name);
    if (id !== undefined) return { name, result: 'imported', id };
    const reason = response.errors.find((text) => text.includes(`'${name}'`));
    return reason === undefined ? { name, result: 'skipped' } : { name, result: 'failed', reason };
  });
}
