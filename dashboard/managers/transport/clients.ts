/** Typed clients of the managers, at the addresses from `/context`, with this page's settings. */
import { computed, type ComputedRef } from 'vue';
import { createClient, type Client } from '../../../api/client/client.ts';
import type { Api } from '../../../api/client/endpoint.ts';
import { contextKey, type ManagerKey } from '../../../api/managers.ts';
import { readLabVersion, type LabVersion } from '../../../api/version.ts';
import { resolveContext } from '../../../api/hosts.ts';
import { useCommandRefusal, useContext, useLabHistory } from '../lab/labQueries.ts';

export interface Connection<A extends Api> {
  readonly address: string;
  /** For polling: fails fast, and leaves the wait after a 429 to the poller. */
  readonly queries: Client<A>;
  /** For the user's commands: waits as long as the endpoint may need. */
  readonly commands: Client<A>;
}

/** The deadline for the full response to a read, in ms; long lists have their own. */
const readDeadline = 8000;

/** Returns the manager's address for this page; `null` while it is disabled or unknown. */
export function useAddress(manager: ManagerKey): ComputedRef<string | null> {
  const context = useContext();
  return computed(() => {
    const body = context.data.value;
    return body === undefined ? null : resolveContext(body, location.hostname).context[contextKey(manager)];
  });
}

/** Returns the MADSci version that the manager reports; `null` until it is known. */
export function useManagerVersion(manager: ManagerKey): ComputedRef<LabVersion | null> {
  const history = useLabHistory();
  return computed(() => readLabVersion(history.data.value?.managers.find((each) => each.manager === manager)?.version));
}

/** Returns the manager's clients; `null` if it has no address. */
export function useConnection<A extends Api & { readonly server: ManagerKey }>(
  api: A,
): ComputedRef<Connection<A> | null> {
  const address = useAddress(api.server);
  const known = useManagerVersion(api.server);
  const refusal = useCommandRefusal();
  const version = () => known.value;
  return computed(() => {
    const baseUrl = address.value;
    if (baseUrl === null) return null;
    return {
      address: baseUrl,
      queries: createClient(api, { baseUrl, version, deadlineMs: readDeadline, timeoutMs: 0 }),
      commands: createClient(api, { baseUrl, version, refusal }),
    };
  });
}
