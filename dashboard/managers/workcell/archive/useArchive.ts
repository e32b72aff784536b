/** The archive as rows: its newest entries are polled, older ones are read less often. */
import { setAge } from '#api/client/responseMetadata.ts';
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { setInvalidRecords } from '#api/client/invalidRecords.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import { createWorkerReader, type WorkerReader } from '../../transport/worker/workerReader.ts';
import type { WorkflowRow } from '../workflowRow.ts';
import { managerTitle } from '#api/managers.ts';
import { useReadSource } from '../../transport/clients.ts';
import { pollingSchedule } from '../../transport/poll/pollingSchedule.ts';
import { managerQueryKey } from '../../transport/poll/queryKey.ts';
import type { LiveQuery } from '#dashboard/components/feedback/liveQuery.ts';
import { usePoll } from '../../transport/poll/poll.ts';
import { newestCount, type ArchiveRead } from './archive.ts';

const endpoint = 'getArchivedWorkflows';

export interface Archive {
  readonly newest: LiveQuery<ArchiveRead>;
  /** The last read of the requested count; before that, only the newest. */
  readonly lastRead: ComputedRef<ArchiveRead | null>;
  /** The query for more than the newest; it reads nothing while only those are requested. */
  readonly extended: LiveQuery<ArchiveRead>;
}

/** @param count the requested count, 0 for all */
export function useArchive(count: Ref<number>): Archive {
  let reader: WorkerReader<number, WorkflowRow, null> | null = null;
  /** The worker is started on the first read. */
  function startReader(): NonNullable<typeof reader> {
    reader ??= createWorkerReader<number, WorkflowRow, null>(
      new Worker(new URL('./archiveWorker.ts', import.meta.url), { type: 'module' }),
      { manager: workcellApi.server, endpoint, purpose: workcellApi.endpoints[endpoint].purpose },
    );
    return reader;
  }
  onScopeDispose(() => reader?.stop());
  const { address, target } = useReadSource('workcell');

  const pollArchive = (getCount: () => number, interval: number, queryAddress: ComputedRef<string | null>) =>
    usePoll<ArchiveRead>({
      source: managerTitle('workcell'),
      key: () => managerQueryKey('workcell', queryAddress.value, endpoint, { number: getCount(), as: 'rows' }),
      interval,
      read: async (signal) => {
        const { rows, invalid, ageMs } = await startReader().read(target(interval), getCount(), signal);
        const body = { rows, requestedCount: getCount() };
        setInvalidRecords(body, invalid);
        setAge(body, ageMs);
        return body;
      },
    });

  const newest = pollArchive(() => newestCount, pollingSchedule.archivedWorkflows, address);
  const isExtended = computed(() => count.value !== newestCount);
  const extended = pollArchive(
    () => count.value,
    pollingSchedule.archiveFurtherBack,
    computed(() => (isExtended.value ? address.value : null)),
  );

  // Keeps the previous rows while more are being read.
  const lastRead = shallowRef<ArchiveRead | null>(null);
  watch(
    [isExtended, newest.data, extended.data],
    () => {
      if (!isExtended.value) lastRead.value = newest.data.value ?? null;
      else if (extended.data.value !== undefined) lastRead.value = extended.data.value;
      else lastRead.value ??= newest.data.value ?? null;
    },
    { immediate: true },
  );
  return { newest, extended, lastRead: computed(() => lastRead.value) };
}
