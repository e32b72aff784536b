/**
 * The resource manager's contract (port 8003): all operations on resources, their locks, history and templates. Source:
 * MADSci 0.8.1, resource manager; 0.7 is the same. A refused operation returns status 500 with a reason.
 */
import * as z from 'zod/mini';
import type { Api, Endpoint } from '../client/endpoint.ts';
import { resourceBody, resourceDefinition, resourceQuery } from './resourceBody.ts';
import { resourceTemplateEndpoints } from './resourceTemplate.ts';
import { resource, resourceHierarchy, resourceVersion } from './resourceTypes.ts';
import { healthEndpoint, serviceHealth, settingsEndpoint } from '../lab/service.ts';
import { childKey, id, managerTime, jsonInteger, jsonNumber } from '../client/wire.ts';

/** `total_resources` counts every row: children, rows of grids and layers too. */
export const resourceHealth = z.extend(serviceHealth, {
  db_connected: z.nullish(z.boolean()),
  total_resources: z.nullish(jsonInteger),
});

const notFound = { 404: 'Resource not found' } as const;

/** An operation without a body on one resource; returns the changed resource. */
function changeEndpoint<const P extends `/${string}`, const D extends { [status: number]: string }>(
  purpose: string,
  path: P,
  errors: D,
) {
  return { purpose, method: 'POST', path, response: resource, errors } as const satisfies Endpoint;
}

/** A change of the amount; increase and decrease use the absolute value of `amount`, and decrease stops at 0. */
function amountEndpoint<const P extends `/${string}`>(purpose: string, path: P) {
  return {
    ...changeEndpoint(purpose, path, { 500: 'The resource has no quantity, or the capacity does not allow it' }),
    query: z.object({ amount: jsonNumber }),
  } as const;
}

function bodyEndpoint<const P extends `/${string}`, S extends z.ZodMiniType>(purpose: string, path: P, schema: S) {
  return {
    purpose,
    method: 'POST',
    path,
    body: { type: 'json', schema },
    response: resource,
    errors: { 500: 'What the type or the store does not allow' },
    timeoutMs: 30_000,
  } as const satisfies Endpoint;
}

