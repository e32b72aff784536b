/** Web worker that reads the archive and builds the layer from it and the active workflows. */
import { ageOf, setAge } from '../../../../api/client/answerAge.ts';
import { invalidRecordsOf, recordInvalidRecords } from '../../../../api/client/invalidRecords.ts';
import { createClient } from '../../../../api/client/client.ts';
import { workcellApi } from '../../../../api/managers/workcell.ts';
import { serveTimeline } from './serveTimeline.ts';

const deadlineMs = 120_000;

serveTimeline(self, async (target, count, signal) => {
  const client = createClient(workcellApi, { ...target, maxRetryMs: 0 });
  const archived = await client.getArchivedWorkflows({ number: count }, { signal, deadlineMs });
  const workflows = Object.values(archived);
  recordInvalidRecords(workflows, invalidRecordsOf(archived));
  setAge(workflows, ageOf(archived));
  return workflows;
});
