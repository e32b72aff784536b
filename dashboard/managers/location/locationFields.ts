/**
 * All fields of a location as an import writes them: with `overwrite` the manager replaces a location as a whole, so
 * that what is not sent is reset. Pure.
 */
import type { Location, NewLocation } from '../../../api/managers/location.ts';
import { sameValue } from '../../base/sameJson.ts';
import type { LocationTemplate } from '../../../api/managers/locationTemplate.ts';

/** What the manager makes of a field that isn't sent. The ID stays that of the location which has the name. */
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

/** The location with every field that an import would reset if it weren't sent; a later MADSci's fields stay too. */
export function wholeLocation(location: NewLocation | Location): NewLocation {
  const input = Object.entries(location).filter(([, value]) => value !== undefined);
  const whole = { ...fieldDefaults, ...Object.fromEntries(input) } as NewLocation;
  return { ...whole, representations: location.representations ?? {} };
}

/** A field that would change. */
export interface Difference {
  /** The field, or `representations.` and the node. */
  readonly field: string;
  readonly stored: unknown;
  readonly wanted: unknown;
}

/** What an import with `overwrite` would change of a stored location, representations node by node. */
export function differences(stored: Location, requested: NewLocation): readonly Difference[] {
  const [before, after] = [wholeLocation(stored), wholeLocation(requested)];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !['location_name', 'location_id', 'representations'].includes(field),
  );
  const [old, next] = [before.representations ?? {}, after.representations ?? {}];
  const nodes = [...new Set([...Object.keys(old), ...Object.keys(next)])];
  const all = [
    ...fields.map((field) => ({ field, stored: before[field], wanted: after[field] })),
    ...nodes.map((node) => ({ field: `representations.${node}`, stored: old[node], wanted: next[node] })),
  ];
  return all.filter((one) => !sameValue(one.stored, one.wanted));
}

/** The location manager's rules for names. Pure. */

/** What is wrong with a name; `null` when it can be used. */
export type NameProblem = 'empty' | 'signs' | 'taken';

/** Letters and digits, also those beyond ASCII, and three signs: a name is part of the manager's addresses. */
const signs = /^[\p{L}\p{N}_.-]+$/u;

/** @param used names that the lab has already */
export function nameProblem(name: string, used: ReadonlySet<string> = new Set()): NameProblem | null {
  if (name === '') return 'empty';
  if (!signs.test(name)) return 'signs';
  return used.has(name) ? 'taken' : null;
}

/** The name of the representation template for a node, by the location's own template and its roles. Pure. */
export function templateFor(location: Location, node: string, templates: readonly LocationTemplate[]): string | null {
  const template = templates.find((one) => one.template_name === location.location_template_name);
  const roles = Object.entries(location.node_bindings ?? {}).filter(([, bound]) => bound === node);
  // Of two roles for one node the manager takes the last.
  const role = roles.at(-1)?.[0];
  return role === undefined ? null : (template?.representation_templates?.[role] ?? null);
}

/** Somebody else stored another one than the person saw. @param stored now @param seen undefined where there was none. Pure. */
export function isOverwritten(stored: unknown, seen: unknown, requested: unknown): boolean {
  return !sameValue(stored, seen) && !sameValue(stored, requested);
}
