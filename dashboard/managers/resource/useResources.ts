/** All resources of the lab, read in a worker by one query that all consumers share. */
import { setAge } from '../../../api/client/responseMetadata.ts';
import { createSharedComposable } from '@vueuse/core';
import { computed, onScopeDispose, type ComputedRef } from 'vue';
import { setInvalidRecords } from '../../../api/client/invalidRecords.ts';
import { managerTitle } from '../../../api/managers.ts';
import type { resourceApi } from '../../../api/managers/resource.ts';
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

function useResourceQuery(interval: number, isRequested: () => boolean): LiveQuery<ResourceBody> {
  const { address, target } = useReadSource('resource');
  const read = useReader();
  return usePoll<ResourceBody>({
    source: managerTitle('resource'),
    key: () => managerQueryKey('resource', isRequested() ? address.value : null, endpoint, { as: 'rows' }),
    interval,
    read: (signal) => read(target(interval), address.value ?? '', signal),
  });
}

const indexes = new WeakMap<ResourceBody, ResourceIndex>();
/** Created once per response and shared. */
function indexFor(body: ResourceBody | undefined): ResourceIndex {
  if (body === undefined) return noResources;
  const index = indexes.get(body) ?? createResourceIndex(body.rows);
  indexes.set(body, index);
  return index;
}

export interface Resources {
  readonly live: LiveQuery<ResourceBody>;
  readonly index: ComputedRef<ResourceIndex>;
}

/** The resources, for pages about them. */
export const useResources = createSharedComposable((): Resources => {
  const live = useResourceQuery(pollingSchedule.resources, () => true);
  return { live, index: computed(() => indexFor(live.data.value)) };
});

/** The resources for counts and secondary lists; not read until `isRequested` returns true. */
export function useBackgroundResources(isRequested: () => boolean): Resources {
  const live = useResourceQuery(pollingSchedule.resourcesInBackground, isRequested);
  return { live, index: computed(() => indexFor(live.data.value)) };
}
