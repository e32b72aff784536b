/**
 * Confirmed changes of resources: a manager's response to a command is shown at once, because a query of all resources
 * takes seconds in a large lab, in which the manager responds to nothing else.
 */
import { useTimeoutFn } from '@vueuse/core';
import { getCurrentScope, ref, shallowRef } from 'vue';
import type { Client } from '#api/client/client.ts';
import { pause } from '#api/time/pause.ts';
import { ManagerError } from '#api/client/managerError.ts';
import type { resourceApi } from '#api/managers/resource.ts';
import type { Resource, ResourceVersion } from '#api/managers/resourceTypes.ts';
import { definePageState } from '../../base/pageState.ts';
import { getStamp, nextSequence, recordStamp } from '../transport/poll/readings.ts';
import { isContainer, isKeyed, isOrdered, toResourceRows, type ResourceRow } from './resourceRow.ts';

type ResourceClient = Client<typeof resourceApi>;

/** The minimum time between two updates of the page, in ms: each indexes thousands of resources. */
const updateIntervalMs = 500;
/** A full read waits until no command was sent for this time, in ms, so that it does not delay the next one of a batch. */
const idleMs = 250;
/** The longest wait of a command for a full read, in ms. */
const maxWaitMs = 10_000;
/** The time in which the pending commands of a batch end before a deferred full read, in ms. */
const batchPauseMs = 4000;
/** A longer batch pauses for a full read after this time, in ms, so that the page never shows older data as current. */
const maxDeferralMs = 60_000;

