/** Reads all resources and returns the changes since the last response; created once per worker. */
import { getAge } from '#api/client/responseMetadata.ts';
import { getInvalidRecords } from '#api/client/invalidRecords.ts';
import { createClient } from '#api/client/client.ts';
import { resourceApi } from '#api/managers/resource.ts';
import type { WorkerRead } from '../transport/worker/serveReads.ts';
import type { ReadTarget } from '../transport/worker/workerMessages.ts';
import { createChangeFilter, type ResourceInput, type ResourceOrder } from './resourceChanges.ts';
import { toResourceRows, type ResourceRow } from './resourceRow.ts';

const timeoutMs = 60_000;

type Read = WorkerRead<ResourceRow, ResourceRow, ResourceOrder>;

export function createResourceReading(): (
  target: ReadTarget,
  input: ResourceInput,
  signal: AbortSignal,
) => Promise<Read> {
  const filterChanges = createChangeFilter();
  return async (target, input, signal) => {
    const client = createClient(resourceApi, { ...target, maxRetryMs: 0 });
    const resources = await client.queryResources({ body: {} }, { signal, timeoutMs });
    const rows = toResourceRows(resources);
    const { changed, order } = filterChanges(target.baseUrl, rows, input.knownRead);
    return {
      items: changed,
      toRow: (row) => row,
      extra: { order },
      invalid: getInvalidRecords(resources),
      ageMs: getAge(resources),
    };
  };
}
