/** The archive as rows: its newest entries are polled, older ones are read less often. */
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { recordInvalidRecords } from '../../../../api/client/invalidRecords.ts';
import { workcellApi } from '../../../../api/managers/workcell.ts';
import { createWorkerReader, type WorkerReader } from '../../transport/worker/workerReader.ts';
import type { WorkflowRow } from '../workflowRow.ts';
import { managerTitle } from '../../../../api/managers.ts';
import { useAddress, useManagerVersion } from '../../transport/clients.ts';
import { pollingSchedule } from '../../transport/poll/pollingSchedule.ts';
import { managerQueryKey } from '../../transport/poll/queryKey.ts';
import type { Live } from '../../../components/feedback/live.ts';
import { usePoll } from '../../transport/poll/poll.ts';
import { newestCount, type ArchiveRead } from './archive.ts';

const endpoint = 'getArchivedWorkflows';

export interface Archive {
  readonly newest: Live<ArchiveRead>;
  /** The last read of the requested count; before that, only the newest. */
  readonly read: ComputedRef<ArchiveRead | null>;
  /** The query for more than the newest; `null` while only those are requested. */
  readonly deep: Live<ArchiveRead>;
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
  const address = useAddress('workcell');
  const version = useManagerVersion('workcell');

  const part = (sampleSize: () => number, interval: number, key: ComputedRef<string | null>) =>
    usePoll<ArchiveRead>({
      who: managerTitle('workcell'),
      key: () => managerQueryKey('workcell', key.value, endpoint, { number: sampleSize(), as: 'rows' }),
      interval,
      read: async (signal) => {
        const target = { baseUrl: address.value ?? '', version: version.value };
        const { rows, invalid } = await startReader().read(target, sampleSize(), signal);
        const body = { rows, requestedCount: sampleSize() };
        recordInvalidRecords(body, invalid);
        return body;
      },
    });

  const newest = part(() => newestCount, pollingSchedule.archivedWorkflows, address);
  const isDeep = computed(() => count.value !== newestCount);
  const deep = part(
    () => count.value,
    pollingSchedule.archiveFurtherBack,
    computed(() => (isDeep.value ? address.value : null)),
  );

  // Keeps the previous rows while more are being read.
  const last = shallowRef<ArchiveRead | null>(null);
  watch(
    [isDeep, newest.data, deep.data],
    () => {
      if (!isDeep.value) last.value = newest.data.value ?? null;
      else if (deep.data.value !== undefined) last.value = deep.data.value;
      else last.value ??= newest.data.value ?? null;
    },
    { immediate: true },
  );
  return { newest, deep, read: computed(() => last.value) };
}
