/**
 * Reads the archive beside the page: thousands of workflows are tens of megabytes, and taking them in would stop the
 * page for most of a second. Only rows go back, in slices.
 */
import { createClient } from '../../../../api/client.ts';
import { ManagerError } from '../../../../api/managerError.ts';
import { workcellApi } from '../../../../api/workcell.ts';
import { stampsOf } from '../../../managers/transport/hostTime.ts';
import { rowsInMessage, type ArchiveAnswer, type ArchiveRequest } from './archiveMessages.ts';
import { rowOf } from '../workflowRow.ts';

const running = new Map<number, AbortController>();
const deadlineMs = 60_000;
const timedCount = 3;

function say(answer: ArchiveAnswer): void {
  self.postMessage(answer);
}

async function read({ id, baseUrl, version, count }: Exclude<ArchiveRequest, { stop: true }>): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const client = createClient(workcellApi, { baseUrl, version, patienceMs: 0 });
    const answer = await client.getArchivedWorkflows({ number: count }, { signal: controller.signal, deadlineMs });
    const workflows = Object.values(answer);
    for (let from = 0; from < workflows.length; from += rowsInMessage)
      say({ id, rows: workflows.slice(from, from + rowsInMessage).map(rowOf) });
    const timed = workflows.slice(0, rowsInMessage).filter((workflow) => stampsOf([workflow]).length > 0);
    say({ id, end: true, timed: timed.slice(0, timedCount) });
  } catch (error) {
    const { kind, status, reason, retryAfterMs } =
      error instanceof ManagerError
        ? error
        : { kind: 'not-understood' as const, status: null, reason: String(error), retryAfterMs: null };
    say({ id, failure: { kind, status, reason, retryAfterMs } });
  } finally {
    running.delete(id);
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ArchiveRequest>) => {
  if ('stop' in data) running.get(data.id)?.abort();
  else void read(data);
});
