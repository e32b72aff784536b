/** How everything that is read of a manager is told apart, and what of it is read again after a command. */
import type { QueryClient } from '@tanstack/vue-query';
import type { ServiceKey } from '../../../../api/managers.ts';

/** What a reading asks for besides its endpoint; the same parameters in another order are the same reading. */
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

/** Everything of a manager, of an address of it, or of an endpoint there: the first parts of its keys. */
type QueryPrefix = readonly ['manager', manager: ServiceKey, address?: string, endpoint?: string];

/** Reads again what is on screen, and what isn't when it is next shown. Resolves when the first has been read. */
export function readAgain(client: QueryClient, prefix: QueryPrefix): Promise<void> {
  return client.invalidateQueries({ queryKey: prefix });
}
