/** All resources of the lab, read in a worker by one query that all consumers share. */
import { setAge } from '#api/client/responseMetadata.ts';
import { createSharedComposable } from '@vueuse/core';
import { computed, onScopeDispose, shallowRef, type ComputedRef } from 'vue';
import { setInvalidRecords } from '#api/client/invalidRecords.ts';
import { currentTime } from '../../base/clock.ts';
import { managerTitle } from '#api/managers.ts';
import type { resourceApi } from '#api/managers/resource.ts';
import type { LiveQuery } from '../../components/feedback/liveQuery.ts';
import { useReadSource } from '../transport/clients.ts';
import type { ReadTarget } from '../transport/worker/workerMessages.ts';
import { usePoll } from '../transport/poll/poll.ts';
import { pollingSchedule } from '../transport/poll/pollingSchedule.ts';
import { managerQueryKey } from '../transport/poll/queryKey.ts';
import { createWorkerReader, type WorkerReader } from '../transport/worker/workerReader.ts';
import { applyChanges, type ResourceBody, type ResourceInput, type ResourceOrder } from './resourceChanges.ts';
import { noResources, createResourceIndex, type ResourceIndex } from './resourceIndex.ts';
import type { ResourceRow } from './resourceRow.ts';
import { useConfirmedResources, withConfirmedRows } from './confirmedResources.ts';

/**
 * Only names: the navigation badge imports this file, so an import of the API would add the manager's whole endpoint
 * table to the first page.
 */
const server = 'resource' satisfies (typeof resourceApi)['server'];
const endpoint = 'queryResources' satisfies keyof (typeof resourceApi)['endpoints'];
const purpose: (typeof resourceApi)['endpoints'][typeof endpoint]['purpose'] = 'read the resources';

type Reader = WorkerReader<ResourceInput, ResourceRow, ResourceOrder>;
function startReader(): Reader {
  const worker = new Worker(new URL('./resourceWorker.ts', import.meta.url), { type: 'module' });
  return createWorkerReader(worker, { manager: server, endpoint, purpose });
}

/** The worker starts with the first read and ends with the last component that uses resources. */
const useReader = createSharedComposable(() => {
  let reader: Reader | null = null;
  onScopeDispose(() => reader?.stop());
  let last: { address: string; body: ResourceBody } | null = null;
  return async (target: ReadTarget, address: string, signal: AbortSignal): Promise<ResourceBody> => {
    const previous = last?.address === address ? last.body : null;
    reader ??= startReader();
    const { rows, extra, invalid, ageMs } = await reader.read(target, { knownRead: previous?.number ?? 0 }, signal);
    last = { address, body: applyChanges(previous, rows, extra) };
    setInvalidRecords(last.body, invalid);
    setAge(last.body, ageMs);
    return last.body;
  };
});

/** A full read takes at most this part of the time, because the manager responds to nothing else meanwhile. */
const maxReadingPart = 0.1;
/** The duration of the last full read, in ms. */
const readingMs = shallowRef(0);

function useResourceQuery(minIntervalMs: number, isRequested: () => boolean): LiveQuery<ResourceBody> {
  const { address, target } = useReadSource('resource');
  const read = useReader();
  const confirmed = useConfirmedResources();
  const minAgeMs = computed(() => readingMs.value / maxReadingPart);
  const interval = computed(() => Math.max(minIntervalMs, minAgeMs.value));
  const live = usePoll<ResourceBody>({
    source: managerTitle('resource'),
    key: () => managerQueryKey('resource', isRequested() ? address.value : null, endpoint, { as: 'rows' }),
    interval,
    minAgeMs,
    read: (signal) =>
      confirmed.readAll(
        address.value ?? '',
        async () => {
          const startedAt = currentTime();
          const body = await read(target(interval.value), address.value ?? '', signal);
          readingMs.value = currentTime() - startedAt;
          return body;
        },
        signal,
      ),
  });
  // While a batch runs, its responses keep the page up to date.
  const isSending = computed(() => confirmed.pendingRequests > 0 && live.failure.value === null);
  return { ...live, stale: computed(() => live.stale.value && !isSending.value) };
}

const indexes = new WeakMap<readonly ResourceRow[], ResourceIndex>();
/** Created once per response and shared. */
function indexFor(rows: readonly ResourceRow[]): ResourceIndex {
  const index = indexes.get(rows) ?? createResourceIndex(rows);
  indexes.set(rows, index);
  return index;
}
/** The index of the last full read with the changes that were confirmed since. */
function createIndex(live: LiveQuery<ResourceBody>): ComputedRef<ResourceIndex> {
  const confirmed = useConfirmedResources();
  return computed(() => {
    const body = live.data.value;
    if (body === undefined) return noResources;
    return indexFor(withConfirmedRows(body.rows, confirmed.rowsSince(body, live.address.value ?? '')));
  });
}

export interface Resources {
  readonly live: LiveQuery<ResourceBody>;
  readonly index: ComputedRef<ResourceIndex>;
}

/** The resources, for pages about them. */
export const useResources = createSharedComposable((): Resources => {
  const live = useResourceQuery(pollingSchedule.resources, () => true);
  return { live, index: createIndex(live) };
});

/** The resources for counts and secondary lists; not read until `isRequested` returns true. */
export function useBackgroundResources(isRequested: () => boolean): Resources {
  const live = useResourceQuery(pollingSchedule.resourcesInBackground, isRequested);
  return { live, index: createIndex(live) };
}
