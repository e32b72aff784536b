/**
 * The resource manager's templates. A name with capitals can be created but not found: lookups convert names to lower
 * case, creation does not. Source: MADSci 0.8.1, resource manager; 0.7 is the same.
 */
import * as z from 'zod/mini';
import type { Endpoint } from '../client/endpoint.ts';
import { resourceBody } from './resourceBody.ts';
import { resource, resourceTemplate, resourceTemplateInfo } from './resourceTypes.ts';
import { jsonObject, messageResponse } from '../client/wire.ts';

const notFound = { 404: "Template '{template_name}' not found" } as const;
const optionalTexts = z.nullish(z.array(z.string()));

export const resourceTemplateEndpoints = {
  /** Replaces a template of the same name. Returns the template as a resource. */
  createTemplate: {
    purpose: 'store the template',
    method: 'POST',
    path: '/template/create',
    body: {
      type: 'json',
      schema: z.object({
        template_name: z.string(),
        resource: resourceBody,
        description: z.nullish(z.string()),
        required_overrides: optionalTexts,
        tags: optionalTexts,
        created_by: z.nullish(z.string()),
        version: z.nullish(z.string()),
      }),
    },
    response: resourceTemplate,
  },
  /** Matches any of the `tags`; templates are returned as resources with the template's fields added. */
  queryTemplates: {
    purpose: 'search the templates',
    method: 'POST',
    path: '/templates/query',
    reads: true,
    body: {
      type: 'json',
      schema: z.object({ base_type: z.nullish(z.string()), tags: optionalTexts, created_by: z.nullish(z.string()) }),
    },
    response: z.array(resourceTemplate),
    lists: [{ member: '' }],
  },
  getTemplates: {
    purpose: 'read the templates',
    method: 'GET',
    path: '/templates/query_all',
    response: z.array(resourceTemplate),
    lists: [{ member: '' }],
  },
  /** The **resource names** of the templates by base type. */
  getTemplateCategories: {
    purpose: 'read the kinds of templates',
    method: 'GET',
    path: '/templates/categories',
    response: z.record(z.string(), z.array(z.string())),
  },
  getTemplate: {
    purpose: 'read the template',
    method: 'GET',
    path: '/template/{template_name}',
    response: resourceTemplate,
    errors: notFound,
  },
  getTemplateInfo: {
    purpose: 'read the template',
    method: 'GET',
    path: '/template/{template_name}/info',
    response: resourceTemplateInfo,
    errors: notFound,
  },
  updateTemplate: {
    purpose: 'update the template',
    method: 'PUT',
    path: '/template/{template_name}',
    body: { type: 'json', schema: z.object({ updates: jsonObject }) },
    response: resourceTemplate,
    errors: { 500: 'No row was found when one was required' },
  },
  deleteTemplate: {
    purpose: 'delete the template',
    method: 'DELETE',
    path: '/template/{template_name}',
    response: messageResponse,
    errors: notFound,
  },
  /** Returns an existing one if exactly one matches name, class, type and overrides. */
  createFromTemplate: {
    purpose: 'create the resource',
    method: 'POST',
    path: '/template/{template_name}/create_resource',
    body: {
      type: 'json',
      schema: z.object({
        resource_name: z.string(),
        overrides: z.nullish(jsonObject),
        add_to_database: z.nullish(z.boolean()),
      }),
    },
    response: resource,
    errors: { 400: 'The template is not known, or required values are missing' },
  },
} as const satisfies Readonly<Record<string, Endpoint>>;
