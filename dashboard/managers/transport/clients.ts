/** Typed clients of the managers, at the addresses from `/context`, with this page's settings. */
import { ulid } from 'ulid';
import { computed, type ComputedRef } from 'vue';
import { createClient, type Client } from '#api/client/client.ts';
import { mixedContentFailure } from '#api/client/connection.ts';
import { ManagerError } from '#api/client/managerError.ts';
import type { Api } from '#api/client/endpoint.ts';
import { contextKey, type ManagerKey } from '#api/managers.ts';
import { readLabVersion, type LabVersion } from '#api/version.ts';
import { resolveContext } from '#api/hosts.ts';
import { relayCacheControl, requireFreshReads } from './relay/freshReads.ts';
import { relayAddress, useRoutes } from './relay/routes.ts';
import type { ReadTarget } from './worker/workerMessages.ts';
import { csrfHeader } from '#api/lab/access.ts';
import { idempotencyHeader } from '#api/lab/relay.ts';
import { useSession } from '../lab/session.ts';
import { useCommandRefusal, useContext, useLabHistory } from '../lab/labQueries.ts';

export interface Connection<A extends Api> {
  /** The manager's own address, which identifies it, also where requests go through the relay. */
  readonly address: string;
  /** Where requests are sent: the manager's address, or that of the relay. */
  readonly baseUrl: string;
  /** For polling: fails fast, and leaves the wait after a 429 to the poller. */
  readonly queries: Client<A>;
  /** For the user's commands: waits as long as the endpoint may need. */
  readonly commands: Client<A>;
  /** Returns clients like `commands` that send through another `fetch`. */
  readonly commandsWithFetch: (fetch: typeof globalThis.fetch) => Client<A>;
}

/** The deadline for the full response to a read, in ms; long lists have their own. */
const readDeadlineMs = 8000;

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
  return computed(() =>
    readLabVersion(history.data.value?.managers.find((status) => status.manager === manager)?.version),
  );
}

/** Where requests to a manager are sent. */
interface Destination {
  /** The manager's own address. */
  readonly address: string;
  readonly baseUrl: string;
  readonly isRelayed: boolean;
  readonly isBlocked: boolean;
}

/** Returns where requests to the manager are sent; `null` while it has no address, or its route is being measured. */
function useDestination(manager: ManagerKey): ComputedRef<Destination | null> {
  const ownAddress = useAddress(manager);
  const { findRoute } = useRoutes();
  return computed(() => {
    const address = ownAddress.value;
    const route = findRoute(manager);
    if (address === null || route === 'measuring') return null;
    const isRelayed = route === 'relay';
    return {
      address,
      baseUrl: isRelayed ? relayAddress(manager) : address,
      isRelayed,
      isBlocked: route === 'blocked',
    };
  });
}

/** Returns why the relay passes on no commands of this page; `null` if it does. */
function useRelayRefusal(): () => string | null {
  const { relayAccess } = useRoutes();
  return () => {
    if (relayAccess.value?.remote_access !== 'operate')
      return 'The managers are reached through the lab manager, which passes on no commands (LAB_REMOTE_ACCESS is view).';
    return relayAccess.value.role === 'viewer'
      ? 'The managers are reached through the lab manager, which passes on no commands of viewers.'
      : null;
  };
}

