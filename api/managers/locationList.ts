/**
 * The list of locations: the part of the location manager's contract that the first page needs. Source: MADSci 0.8.1,
 * location manager.
 */
import * as z from 'zod/mini';
import type { Api } from '../client/endpoint.ts';
import { id, jsonObject, openEnum, ownershipInfo, reservation } from '../client/wire.ts';

const locationManagement = openEnum(['lab', 'node']);

/**
 * A location. The fields from `resource_template_name` on are new in 0.8, and `representations` may be null in 0.7. A
 * location with a resource template and no resource is "unresolved": it waits until the template exists.
 */
export const location = z.looseObject({
  location_name: z.string(),
  location_id: id,
  resource_id: z.nullish(id),
  description: z.nullish(z.string()),
  /** The data with which each node finds the location: any JSON value, by the node's name. */
  representations: z.nullish(z.record(z.string(), z.unknown())),
  allow_transfers: z.optional(z.boolean()),
  reservation: z.nullish(reservation),
  resource_template_name: z.nullish(z.string()),
  resource_template_overrides: z.nullish(jsonObject),
  location_template_name: z.nullish(z.string()),
  node_bindings: z.nullish(z.record(z.string(), z.string())),
  managed_by: z.optional(locationManagement),
  owner: z.nullish(ownershipInfo),
});
export type Location = z.infer<typeof location>;

/** Returns whether it has a resource template but no resource. */
export const isUnresolved = ({ resource_id, resource_template_name: template }: Location): boolean =>
  (resource_id ?? null) === null && typeof template === 'string' && template !== '';

export const locationListApi = {
  server: 'location',
  endpoints: {
    /** In the order of creation. `managed_by` filters only in 0.8. */
    getLocations: {
      purpose: 'read the locations',
      method: 'GET',
      path: '/locations',
      query: z.object({ managed_by: z.nullish(locationManagement) }),
      response: z.array(location),
      lists: [{ member: '' }],
    },
  },
} as const satisfies Api;
