/** A program for tests: starts a safety stop, prints a line, and continues until it is killed. */
import { readKnownNodes } from '../activity/knownNodes.ts';
import { silentLog } from '../logging/log.ts';
import { requestJson } from '../net/requestJson.ts';
import { SafetyStops } from './safetyStops.ts';

const [path = '', workcell = ''] = process.argv.slice(2);
const stops = new SafetyStops({
  workcell: () => workcell,
  flags: () => null,
  states: () => [],
  loggedStop: () => null,
  undoneStop: () => null,
  isAcknowledgedInLog: () => false,
  isReleasedInLog: () => false,
  record: () => '',
  onChange: () => undefined,
  log: silentLog,
});
const response = await requestJson(`${workcell}nodes`, 5000);
const nodes = response.ok ? readKnownNodes(workcell, response.body) : null;
if (nodes !== null) stops.setNodes(nodes);
await stops.start(path);
stops.press({ machine: 'lab-pc', user: 'ann', application: 'command line' });
process.stdout.write('pressed\n');
