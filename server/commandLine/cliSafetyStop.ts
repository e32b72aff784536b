/** `--safety-stop`: stops all nodes, by the running service or else by this program with the nodes that it stored. */
import { hostname } from 'node:os';
import { createClient, type Client } from '../../api/client/client.ts';
import { safetyStopApi, type StopRequest } from '../../api/lab/safetyStopApi.ts';
import { FallbackStop } from '../../api/safetyStop/fallbackStop.ts';
import { followStop } from '../../api/safetyStop/followStop.ts';
import type { LabStop } from '../../api/safetyStop/labStop.ts';
import { workcellDelayMs } from '../../api/safetyStop/safetyStop.ts';
import { pause } from '../../api/time/pause.ts';
import { summaryText } from '../../api/safetyStop/stopReport.ts';
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
import { stoppedNodeLine } from './cliStatus.ts';
import { stateDir } from '../storage/installation.ts';

/** The duration of all attempts of the service, in ms. */
const maxWaitMs = 35_000;
/** The interval at which a running service is noticed while the stop is sent from here, in ms. */
const observeIntervalMs = 500;

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
  const printSummary = createSummaryPrinter(print);
  // A node that does not respond delays the end for half a minute.
  const printProgress = (stop: LabStop | null) => stop?.sending === true && printSummary(stop);
  let accepted: LabStop | null = null;
  let posted: Promise<void> = Promise.resolve();
  /** The stop that is sent from here, and the one that a service publishes meanwhile. */
  const seen: { own: LabStop | null; published: LabStop | null } = { own: null, published: null };
  const fallback: FallbackStop = new FallbackStop({
    postToService: (request) => {
      const posting = client.stop({ body: { ...body, ...request } });
      posted = posting.then(({ stop }) => void (accepted = stop)).catch(() => undefined);
      return posting;
    },
    targets: () => toStopTargets(nodes),
    routesTo: (target) => routes.routesTo(target),
    delayMs: workcellDelayMs,
    sender: () => ({ machine: hostname(), application: 'command line', ...(user !== null && { user }) }),
    published: () => seen.published,
    record: ({ fields, title }) => commandLog.record({ ...fields, application: 'command line' }, title),
    onChange: () => {
      if (fallback.stop?.sending !== true) return;
      if (seen.own === null) print(`No lab manager at port ${port} has accepted the stop: it is sent from here.`);
      seen.own = fallback.stop;
      printProgress(fallback.stop);
    },
  });
  const observing = new AbortController();
  void observeService(client, observing.signal, (stop) => {
    seen.published = stop;
    fallback.observe(stop);
  });
  await fallback.press();
  await fallback.answered;
  // A stop that a service began after this one has ended by now.
  fallback.observe(seen.published);
  await fallback.answered;
  observing.abort();
  await posted;
  if (seen.own !== null) await commandLog.stop();
  const followed = fallback.stop ?? (await followStop(client, accepted ?? seen.published, maxWaitMs, printProgress));
  const { nodes: stopped } = followed ?? seen.own ?? { nodes: [] };
  printSummary({ nodes: stopped });
  for (const node of stopped) print(stoppedNodeLine(node));
  return stopped.length > 0 && stopped.every(({ result }) => result === 'confirmed') ? exitCodes.ok : exitCodes.failure;
}

/** Reads the stop of a service that has started meanwhile: it can release what is sent from here. */
async function observeService(
  client: Pick<Client<typeof safetyStopApi>, 'getStop'>,
  signal: AbortSignal,
  onRead: (stop: LabStop | null) => void,
): Promise<void> {
  while (await pause(observeIntervalMs, signal)) {
    const response = await client.getStop().catch(() => null);
    if (response !== null && !signal.aborted) onRead(response.in_effect ? response.stop : null);
  }
}

/** Returns a function that prints the summary if it has changed. */
function createSummaryPrinter(print: (text: string) => void): (stop: Pick<LabStop, 'nodes'>) => void {
  let last = '';
  return ({ nodes }) => {
    const text = summaryText(nodes);
    if (text !== last) print(text);
    last = text;
  };
}
