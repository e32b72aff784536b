/** Reads the archive in a worker. */
import { getAge } from '#api/client/responseMetadata.ts';
import { getInvalidRecords } from '#api/client/invalidRecords.ts';
import { createClient } from '#api/client/client.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { serveReads } from '../../transport/worker/serveReads.ts';
import { toWorkflowRow, type WorkflowRow } from '../workflowRow.ts';

const timeoutMs = 60_000;

/** @param count number of the newest to read; 0 for all */
serveReads<number, Workflow, WorkflowRow, null>(self, async (target, count, signal) => {
  const client = createClient(workcellApi, { ...target, maxRetryMs: 0 });
  const archived = await client.getArchivedWorkflows({ number: count }, { signal, timeoutMs });
  const items = Object.values(archived);
  return { items, toRow: toWorkflowRow, extra: null, invalid: getInvalidRecords(archived), ageMs: getAge(archived) };
});
