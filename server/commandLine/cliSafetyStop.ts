/** `--safety-stop`: stops all nodes, by the running service or else by this program with the nodes that it stored. */
import { hostname } from 'node:os';
import { createClient } from '../../api/client/client.ts';
import { safetyStopApi, type StopRequest } from '../../api/lab/safetyStopApi.ts';
import { FallbackStop } from '../../api/safetyStop/fallbackStop.ts';
import { followStop } from '../../api/safetyStop/followStop.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import { workcellDelayMs } from '../../api/safetyStop/safetyStop.ts';
import { rowAppearance, rowText, summaryText } from '../../api/safetyStop/stopReport.ts';
import { accountName, CommandLog } from '../commandLog/commandLog.ts';
import { getListenTarget } from '../http/listening/listenTarget.ts';
import { statePath } from '../labWatches.ts';
import { silentLog } from '../logging/log.ts';
import { freshFetch } from '../net/freshFetch.ts';
import { StopRoutes } from '../safetyStop/nodeRoutes.ts';
import { toStopTargets } from '../safetyStop/stopExecution.ts';
import { noStopState, StopFile } from '../safetyStop/stopFile.ts';
import type { LabSettings, SettingsInputs } from '../settings/schema/types.ts';
import { exitCodes } from '../status.ts';
import { stateDir } from '../storage/installation.ts';

/** The duration of all attempts of the service, in ms. */
const maxWaitMs = 35_000;

export interface SafetyStopRun {
  readonly inputs: SettingsInputs;
  readonly settings: LabSettings;
}

/** @returns 0 if every node confirmed, otherwise 1 */
export async function runSafetyStop({ inputs, settings }: SafetyStopRun, print: (text: string) => void) {
  const { port } = getListenTarget(settings);
  const folder = stateDir(process.platform, inputs.env, inputs.homeDir);
  const user = accountName();
  const body: StopRequest = { application: 'command line', ...(user !== null && { user }) };
  const client = createClient(safetyStopApi, { baseUrl: `http://127.0.0.1:${port}/`, fetch: freshFetch });
  let { nodes } = noStopState;
  const { workcell_server_url: workcell, event_server_url: eventManager } = settings.context;
  await new StopFile(statePath(folder, 'safety-stop.json', port), silentLog).load((state) => {
    // The nodes of another workcell manager must not be stopped.
    if (state.nodes?.workcell === workcell) ({ nodes } = state);
  });
  const commandLog = new CommandLog({
    folder: statePath(folder, 'commands', port),
    eventManager: () => eventManager,
    clock: () => null,
    log: silentLog,
  });
  const routes = new StopRoutes(workcell);
  const printProgress = createProgress(print);
  let accepted: LabStop | null = null;
  const fallback: FallbackStop = new FallbackStop({
    postToService: async () => {
      const response = await client.stop({ body });
      accepted = response.stop;
      return response;
    },
    targets: () => toStopTargets(nodes),
    routesTo: (target) => routes.routesTo(target),
    delayMs: workcellDelayMs,
    sender: () => ({ machine: hostname(), application: 'command line', ...(user !== null && { user }) }),
    published: () => null,
    record: ({ fields, title }) => commandLog.record({ ...fields, application: 'command line' }, title),
    onChange: () => fallback.stop && printProgress(fallback.stop),
  });
  await fallback.press();
  await fallback.answered;
  const { stop: sent } = fallback;
  if (sent === null) return printStop(await followStop(client, accepted, maxWaitMs, printProgress), print);
  print(`No lab manager at port ${port} accepted the stop: it was sent from here.`);
  await commandLog.stop();
  return printStop(sent, print);
}

/** Prints the summary of a running stop whenever it changes: a node that does not respond delays the end for half a minute. */
function createProgress(print: (text: string) => void): (stop: LabStop | null) => void {
  let printed = '';
  return (stop) => {
    const text = stop?.sending === true ? summaryText(stop.nodes) : '';
    if (text !== '' && text !== printed) print(text);
    printed = text;
  };
}

function printStop(stop: LabStop | null, print: (text: string) => void): number {
  const nodes = stop?.nodes ?? [];
  print(summaryText(nodes));
  for (const node of nodes) print(`  ${node.name.padEnd(20)} ${rowAppearance(node).label.padEnd(18)} ${rowText(node)}`);
  return nodes.length > 0 && nodes.every(({ result }) => result === 'confirmed') ? exitCodes.ok : exitCodes.failure;
}
