/** A node's representation of a location: which template it is made from, and whether saving it would undo another's change. */
import type { Location } from '../../../api/managers/location.ts';
import type { LocationTemplate } from '../../../api/managers/locationTemplate.ts';
import { sameValue } from '../../base/sameJson.ts';

/** The name of the representation template for a node, by the location's own template and its roles. Pure. */
export function templateFor(location: Location, node: string, templates: readonly LocationTemplate[]): string | null {
  const template = templates.find((one) => one.template_name === location.location_template_name);
  const roles = Object.entries(location.node_bindings ?? {}).filter(([, bound]) => bound === node);
  // Of two roles for one node the manager takes the last.
  const role = roles.at(-1)?.[0];
  return role === undefined ? null : (template?.representation_templates?.[role] ?? null);
}

/** Somebody else stored another one than the person saw. @param stored now @param seen undefined where there was none. Pure. */
export function isOverwritten(stored: unknown, seen: unknown, wanted: unknown): boolean {
  return !sameValue(stored, seen) && !sameValue(stored, wanted);
}
