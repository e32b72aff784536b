/** The managers' typed clients, at the addresses that `/context` says, as they must be used from this page. */
import { computed, type ComputedRef } from 'vue';
import { createClient, type Client } from '../../../api/client/client.ts';
import type { Api } from '../../../api/client/endpoint.ts';
import { contextKey, type ManagerKey } from '../../../api/managers.ts';
import { readLabVersion, type LabVersion } from '../../../api/version.ts';
import { resolveContext } from '../../../api/hosts.ts';
import { useCommandRefusal, useContext, useLabHistory } from '../lab/labQueries.ts';

export interface Connection<A extends Api> {
  readonly address: string;
  /** For what is read again and again: fails soon, and leaves waiting after a 429 to the poller. */
  readonly queries: Client<A>;
  /** For what a person asks for: waits as long as the endpoint may take. */
  readonly commands: Client<A>;
}

/** A whole answer to a read must be here within this time, in ms; lists that may be long have a time of their own. */
const readDeadline = 8000;

/** Where the manager is for this page; `null` where it is switched off or not known yet. */
export function useAddress(manager: ManagerKey): ComputedRef<string | null> {
  const context = useContext();
  return computed(() => {
    const body = context.data.value;
    return body === undefined ? null : resolveContext(body, location.hostname).context[contextKey(manager)];
  });
}

/** Which MADSci the manager says it is; `null` until it said so. */
export function useManagerVersion(manager: ManagerKey): ComputedRef<LabVersion | null> {
  const history = useLabHistory();
  return computed(() => readLabVersion(history.data.value?.managers.find((each) => each.manager === manager)?.version));
}

/** The manager's clients; `null` where it has no address. */
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
