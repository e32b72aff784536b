/**
 * All fields of a location for an import: with `overwrite` the manager replaces the whole location, so omitted fields
 * are reset.
 */
import type { Location, NewLocation } from '#api/managers/location.ts';
import { sameValue } from '#api/sameJson.ts';
import type { LocationTemplate } from '#api/managers/locationTemplate.ts';

/** The manager's defaults for omitted fields. The location keeps its ID, because it is identified by name. */
const fieldDefaults = {
  resource_id: null,
  description: null,
  representations: {},
  resource_template_name: null,
  resource_template_overrides: null,
  allow_transfers: true,
  reservation: null,
  location_template_name: null,
  node_bindings: null,
  managed_by: 'lab',
  owner: null,
} as const satisfies Partial<Location>;

/**
 * Returns the location with every field that an import would otherwise reset, including the fields of later MADSci
 * versions.
 */
export function withAllFields(location: NewLocation | Location): NewLocation {
  const input = Object.entries(location).filter(([, value]) => value !== undefined);
  const completed = { ...fieldDefaults, ...Object.fromEntries(input) } as NewLocation;
  return { ...completed, representations: location.representations ?? {} };
}

/** A field that would change. */
export interface Difference {
  /** The field's name, or `representations.` and the node. */
  readonly field: string;
  readonly storedValue: unknown;
  readonly importedValue: unknown;
}

/** Returns the changes that an import with `overwrite` makes to a stored location, representations per node. */
export function findDifferences(storedLocation: Location, newLocation: NewLocation): readonly Difference[] {
  const [previous, after] = [withAllFields(storedLocation), withAllFields(newLocation)];
  const fields = [...new Set([...Object.keys(previous), ...Object.keys(after)])].filter(
    (field) => !['location_name', 'location_id', 'representations'].includes(field),
  );
  const [old, next] = [previous.representations ?? {}, after.representations ?? {}];
  const nodes = [...new Set([...Object.keys(old), ...Object.keys(next)])];
  const all = [
    ...fields.map((field) => ({ field, storedValue: previous[field], importedValue: after[field] })),
    ...nodes.map((node) => ({ field: `representations.${node}`, storedValue: old[node], importedValue: next[node] })),
  ];
  return all.filter((difference) => !sameValue(difference.storedValue, difference.importedValue));
}

/** Letters and digits, also beyond ASCII, and three punctuation characters, because a name is part of the manager's URLs. */
const namePattern = /^[\p{L}\p{N}_.-]+$/u;

/**
 * Returns why the location manager accepts no location with this name; `null` if it does.
 * @param existingNames the existing names in the lab
 */
export function findNameProblem(name: string, existingNames: ReadonlySet<string> = new Set()): string | null {
  if (name === '') return 'Enter a name.';
  if (!namePattern.test(name)) return 'A name consists of letters, digits, “_”, “.” and “-”.';
  return existingNames.has(name) ? 'A location has this name already.' : null;
}

/** Returns the representation template for a node, from the location's template and its roles. */
export function findRepresentationTemplate(
  location: Location,
  node: string,
  templates: readonly LocationTemplate[],
): string | null {
  const locationTemplate = templates.find((template) => template.template_name === location.location_template_name);
  const roles = Object.entries(location.node_bindings ?? {}).filter(([, bound]) => bound === node);
  // If a node has two roles, the manager uses the last.
  const role = roles.at(-1)?.[0];
  return role === undefined ? null : (locationTemplate?.representation_templates?.[role] ?? null);
}

/**
 * Returns whether another user has stored a value that differs from the one shown and from the new one.
 * @param shownValue `undefined` if no value was shown
 */
export function isOverwritten(storedValue: unknown, shownValue: unknown, newValue: unknown): boolean {
  return !sameValue(storedValue, shownValue) && !sameValue(storedValue, newValue);
}
