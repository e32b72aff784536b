/** Web worker that reads the archive and builds the layer from it and the active workflows. */
import { getAge, setAge } from '#api/client/responseMetadata.ts';
import { getInvalidRecords, setInvalidRecords } from '#api/client/invalidRecords.ts';
import { createClient } from '#api/client/client.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import { serveTimeline } from './serveTimeline.ts';

const timeoutMs = 120_000;

serveTimeline(self, async (target, count, signal) => {
  const client = createClient(workcellApi, { ...target, maxRetryMs: 0 });
  const archived = await client.getArchivedWorkflows({ number: count }, { signal, timeoutMs });
  const workflows = Object.values(archived);
  setInvalidRecords(workflows, getInvalidRecords(archived));
  setAge(workflows, getAge(archived));
  return workflows;
});
