/** All resources of the lab, read in a worker by one query that all consumers share. */
import { createSharedComposable } from '@vueuse/core';
import { computed, onScopeDispose, type ComputedRef } from 'vue';
import { recordInvalidRecords } from '../../../api/client/invalidRecords.ts';
import { managerTitle } from '../../../api/managers.ts';
import type { resourceApi } from '../../../api/managers/resource.ts';
import type { Live } from '../../components/feedback/live.ts';
import { useAddress, useManagerVersion } from '../transport/clients.ts';
import { usePoll } from '../transport/poll/poll.ts';
import { pollingSchedule } from '../transport/poll/pollingSchedule.ts';
import { managerQueryKey } from '../transport/poll/queryKey.ts';
import { createWorkerReader, type WorkerReader } from '../transport/worker/workerReader.ts';
import { applyChanges, type ResourceBody, type ResourceInput, type ResourceRest } from './resourceChanges.ts';
import { noResources, resourceIndex, type ResourceIndex } from './resourceIndex.ts';
import type { ResourceRow } from './resourceRow.ts';

/**
 * Only names, because the navigation badge imports this file, which would add the manager's whole endpoint table to the
 * first page.
 */
const server = 'resource' satisfies (typeof resourceApi)['server'];
const endpoint = 'queryResources' satisfies keyof (typeof resourceApi)['endpoints'];
const purpose: (typeof resourceApi)['endpoints'][typeof endpoint]['purpose'] = 'read the resources';

type Reader = WorkerReader<ResourceInput, ResourceRow, ResourceRest>;
function startReader(): Reader {
  const worker = new Worker(new URL('./resourceWorker.ts', import.meta.url), { type: 'module' });
  return createWorkerReader(worker, { manager: server, endpoint, purpose });
}

/** The worker starts with the first read and ends with the last component that uses resources. */
const useReader = createSharedComposable(() => {
  let reader: Reader | null = null;
  onScopeDispose(() => reader?.stop());
  let last: { address: string; body: ResourceBody } | null = null;
  const version = useManagerVersion('resource');
  return async (address: string, signal: AbortSignal): Promise<ResourceBody> => {
    const before = last?.address === address ? last.body : null;
    const target = { baseUrl: address, version: version.value };
    reader ??= startReader();
    const { rows, rest, invalid } = await reader.read(target, { knownRead: before?.number ?? 0 }, signal);
    last = { address, body: applyChanges(before, rows, rest) };
    recordInvalidRecords(last.body, invalid);
    return last.body;
  };
});

function useRead(interval: number, isRequested: () => boolean): Live<ResourceBody> {
  const address = useAddress('resource');
  const read = useReader();
  return usePoll<ResourceBody>({
    who: managerTitle('resource'),
    key: () => managerQueryKey('resource', isRequested() ? address.value : null, endpoint, { as: 'rows' }),
    interval,
    read: (signal) => read(address.value ?? '', signal),
  });
}

const indexes = new WeakMap<ResourceBody, ResourceIndex>();
/** Created once per response and shared. */
function indexOf(body: ResourceBody | undefined): ResourceIndex {
  if (body === undefined) return noResources;
  const known = indexes.get(body) ?? resourceIndex(body.rows);
  indexes.set(body, known);
  return known;
}

export interface Resources {
  readonly live: Live<ResourceBody>;
  readonly index: ComputedRef<ResourceIndex>;
}

/** The resources, for pages about them. */
export const useResources = createSharedComposable((): Resources => {
  const live = useRead(pollingSchedule.resources, () => true);
  return { live, index: computed(() => indexOf(live.data.value)) };
});

/** The resources for counts and secondary lists; not read until `isRequested` returns true. */
export function useBackgroundResources(isRequested: () => boolean): Resources {
  const live = useRead(pollingSchedule.resourcesInBackground, isRequested);
  return { live, index: computed(() => indexOf(live.data.value)) };
}
