/** Makes a location from a template: a node for each role, the defaults of its representation, what is given on top. */
import type * as z from 'zod/mini';
import { locationApi, type Location } from '../../api/managers/location.ts';
import { Refusal } from '../base/handling.ts';
import type { LocationStore } from './store.ts';

type FromTemplate = z.infer<typeof locationApi.endpoints.addLocationFromTemplate.body.schema>;

/** The fields of the location that a template decides. 404 for an unknown one, 422 with a text for what is missing. */
export function fromTemplate(store: LocationStore, wanted: FromTemplate): Partial<Location> {
  const template = store.locationTemplates.get(wanted.template_name);
  if (template === undefined) throw new Refusal(404, `Location template '${wanted.template_name}' not found`);
  const representations: Record<string, unknown> = {};
  for (const [role, name] of Object.entries(template.representation_templates ?? {})) {
    const node = wanted.node_bindings?.[role];
    if (node === undefined) throw new Refusal(422, `Missing node binding for role '${role}'`);
    const overrides = wanted.representation_overrides?.[role] ?? {};
    const known = store.representationTemplates.get(name);
    const missing = (known?.required_overrides ?? []).filter((field) => !Object.hasOwn(overrides, field));
    if (missing.length > 0) {
      const list = missing.map((field) => `'${field}'`).join(', ');
      throw new Refusal(422, `Missing required overrides for role '${role}' (repr template '${name}'): [${list}]`);
    }
    representations[node] = { ...known?.default_values, ...overrides };
  }
  const overrides = { ...template.resource_template_overrides, ...wanted.resource_template_overrides };
  return {
    location_name: wanted.location_name,
    description: wanted.description ?? null,
    representations,
    resource_template_name: template.resource_template_name ?? null,
    resource_template_overrides: Object.keys(overrides).length > 0 ? overrides : null,
    allow_transfers: wanted.allow_transfers ?? template.default_allow_transfers ?? true,
    location_template_name: wanted.template_name,
    node_bindings: wanted.node_bindings ?? {},
  };
}
