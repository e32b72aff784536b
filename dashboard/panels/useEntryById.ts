import type { CallOptions, Client } from '../../api/client/client.ts';
import type { Api } from '../../api/client/endpoint.ts';
import { ManagerError } from '../../api/client/managerError.ts';
import type { ManagerKey } from '../../api/managers.ts';
import { useConnection } from '../managers/transport/clients.ts';
import type { PaletteEntry } from './panel.ts';

/**
 * Returns a function that looks up an ID in a manager and returns the object as a palette entry; `null` if the object
 * does not exist or the manager has no address.
 */
export function useEntryById<A extends Api & { readonly server: ManagerKey }, Item>(
  api: A,
  request: (client: Client<A>, id: string, options: CallOptions) => Promise<Item>,
  toEntry: (item: Item) => PaletteEntry,
): (id: string, signal: AbortSignal) => Promise<PaletteEntry | null> {
  const connection = useConnection(api);
  return async (id, signal) => {
    const client = connection.value?.queries;
    if (client === undefined) return null;
    try {
      return toEntry(await request(client, id, { signal }));
    } catch (error) {
      if (error instanceof ManagerError && error.status === 404) return null;
      throw error;
    }
  };
}
