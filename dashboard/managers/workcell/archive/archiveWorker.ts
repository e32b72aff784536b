/** Reads the archive beside the page. */
import { badRecordsOf } from '../../../../api/client/badRecords.ts';
import { createClient } from '../../../../api/client/client.ts';
import { workcellApi } from '../../../../api/managers/workcell.ts';
import type { Workflow } from '../../../../api/managers/workflow.ts';
import { stampsOf } from '../../transport/time/hostTime.ts';
import { serveReads } from '../../transport/worker/serveReads.ts';
import { rowOf, type WorkflowRow } from '../workflowRow.ts';

const deadlineMs = 60_000;
/** Enough workflows to tell the time zone of the manager's host, and how many are looked at for that. */
const timedCount = 3;
const lookedAt = 250;

/** @param count of the newest; 0 for all */
serveReads<number, Workflow, WorkflowRow, readonly Workflow[]>(self, async (target, count, signal) => {
  const client = createClient(workcellApi, { ...target, patienceMs: 0 });
  const archived = await client.getArchivedWorkflows({ number: count }, { signal, deadlineMs });
  const items = Object.values(archived);
  const timed = items.slice(0, lookedAt).filter((workflow) => stampsOf([workflow]).length > 0);
  return { items, rowOf, rest: timed.slice(0, timedCount), bad: badRecordsOf(archived) };
});
