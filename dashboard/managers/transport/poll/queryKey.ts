/** The keys of all manager queries, and which queries are read again after a command. */
import type { QueryClient } from '@tanstack/vue-query';
import type { ServiceKey } from '#api/managers.ts';

/** The parameters of a query besides its endpoint; their order doesn't matter. */
type QueryParameters = object;

export type ManagerQueryKey = readonly [
  'manager',
  manager: ServiceKey,
  /** `null` while it isn't known: nothing is read then. */
  address: string | null,
  endpoint: string,
  parameters: QueryParameters,
];

export function managerQueryKey(
  manager: ServiceKey,
  address: string | null,
  endpoint: string,
  parameters: QueryParameters = {},
): ManagerQueryKey {
  return ['manager', manager, address, endpoint, parameters];
}

/** A key prefix: a manager, one of its addresses, or an endpoint there. */
type QueryPrefix = readonly ['manager', manager: ServiceKey, address?: string, endpoint?: string];

/**
 * Invalidates queries: visible ones are read at once, others when they are next shown. Resolves when the visible ones
 * have been read.
 */
export function invalidateManagerQueries(
  client: QueryClient,
  prefix: QueryPrefix,
  predicate: (query: { readonly queryKey: readonly unknown[] }) => boolean = () => true,
): Promise<void> {
  return client.invalidateQueries({ queryKey: prefix, predicate });
}
