/**
 * Confirmed changes of resources: a manager's response to a command is shown at once, because a query of all resources
 * takes seconds in a large lab, in which the manager responds to nothing else.
 */
import { useTimeoutFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { ref, shallowRef } from 'vue';
import type { Client } from '../../../api/client/client.ts';
import { getAge } from '../../../api/client/responseMetadata.ts';
import { currentTime } from '../../base/clock.ts';
import { pause } from '../../../api/time/pause.ts';
import { ManagerError } from '../../../api/client/managerError.ts';
import type { resourceApi } from '../../../api/managers/resource.ts';
import type { Resource } from '../../../api/managers/resourceTypes.ts';
import { toResourceRows } from './resourceRow.ts';
import type { ConfirmedRows } from './withConfirmedRows.ts';

type ResourceClient = Client<typeof resourceApi>;

/** The minimum time between two updates of the page, in ms: each indexes thousands of resources. */
const updateIntervalMs = 500;
/** A full read waits until no command was sent for this time, in ms, so that it does not delay the next one of a batch. */
const idleMs = 250;
/** The longest wait of a command for a full read, in ms. */
const maxWaitMs = 4000;

/** The endpoints that return resources as they are stored after the request. */
const shownEndpoints: ReadonlySet<string> = new Set<keyof ResourceClient>([
  'addResource',
  'createFromTemplate',
  'decreaseQuantity',
  'emptyResource',
  'fillResource',
  'getResource',
  'increaseQuantity',
  'lockResource',
  'popResource',
  'pushResource',
  'removeCapacity',
  'removeChild',
  'restoreResource',
  'setCapacity',
  'setChild',
  'setQuantity',
  'unlockResource',
  'updateResource',
]);

interface ConfirmedRow {
  readonly row: ReturnType<typeof toResourceRows>[number] | null;
  readonly at: number;
}

export const useConfirmedResources = defineStore('confirmedResources', () => {
  const confirmed = new Map<string, ConfirmedRow>();
  const rows = shallowRef<ConfirmedRows>(new Map());
  const publish = (): void => void (rows.value = new Map([...confirmed].map(([id, { row }]) => [id, row])));
  const publishSoon = useThrottledCall(publish, updateIntervalMs);
  /** The number of requests that are waiting for a response. */
  const pendingRequests = ref(0);
  let fullRead: Promise<unknown> = Promise.resolve();

  function confirm(endpoint: string, response: unknown): void {
    const at = currentTime();
    const add = (id: string, row: ConfirmedRow['row']) => setLast(confirmed, id, { row, at });
    if (endpoint === 'deleteResource') add((response as Pick<Resource, 'resource_id'>).resource_id, null);
    else if (shownEndpoints.has(endpoint))
      for (const row of toResourceRows([response].flat() as Resource[])) add(row.id, row);
    else return;
    publishSoon();
  }

  /** Returns the client; the page shows its responses at once, and no full read starts while it waits for one. */
  function watchResponses(client: ResourceClient): ResourceClient {
    return new Proxy(client, {
      get: (target, name: string & keyof ResourceClient) => {
        const call = target[name] as (...input: readonly unknown[]) => Promise<unknown>;
        if (typeof call !== 'function') return call;
        return async (...input: readonly unknown[]): Promise<unknown> => {
          pendingRequests.value += 1;
          try {
            const response = await call(...input);
            confirm(name, response);
            return response;
          } catch (error) {
            // Another user has removed it.
            if (name === 'getResource' && error instanceof ManagerError && error.status === 404)
              confirm('deleteResource', input[0]);
            throw error;
          } finally {
            pendingRequests.value -= 1;
          }
        };
      },
    });
  }

  /** Reads all resources once no command waits for a response; the changes that it contains are forgotten. */
  async function readAll<Body>(read: () => Promise<Body>, signal: AbortSignal): Promise<Body> {
    while (pendingRequests.value > 0) {
      await pause(idleMs, signal);
      signal.throwIfAborted();
    }
    const startedAt = currentTime();
    const reading = read();
    fullRead = reading.catch(() => undefined);
    const body = await reading;
    const readAt = startedAt - getMaxAge(body);
    for (const [id, { at }] of confirmed) if (at < readAt) confirmed.delete(id);
    publish();
    return body;
  }

  /** Resolves when no full read delays the manager's next response, or after a limit. */
  async function fullReadEnded(): Promise<void> {
    const ended = new AbortController();
    await Promise.race([fullRead, pause(maxWaitMs, ended.signal)]);
    ended.abort();
    // The next commands of a batch do not wait for it again.
    fullRead = Promise.resolve();
  }

  return { rows, pendingRequests, publish, watchResponses, readAll, fullReadEnded };
});

/** Calls at once, then at most once per interval. Its timer ends with the scope, unlike that of VueUse's throttle. */
function useThrottledCall(call: () => void, intervalMs: number): () => void {
  let isRequested = false;
  const { isPending, start } = useTimeoutFn(() => isRequested && request(), intervalMs, { immediate: false });
  function request(): void {
    isRequested = isPending.value;
    if (isRequested) return;
    call();
    start();
  }
  return request;
}

/** Sets an entry and makes it the last one: a map keeps the position of a key that it has. */
function setLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** How long ago the manager may have sent a response that the relay shares, in ms: its age is known to the second. */
function getMaxAge(body: unknown): number {
  const ageMs = getAge(body);
  return ageMs === 0 ? 0 : ageMs + 1000;
}
