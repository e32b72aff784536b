/**
 * Reads all resources beside the page: tens of thousands are megabytes. What has not changed since the last answer isn't
 * sent again, so that reading it again costs the page nothing.
 */
import { createClient } from '../../../api/client/client.ts';
import { resourceApi } from '../../../api/managers/resource.ts';
import { serveReads } from '../transport/worker/serveReads.ts';
import { createChangeFilter, type ResourceInput, type ResourceRest } from './resourceChanges.ts';
import { resourceRows, type ResourceRow } from './resourceRow.ts';

const deadlineMs = 60_000;
const changesOf = createChangeFilter();

serveReads<ResourceInput, ResourceRow, ResourceRow, ResourceRest>(self, async (target, input, signal) => {
  const client = createClient(resourceApi, { ...target, patienceMs: 0 });
  const rows = resourceRows(await client.queryResources({ body: {} }, { signal, deadlineMs }));
  const { changed, order } = changesOf(target.baseUrl, rows, input.known);
  return { items: changed, rowOf: (row) => row, rest: { order } };
});
