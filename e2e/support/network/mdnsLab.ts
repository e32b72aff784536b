/**
 * A lab that is announced by mDNS, and a search for others, in a process that a test starts in a separate network. Prints
 * the port and the labs found, as one line of JSON after each change.
 */
import { silentLog } from '#server/logging/log.ts';
import { LabSearch } from '#server/discovery/labSearch.ts';
import { startService } from '../service.ts';

const service = await startService({ env: { LAB_MDNS: 'true', LAB_MANAGER_NAME: process.argv[2] } });
const search = new LabSearch(silentLog);
search.start();
let lastLine = '';
const timer = setInterval(() => {
  const line = JSON.stringify({ port: service.port, labs: search.labs });
  if (line !== lastLine) console.log(line);
  lastLine = line;
}, 100);
process.once('SIGTERM', async () => {
  clearInterval(timer);
  await Promise.all([search.stop(), service.stop()]);
});