export const resourceApi = {
  server: 'resource',
  endpoints: {
    health: healthEndpoint(resourceHealth),
    settings: settingsEndpoint,
    /** Returns the match, or a new resource; a plain 500 if several match. */
    initResource: bodyEndpoint('set up the resource', '/resource/init', resourceDefinition),
    /** A known `resource_id` returns the stored resource unchanged. Children are added with it. */
    addResource: bodyEndpoint('add the resource', '/resource/add', resourceBody),
    addOrUpdateResource: bodyEndpoint('store the resource', '/resource/add_or_update', resourceBody),
    /**
     * Replaces the whole resource: omitted fields fall back to defaults, and without `parent_id` and `key` it is
     * detached.
     */
    updateResource: bodyEndpoint('update the resource', '/resource/update', resourceBody),
    getResource: {
      purpose: 'read the resource',
      method: 'GET',
      path: '/resource/{resource_id}',
      response: resource,
      errors: notFound,
    },
    /** Deletes all descendants too; returns the removed resource without its children. */
    deleteResource: {
      purpose: 'delete the resource',
      method: 'DELETE',
      path: '/resource/{resource_id}',
      response: resource,
      errors: notFound,
    },
    /**
     * Returns all matches as a list, regardless of `multiple` and `unique`; for an empty lab an empty list. `{}` returns
     * every row: children both nested in their parent and as separate entries.
     */
    queryResources: {
      purpose: 'read the resources',
      method: 'POST',
      path: '/resource/query',
      reads: true,
      body: { type: 'json', schema: resourceQuery },
      response: z.pipe(
        z.union([z.array(resource), resource]),
        z.transform((body) => (Array.isArray(body) ? body : [body])),
      ),
      errors: notFound,
      lists: [{ member: '' }],
      empty404: notFound[404],
      timeoutMs: 60_000,
    },
    /** Newest version first; `limit` defaults to 100. */
    queryHistory: {
      purpose: 'read the history',
      method: 'POST',
      path: '/history/query',
      reads: true,
      body: {
        type: 'json',
        schema: z.object({
          resource_id: z.nullish(id),
          version: z.nullish(jsonInteger),
          removed: z.nullish(z.boolean()),
          change_type: z.nullish(z.string()),
          start_date: z.nullish(managerTime),
          end_date: z.nullish(managerTime),
          limit: z.nullish(jsonInteger),
        }),
      },
      response: z.array(resourceVersion),
      lists: [{ member: '' }],
      timeoutMs: 30_000,
    },
    /** The last removed version, with its children. */
    restoreResource: changeEndpoint('restore the resource', '/history/{resource_id}/restore', {
      404: "No removed resource with ID '{resource_id}'.",
    }),
    /** Onto a stack, queue or slot. Pushing to a queue after a pop may cause a key collision: 500. */
    pushResource: bodyEndpoint(
      'push the resource',
      '/resource/{resource_id}/push',
      z.object({ child_id: z.nullish(id), child: z.nullish(resourceBody) }),
    ),
    /** Returns [child, parent]: the last of a stack, the first of a queue or slot. */
    popResource: {
      purpose: 'pop a resource',
      method: 'POST',
      path: '/resource/{resource_id}/pop',
      response: z.tuple([resource, resource]),
      errors: { 500: "Container '{resource_name}' is empty." },
    },
    /**
     * For a container, collection, pool, row, grid or voxel grid; the previous child is detached, not deleted. Rows and
     * grids accept only a whole resource. A row counts an int from 0 and digits in a text from 1; a grid accepts `A1` or
     * [row, column] from 0.
     */
    setChild: bodyEndpoint(
      'put the resource there',
      '/resource/{resource_id}/child/set',
      z.object({ key: childKey, child: z.union([id, resourceBody]) }),
    ),
    /** The child is only detached. The key must be a text or a list, not a number. */
    removeChild: bodyEndpoint(
      'take the resource out',
      '/resource/{resource_id}/child/remove',
      z.object({ key: z.union([z.string(), z.array(z.union([z.string(), jsonInteger]))]) }),
    ),
    setQuantity: {
      ...changeEndpoint('set the quantity', '/resource/{resource_id}/quantity', {
        500: 'The resource has no quantity, or the capacity does not allow it',
      }),
      query: z.object({ quantity: jsonNumber }),
    },
    changeQuantityBy: amountEndpoint('change the quantity', '/resource/{resource_id}/quantity/change_by'),
    increaseQuantity: amountEndpoint('increase the quantity', '/resource/{resource_id}/quantity/increase'),
    decreaseQuantity: amountEndpoint('decrease the quantity', '/resource/{resource_id}/quantity/decrease'),
    setCapacity: {
      ...changeEndpoint('set the capacity', '/resource/{resource_id}/capacity', {
        500: 'The capacity is below the quantity, or the type has none',
      }),
      query: z.object({ capacity: jsonNumber }),
    },
    removeCapacity: {
      purpose: 'remove the capacity',
      method: 'DELETE',
      path: '/resource/{resource_id}/capacity',
      response: resource,
      errors: { 500: 'The type has no capacity' },
    },
    /** A consumable to 0; the children of a container are **deleted**; a stack, queue, slot or row with children: 500. */
    emptyResource: changeEndpoint('empty the resource', '/resource/{resource_id}/empty', {
      ...notFound,
      500: 'This type cannot be emptied',
    }),
    /** A consumable to its capacity. */
    fillResource: changeEndpoint('fill the resource', '/resource/{resource_id}/fill', {
      ...notFound,
      500: 'The resource has no capacity to fill to',
    }),
    /** Locks for `lock_duration` seconds (300). Locks are advisory: no operation enforces them. */
    lockResource: {
      ...changeEndpoint('lock the resource', '/resource/{resource_id}/lock', {
        409: 'Resource {resource_id} is already locked or lock acquisition failed',
      }),
      query: z.object({ lock_duration: z.optional(jsonNumber), client_id: z.nullish(z.string()) }),
    },
    unlockResource: {
      purpose: 'unlock the resource',
      method: 'DELETE',
      path: '/resource/{resource_id}/unlock',
      query: z.object({ client_id: z.nullish(z.string()) }),
      response: resource,
      errors: { 403: 'Cannot release lock on resource {resource_id}: not owned by client {client_id}' },
    },
    /** An unknown ID is not locked. */
    checkLock: {
      purpose: 'check the lock',
      method: 'GET',
      path: '/resource/{resource_id}/check_lock',
      response: z.looseObject({ resource_id: id, is_locked: z.boolean(), locked_by: z.nullish(z.string()) }),
    },
    getHierarchy: {
      purpose: 'read where the resource belongs',
      method: 'GET',
      path: '/resource/{resource_id}/hierarchy',
      response: resourceHierarchy,
      errors: notFound,
    },
    ...resourceTemplateEndpoints,
  },
} as const satisfies Api;