/** Returns the manager's clients; `null` if it has no address, or its route is being measured. */
export function useConnection<A extends Api & { readonly server: ManagerKey }>(
  api: A,
): ComputedRef<Connection<A> | null> {
  const destination = useDestination(api.server);
  const reportedVersion = useManagerVersion(api.server);
  const labRefusal = useCommandRefusal();
  const relayRefusal = useRelayRefusal();
  const { measureAgain } = useRoutes();
  const { session } = useSession();
  const version = () => reportedVersion.value;
  return computed(() => {
    if (destination.value === null) return null;
    const { address, baseUrl, isRelayed, isBlocked } = destination.value;
    const relayOptions = isRelayed && { cacheControl: relayCacheControl, sendsCookies: true, relayedTo: address };
    const refusal = () => labRefusal() ?? (isRelayed ? relayRefusal() : null);
    const commandsWithFetch = (fetch: typeof globalThis.fetch): Client<A> =>
      createClient(api, {
        baseUrl,
        version,
        refusalReason: () => {
          requireFreshReads();
          return refusal();
        },
        ...relayOptions,
        fetch: isRelayed ? fetchWithCsrfToken(fetch, () => session.value?.csrf_token ?? null) : fetch,
      });
    return {
      address,
      baseUrl,
      queries: createClient(api, {
        baseUrl,
        version,
        timeoutMs: readDeadlineMs,
        maxRetryMs: 0,
        fetch: isBlocked
          ? blockedFetch
          : (...args) => withFailureCallback(globalThis.fetch(...args), () => measureAgain(api.server)),
        ...relayOptions,
      }),
      commands: commandsWithFetch(globalFetch),
      commandsWithFetch,
    };
  });
}

/**
 * Returns a function that returns a client of a manager through the relay, for requests that use the relay even where
 * the manager is directly reachable.
 */
export function useRelayCommandClient<A extends Api & { readonly server: ManagerKey }>(api: A): () => Client<A> {
  const { session } = useSession();
  const refusal = useCommandRefusal();
  const address = useAddress(api.server);
  return () =>
    createClient(api, {
      baseUrl: relayAddress(api.server),
      relayedTo: address.value,
      sendsCookies: true,
      refusalReason: () => {
        requireFreshReads();
        return refusal();
      },
      fetch: fetchWithCsrfToken(globalFetch, () => session.value?.csrf_token ?? null),
    });
}

/** Calls through `globalThis`, so that a page can replace `fetch` later. */
export const globalFetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args);

/** Fails as the browser would, but without the browser's console message for each attempt. */
const blockedFetch: typeof globalThis.fetch = () =>
  Promise.reject(Object.assign(new TypeError(mixedContentFailure.reason), { code: mixedContentFailure.code }));

/** Proves to the lab manager that its own page sends the request, and lets it recognise a repetition by the browser. */
export function fetchWithCsrfToken(
  fetch: typeof globalThis.fetch,
  token: () => string | null,
): typeof globalThis.fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    const value = token();
    if (value !== null) headers.set(csrfHeader, value);
    if (init?.method !== undefined && init.method !== 'GET') headers.set(idempotencyHeader, ulid());
    return fetch(input, { ...init, headers });
  };
}

/** Calls `onFailure` if there is no response. */
async function withFailureCallback(response: Promise<Response>, onFailure: () => void): Promise<Response> {
  try {
    return await response;
  } catch (error) {
    onFailure();
    throw error;
  }
}

interface ReadSource {
  /** The manager's own address, for the key of the query; `null` if it has none, or its route is being measured. */
  readonly address: ComputedRef<string | null>;
  /**
   * For the worker that reads. @param maxAgeMs the maximum age of a response, in ms
   * @throws DOMException if there is no address; ManagerError if the browser blocks it
   */
  readonly target: (maxAgeMs: number) => ReadTarget;
}

/** Returns where a worker reads from the manager. */
export function useReadSource(manager: ManagerKey): ReadSource {
  const destination = useDestination(manager);
  const version = useManagerVersion(manager);
  return {
    address: computed(() => destination.value?.address ?? null),
    target(maxAgeMs) {
      if (destination.value === null) throw new DOMException('The manager has no address any more', 'AbortError');
      const { address, baseUrl, isRelayed, isBlocked } = destination.value;
      if (isBlocked) {
        const { reason } = mixedContentFailure;
        throw new ManagerError({ kind: 'unreachable', manager, endpoint: '', purpose: 'read', address, reason });
      }
      return {
        baseUrl,
        relayedTo: isRelayed ? address : null,
        version: version.value,
        cacheControl: isRelayed ? relayCacheControl(maxAgeMs) : null,
        sendsCookies: isRelayed,
      };
    },
  };
}
