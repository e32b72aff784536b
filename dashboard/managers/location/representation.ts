/** A node's representation of a location: which template it is made from, and saving it without losing another's change. */
import type { Client } from '../../../api/client/client.ts';
import type { Location, locationApi } from '../../../api/managers/location.ts';
import type { LocationTemplate } from '../../../api/managers/locationTemplate.ts';
import { sameValue } from './locationFields.ts';

/** The name of the representation template for a node, by the location's own template and its roles. Pure. */
export function templateFor(location: Location, node: string, templates: readonly LocationTemplate[]): string | null {
  const template = templates.find((one) => one.template_name === location.location_template_name);
  const roles = Object.entries(location.node_bindings ?? {}).filter(([, bound]) => bound === node);
  // Of two roles for one node the manager takes the last.
  const role = roles.at(-1)?.[0];
  return role === undefined ? null : (template?.representation_templates?.[role] ?? null);
}

export interface RepresentationEdit {
  readonly location: Location;
  readonly node: string;
  readonly value: unknown;
  /** What the person saw as stored; undefined where the node had none. */
  readonly seen: unknown;
}

/** What is stored now, where that isn't what the person saw: nothing was sent then. */
export type SavedRepresentation = { readonly saved: Location } | { readonly now: unknown };

/** Reads, then replaces. @throws ManagerError where the manager refuses */
export async function saveRepresentation(
  client: Pick<Client<typeof locationApi>, 'findLocation' | 'setRepresentation'>,
  { location: { location_name, location_id }, node, value, seen }: RepresentationEdit,
): Promise<SavedRepresentation> {
  const now = (await client.findLocation({ location_id })).representations?.[node];
  if (!sameValue(now, seen) && !sameValue(now, value)) return { now };
  return { saved: await client.setRepresentation({ location_name, location_id, node_name: node, body: value }) };
}
