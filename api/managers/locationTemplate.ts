/**
 * Templates of the location manager (0.8): of representations, and of whole locations with roles for nodes.
 * Source: MADSci 0.8.1, location manager.
 */
import * as z from 'zod/mini';
import type { Endpoint } from '../client/endpoint.ts';
import { id, jsonObject, managerTime, messageResponse } from '../client/wire.ts';

const templateFields = {
  template_name: z.string(),
  template_id: z.optional(id),
  description: z.nullish(z.string()),
  tags: z.optional(z.array(z.string())),
  created_by: z.nullish(z.string()),
  version: z.optional(z.string()),
  /** With a zone, unlike nearly every other time. */
  created_at: z.optional(managerTime),
  updated_at: z.nullish(managerTime),
};

/** A template of a node's representation of a location: defaults, and the values that each location must provide. */
export const representationTemplate = z.looseObject({
  ...templateFields,
  default_values: z.optional(jsonObject),
  /** A JSON Schema, which the manager does not enforce. */
  schema_def: z.nullish(jsonObject),
  required_overrides: z.optional(z.array(z.string())),
});
export type RepresentationTemplate = z.infer<typeof representationTemplate>;

/** A type of location: the template of its representation for each role. */
export const locationTemplate = z.looseObject({
  ...templateFields,
  resource_template_name: z.nullish(z.string()),
  resource_template_overrides: z.nullish(jsonObject),
  representation_templates: z.optional(z.record(z.string(), z.string())),
  default_allow_transfers: z.optional(z.boolean()),
});
export type LocationTemplate = z.infer<typeof locationTemplate>;

// Both kinds of templates share these kinds of endpoints.
function readEndpoint<const P extends `/${string}`, S extends z.ZodMiniType>(purpose: string, path: P, response: S) {
  return {
    purpose,
    method: 'GET',
    path,
    since: '0.8',
    response,
    errors: { 404: 'Not found' },
  } as const satisfies Endpoint;
}

function addEndpoint<const P extends `/${string}`, S extends z.ZodMiniType>(purpose: string, path: P, schema: S) {
  return {
    ...postEndpoint(purpose, path, schema),
    errors: { 409: 'A template with this name already exists' },
  } as const satisfies Endpoint;
}

function postEndpoint<const P extends `/${string}`, S extends z.ZodMiniType>(purpose: string, path: P, schema: S) {
  return {
    purpose,
    method: 'POST',
    path,
    since: '0.8',
    body: { type: 'json', schema },
    response: schema,
  } as const satisfies Endpoint;
}

function removeEndpoint<const P extends `/${string}`>(purpose: string, path: P) {
  return {
    purpose,
    method: 'DELETE',
    path,
    since: '0.8',
    response: messageResponse,
    errors: { 404: 'Not found' },
  } as const satisfies Endpoint;
}

export const locationTemplateEndpoints = {
  getRepresentationTemplates: {
    ...readEndpoint('read the representation templates', '/representation_templates', z.array(representationTemplate)),
    lists: [{ member: '' }],
  },
  getRepresentationTemplate: readEndpoint(
    'read the representation template',
    '/representation_template/{template_name}',
    representationTemplate,
  ),
  addRepresentationTemplate: addEndpoint(
    'add the representation template',
    '/representation_template',
    representationTemplate,
  ),
  /** Get or create; any other version, including a lower one, replaces the stored template. */
  initRepresentationTemplate: postEndpoint(
    'set up the representation template',
    '/representation_template/init',
    representationTemplate,
  ),
  deleteRepresentationTemplate: removeEndpoint(
    'delete the representation template',
    '/representation_template/{template_name}',
  ),
  getLocationTemplates: {
    ...readEndpoint('read the location templates', '/location_templates', z.array(locationTemplate)),
    lists: [{ member: '' }],
  },
  getLocationTemplate: readEndpoint(
    'read the location template',
    '/location_template/{template_name}',
    locationTemplate,
  ),
  addLocationTemplate: addEndpoint('add the location template', '/location_template', locationTemplate),
  /** Get or create, as above. */
  initLocationTemplate: postEndpoint('set up the location template', '/location_template/init', locationTemplate),
  deleteLocationTemplate: removeEndpoint('delete the location template', '/location_template/{template_name}'),
} as const satisfies Readonly<Record<string, Endpoint>>;
