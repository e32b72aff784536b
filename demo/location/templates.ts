/** The templates of locations and representations: their endpoints, and the locations created from them. */
import type * as z from 'zod/mini';
import { locationApi, type Location } from '../../api/managers/location.ts';
import {
  locationTemplate,
  representationTemplate,
  type LocationTemplate,
  type RepresentationTemplate,
} from '../../api/managers/locationTemplate.ts';
import type { DemoClock } from '../base/clock.ts';
import { Refusal, type DemoRequest } from '../base/handling.ts';
import type { Random } from '../base/random.ts';
import { readBody } from '../base/reading.ts';
import type { LocationStore } from './store.ts';

interface TemplateParts {
  readonly clock: DemoClock;
  readonly random: Random;
}

/** Returns the fields common to all templates, merged with the fields of this kind. */
function template<T extends RepresentationTemplate | LocationTemplate, Own>(
  sent: T,
  parts: TemplateParts,
  specific: Own,
) {
  return {
    template_id: sent.template_id ?? parts.random.ulid(),
    template_name: sent.template_name,
    description: sent.description ?? null,
    ...specific,
    tags: sent.tags ?? [],
    created_by: sent.created_by ?? null,
    version: sent.version ?? '1.0.0',
    created_at: sent.created_at ?? parts.clock.zoned(),
    updated_at: sent.updated_at ?? null,
  };
}

function readRepresentationTemplate(body: unknown, parts: TemplateParts): RepresentationTemplate {
  const sent = readBody(representationTemplate, body);
  return template(sent, parts, {
    default_values: sent.default_values ?? {},
    schema_def: sent.schema_def ?? null,
    required_overrides: sent.required_overrides ?? [],
  });
}

function readLocationTemplate(body: unknown, parts: TemplateParts): LocationTemplate {
  const sent = readBody(locationTemplate, body);
  return template(sent, parts, {
    resource_template_name: sent.resource_template_name ?? null,
    resource_template_overrides: sent.resource_template_overrides ?? null,
    representation_templates: sent.representation_templates ?? {},
    default_allow_transfers: sent.default_allow_transfers ?? true,
  });
}

/** Returns the handlers for one kind of template. */
function handlersOf<T extends RepresentationTemplate | LocationTemplate>(
  kind: string,
  templates: Map<string, T>,
  parts: TemplateParts,
  read: (body: unknown, parts: TemplateParts) => T,
) {
  function findTemplate({ params: { template_name: name = '' } }: DemoRequest): T {
    const found = templates.get(name);
    if (found === undefined) throw new Refusal(404, `${kind} template '${name}' not found`);
    return found;
  }
  return {
    all: () => [...templates.values()],
    get: findTemplate,
    add({ body }: DemoRequest) {
      const added = read(body, parts);
      const name = added.template_name;
      if (templates.has(name)) throw new Refusal(409, `${kind} template '${name}' already exists`);
      templates.set(name, added);
      return added;
    },
    /** Returns the stored template if it has that version; any other version, even a lower one, replaces it. */
    init({ body }: DemoRequest) {
      const sent = read(body, parts);
      const before = templates.get(sent.template_name);
      if (before !== undefined && before.version === sent.version) return before;
      const previous = before === undefined ? {} : { template_id: before.template_id, updated_at: parts.clock.zoned() };
      templates.set(sent.template_name, { ...sent, ...previous });
      return templates.get(sent.template_name);
    },
    delete(request: DemoRequest) {
      const { template_name: name } = findTemplate(request);
      templates.delete(name);
      return { message: `${kind} template '${name}' deleted successfully` };
    },
  };
}

export function templateHandlers(store: LocationStore, parts: TemplateParts) {
  const { representationTemplates, locationTemplates } = store;
  const ofNodes = handlersOf('Representation', representationTemplates, parts, readRepresentationTemplate);
  const ofLocations = handlersOf('Location', locationTemplates, parts, readLocationTemplate);
  return {
    getRepresentationTemplates: ofNodes.all,
    getRepresentationTemplate: ofNodes.get,
    addRepresentationTemplate: ofNodes.add,
    initRepresentationTemplate: ofNodes.init,
    deleteRepresentationTemplate: ofNodes.delete,
    getLocationTemplates: ofLocations.all,
    getLocationTemplate: ofLocations.get,
    addLocationTemplate: ofLocations.add,
    initLocationTemplate: ofLocations.init,
    deleteLocationTemplate: ofLocations.delete,
  };
}

type FromTemplate = z.infer<typeof locationApi.endpoints.addLocationFromTemplate.body.schema>;

/** Returns the fields of a new location from its template; 404 for an unknown template, 422 for missing fields. */
export function fromTemplate(store: LocationStore, sent: FromTemplate): Partial<Location> {
  const found = store.locationTemplates.get(sent.template_name);
  if (found === undefined) throw new Refusal(404, `Location template '${sent.template_name}' not found`);
  const representations: Record<string, unknown> = {};
  for (const [role, name] of Object.entries(found.representation_templates ?? {})) {
    const node = sent.node_bindings?.[role];
    if (node === undefined) throw new Refusal(422, `Missing node binding for role '${role}'`);
    const overrides = sent.representation_overrides?.[role] ?? {};
    const known = store.representationTemplates.get(name);
    const missing = (known?.required_overrides ?? []).filter((field) => !Object.hasOwn(overrides, field));
    if (missing.length > 0) {
      throw new Refusal(422, `Missing required overrides for role '${role}': ${missing.join(', ')}`);
    }
    representations[node] = { ...known?.default_values, ...overrides };
  }
  const overrides = { ...found.resource_template_overrides, ...sent.resource_template_overrides };
  return {
    location_name: sent.location_name,
    description: sent.description ?? null,
    representations,
    resource_template_name: found.resource_template_name ?? null,
    resource_template_overrides: Object.keys(overrides).length > 0 ? overrides : null,
    allow_transfers: sent.allow_transfers ?? found.default_allow_transfers ?? true,
    location_template_name: sent.template_name,
    node_bindings: sent.node_bindings ?? {},
  };
}
