/** The endpoints that all six managers share: `GET /health` and `GET /settings`. */
import * as z from 'zod/mini';
import type { Endpoint } from '../client/endpoint.ts';

/** Body of `GET /health`; each manager adds fields. `version` is the manager's MADSci version, such as `0.8.1`. */
export const serviceHealth = z.looseObject({
  healthy: z.boolean(),
  description: z.nullish(z.string()),
  version: z.nullish(z.string()),
});

/** Body of `GET /settings`: secrets are `***REDACTED***`. */
const serviceSettings = z.looseObject({
  settings: z.record(z.string(), z.unknown()),
  schema: z.optional(z.record(z.string(), z.unknown())),
  schema_title: z.optional(z.string()),
});

/** The entry for `GET /health` of a manager with the given response schema. */
export function healthEndpoint<S extends z.ZodMiniType>(response: S) {
  return {
    purpose: 'check its health',
    method: 'GET',
    path: '/health',
    response,
    timeoutMs: 5000,
  } as const satisfies Endpoint;
}

/** The entry for `GET /settings`, the same in every manager. */
export const settingsEndpoint = {
  purpose: 'read the settings',
  method: 'GET',
  path: '/settings',
  query: z.object({ include_defaults: z.optional(z.boolean()), include_schema: z.optional(z.boolean()) }),
  response: serviceSettings,
} as const satisfies Endpoint;