/** The endpoints that return resources as they are stored after the request, or as they were when it removed them. */
const shownEndpoints: ReadonlySet<string> = new Set<keyof ResourceClient>([
  'addResource',
  'createFromTemplate',
  'decreaseQuantity',
  'deleteResource',
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
  readonly row: ResourceRow | null;
  /** The sequence number of the response. */
  readonly receivedAt: number;
}

interface Confirmation {
  readonly address: string;
  readonly endpoint: string;
  readonly response: unknown;
  /** The sequence number of the request. */
  readonly sentAt: number;
}

export const useConfirmedResources = definePageState(() => {
  /** By the address of the manager, then by the ID of the resource. */
  const confirmed = new Map<string, Map<string, ConfirmedRow>>();
  /** A copy of `confirmed` that the pages show. */
  const published = shallowRef<ReadonlyMap<string, ReadonlyMap<string, ConfirmedRow>>>(new Map());
  const publish = (): void =>
    void (published.value = new Map([...confirmed].map(([address, entries]) => [address, new Map(entries)])));
  const publishSoon = useThrottledCall(publish, updateIntervalMs);
  /** The sequence number of the last full read, by address. */
  const lastReads = new Map<string, number>();
  const pendingRequests = ref(0);
  const turns = createTurns(() => pendingRequests.value > 0);

  function confirm({ address, endpoint, response, sentAt }: Confirmation): void {
    const entries = confirmed.get(address) ?? new Map<string, ConfirmedRow>();
    confirmed.set(address, entries);
    const receivedAt = nextSequence();
    for (const [id, row] of readRows(endpoint, response)) {
      // The manager may have read it before a change that it has confirmed since.
      const isOlder = endpoint === 'getResource' && (entries.get(id)?.receivedAt ?? 0) > sentAt;
      if (!isOlder) setLast(entries, id, { row, receivedAt });
    }
    if (shownEndpoints.has(endpoint)) publishSoon();
  }

  /** Returns the client; the page shows its responses at once, and no full read starts while it waits for one. */
  function watchResponses(client: ResourceClient, address: string): ResourceClient {
    return new Proxy(client, {
      get: (target, name: string & keyof ResourceClient) => {
        const call = target[name] as (...input: readonly unknown[]) => Promise<unknown>;
        if (typeof call !== 'function') return call;
        return async (...input: readonly unknown[]): Promise<unknown> => {
          pendingRequests.value += 1;
          const sentAt = nextSequence();
          try {
            const response = await call(...input);
            confirm({ address, endpoint: name, response, sentAt });
            const removed = findRemovedResource(name, response);
            if (removed !== null) confirm({ address, endpoint: 'deleteResource', response: removed, sentAt });
            return response;
          } catch (error) {
            // Another user has removed it.
            if (name === 'getResource' && error instanceof ManagerError && error.status === 404)
              confirm({ address, endpoint: 'deleteResource', response: input[0], sentAt });
            throw error;
          } finally {
            pendingRequests.value -= 1;
          }
        };
      },
    });
  }

  /** Reads all resources once no command waits for a response. */
  async function readAll<Body>(address: string, read: () => Promise<Body>, signal: AbortSignal): Promise<Body> {
    await turns.noRequestPending(signal);
    const body = await turns.readFully(() => recordStamp(read));
    // The page still shows the previous read, which does not contain the later changes.
    const entries = confirmed.get(address) ?? new Map<string, ConfirmedRow>();
    for (const [id, { receivedAt }] of entries) if (receivedAt < (lastReads.get(address) ?? 0)) entries.delete(id);
    lastReads.set(address, getStamp(body)?.requestedAt ?? 0);
    return body;
  }

  /** The changes that were confirmed after the full read was requested. */
  function rowsSince(body: unknown, address: string): ConfirmedRows {
    const requestedAt = getStamp(body)?.requestedAt ?? 0;
    const entries = [...(published.value.get(address) ?? [])].filter(([, { receivedAt }]) => receivedAt > requestedAt);
    return new Map(entries.map(([id, { row }]) => [id, row]));
  }

  return { rowsSince, pendingRequests, publish, watchResponses, readAll, fullReadEnded: turns.fullReadEnded };
});

/** Full reads and commands take turns, because the manager responds to nothing else during a full read. */
function createTurns(isRequestPending: () => boolean) {
  let fullRead: Promise<unknown> = Promise.resolve();

  async function noRequestPending(signal: AbortSignal): Promise<void> {
    for (let waitedMs = 0; isRequestPending(); waitedMs += idleMs) {
      // The next commands wait for the full read, so that the pending ones end.
      if (waitedMs === maxDeferralMs) fullRead = pause(batchPauseMs, signal);
      await pause(idleMs, signal);
      signal.throwIfAborted();
    }
  }

  function readFully<Body>(read: () => Promise<Body>): Promise<Body> {
    const reading = read();
    fullRead = reading.catch(() => undefined);
    return reading;
  }

  /** Resolves when no full read delays the manager's next response, or after a limit. */
  async function fullReadEnded(): Promise<void> {
    const ended = new AbortController();
    await Promise.race([fullRead, pause(maxWaitMs, ended.signal)]);
    ended.abort();
    // The next commands of a batch do not wait for it again.
    fullRead = Promise.resolve();
  }

  return { noRequestPending, readFully, fullReadEnded };
}

/** Calls at once, then at most once per interval, until the scope ends. */
function useThrottledCall(call: () => void, intervalMs: number): () => void {
  const scope = getCurrentScope();
  let isRequested = false;
  const { isPending, start } = useTimeoutFn(() => isRequested && request(), intervalMs, { immediate: false });
  function request(): void {
    isRequested = isPending.value;
    if (isRequested || scope?.active === false) return;
    call();
    start();
  }
  return request;
}

/** The resource whose newest version, the first in its history, is its removal; `null` if there is none. */
function findRemovedResource(endpoint: string, response: unknown): ResourceVersion | null {
  const [last] = endpoint === 'queryHistory' ? (response as ResourceVersion[]) : [];
  return last?.change_type === 'Removed' ? last : null;
}

/** The resources of a response with their IDs; `null`: removed. */
function readRows(endpoint: string, response: unknown): readonly (readonly [string, ResourceRow | null])[] {
  if (!shownEndpoints.has(endpoint)) return [];
  if (endpoint === 'deleteResource') return [[(response as Pick<Resource, 'resource_id'>).resource_id, null]];
  return toResourceRows([response].flat() as Resource[]).map((row) => [row.id, row]);
}

/** Sets an entry and makes it the last one: a map keeps the position of a key that it has. */
function setLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** The resources of confirmed responses by ID, in the order of the responses; `null`: removed. */
export type ConfirmedRows = ReadonlyMap<string, ResourceRow | null>;

/**
 * Adds confirmed changes to the resources of the last full read.
 * @param rows all resources, as last read
 */
export function withConfirmedRows(rows: readonly ResourceRow[], confirmed: ConfirmedRows): readonly ResourceRow[] {
  if (confirmed.size === 0) return rows;
  const byId = new Map(rows.map((row) => [row.id, row]));
  // In their order: a container that was read before its next child was added must not move that child out again.
  for (const [id, row] of confirmed) {
    if (row === null) removeWithContents(byId, id);
    else {
      byId.set(id, row);
      correctPlaces(byId, row);
    }
  }
  return [...byId.values()].map((row) => correctChildren(byId, row));
}

function removeWithContents(byId: Map<string, ResourceRow>, id: string): void {
  const row = byId.get(id);
  byId.delete(id);
  for (const child of row?.children ?? []) if (child !== null) removeWithContents(byId, child);
}

/** The contents of a confirmed container are those of its response, and it is in the container that it names. */
function correctPlaces(byId: Map<string, ResourceRow>, row: ResourceRow): void {
  if (isContainer(row)) {
    const contents = new Set(row.children);
    for (const other of byId.values())
      if (other.parentId === row.id && !contents.has(other.id))
        byId.set(other.id, { ...other, parentId: null, key: null });
  }
  const parent = row.parentId === null ? undefined : byId.get(row.parentId);
  if (parent !== undefined && !parent.children.includes(row.id))
    byId.set(parent.id, { ...parent, children: insertChild(parent, row) });
}

function insertChild({ type, children }: ResourceRow, { id, key }: ResourceRow): readonly (string | null)[] {
  const place = type === 'row' && key !== null ? Number(key) : -1;
  return children[place] === null ? children.with(place, id) : [...children, id];
}

/** Children that were removed, or that are in another container now, leave an empty place in a row. */
function correctChildren(byId: ReadonlyMap<string, ResourceRow>, row: ResourceRow): ResourceRow {
  const isHere = (id: string | null): boolean => id === null || byId.get(id)?.parentId === row.id;
  if (row.children.every(isHere)) return withCount(row);
  const children =
    row.type === 'row' ? row.children.map((id) => (isHere(id) ? id : null)) : row.children.filter(isHere);
  return withCount({ ...row, children });
}

/** The quantity of these containers is the number of their children. */
function withCount(row: ResourceRow): ResourceRow {
  const isCounted = (isOrdered(row) || isKeyed(row)) && row.type !== 'pool' && row.quantity !== null;
  return isCounted && row.quantity !== row.children.length ? { ...row, quantity: row.children.length } : row;
}
