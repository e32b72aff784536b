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
import { ErrorResponse, type DemoRequest } from '../base/handlers.ts';
import type { Random } from '../base/random.ts';
import { readBody } from '../base/parseRequest.ts';
import type { LocationStore } from './store.ts';

interface TemplateParts {
  readonly clock: DemoClock;
  readonly random: Random;
}

/** Returns the fields common to all templates, merged with the fields of this kind. */
function commonFields<T extends RepresentationTemplate | LocationTemplate, Own>(
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
  const received = readBody(representationTemplate, body);
  return commonFields(received, parts, {
    default_values: received.default_values ?? {},
    schema_def: received.schema_def ?? null,
    required_overrides: received.required_overrides ?? [],
  });
}

function readLocationTemplate(body: unknown, parts: TemplateParts): LocationTemplate {
  const received = readBody(locationTemplate, body);
  return commonFields(received, parts, {
    resource_template_name: received.resource_template_name ?? null,
    resource_template_overrides: received.resource_template_overrides ?? null,
    representation_templates: received.representation_templates ?? {},
    default_allow_transfers: received.default_allow_transfers ?? true,
  });
}

/** Returns the handlers for one kind of template. */
function createHandlers<T extends RepresentationTemplate | LocationTemplate>(
  kind: string,
  templates: Map<string, T>,
  parts: TemplateParts,
  read: (body: unknown, parts: TemplateParts) => T,
) {
  function findTemplate({ params: { template_name: name = '' } }: DemoRequest): T {
    const template = templates.get(name);
    if (template === undefined) throw new ErrorResponse(404, `${kind} template '${name}' not found`);
    return template;
  }
  return {
    all: () => [...templates.values()],
    get: findTemplate,
    add({ body }: DemoRequest) {
      const added = read(body, parts);
      const name = added.template_name;
      if (templates.has(name)) throw new ErrorResponse(409, `${kind} template '${name}' already exists`);
      templates.set(name, added);
      return added;
    },
    /** Returns the stored template if it has that version; any other version, even a lower one, replaces it. */
    init({ body }: DemoRequest) {
      const received = read(body, parts);
      const stored = templates.get(received.template_name);
      if (stored !== undefined && stored.version === received.version) return stored;
      const previous = stored === undefined ? {} : { template_id: stored.template_id, updated_at: parts.clock.zoned() };
      templates.set(received.template_name, { ...received, ...previous });
      return templates.get(received.template_name);
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
  const representationHandlers = createHandlers(
    'Representation',
    representationTemplates,
    parts,
    readRepresentationTemplate,
  );
  const locationHandlers = createHandlers('Location', locationTemplates, parts, readLocationTemplate);
  return {
    getRepresentationTemplates: representationHandlers.all,
    getRepresentationTemplate: representationHandlers.get,
    addRepresentationTemplate: representationHandlers.add,
    initRepresentationTemplate: representationHandlers.init,
    deleteRepresentationTemplate: representationHandlers.delete,
    getLocationTemplates: locationHandlers.all,
    getLocationTemplate: locationHandlers.get,
    addLocationTemplate: locationHandlers.add,
    initLocationTemplate: locationHandlers.init,
    deleteLocationTemplate: locationHandlers.delete,
  };
}

type FromTemplate = z.infer<typeof locationApi.endpoints.addLocationFromTemplate.body.schema>;

/** Returns the fields of a new location from its template; 404 for an unknown template, 422 for missing fields. */
export function fromTemplate(store: LocationStore, request: FromTemplate): Partial<Location> {
  const template = store.locationTemplates.get(request.template_name);
  if (template === undefined) throw new ErrorResponse(404, `Location template '${request.template_name}' not found`);
  const representations: Record<string, unknown> = {};
  for (const [role, name] of Object.entries(template.representation_templates ?? {})) {
    const node = request.node_bindings?.[role];
    if (node === undefined) throw new ErrorResponse(422, `Missing node binding for role '${role}'`);
    const overrides = request.representation_overrides?.[role] ?? {};
    const representation = store.representationTemplates.get(name);
    const missing = (representation?.required_overrides ?? []).filter((field) => !Object.hasOwn(overrides, field));
    if (missing.length > 0) {
      throw new ErrorResponse(422, `Missing required overrides for role '${role}': ${missing.join(', ')}`);
    }
    representations[node] = { ...representation?.default_values, ...overrides };
  }
  const overrides = { ...template.resource_template_overrides, ...request.resource_template_overrides };
  return {
    location_name: request.location_name,
    description: request.description ?? null,
    representations,
    resource_template_name: template.resource_template_name ?? null,
    resource_template_overrides: Object.keys(overrides).length > 0 ? overrides : null,
    allow_transfers: request.allow_transfers ?? template.default_allow_transfers ?? true,
    location_template_name: request.template_name,
    node_bindings: request.node_bindings ?? {},
  };
}
