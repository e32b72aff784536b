/** `--status`: prints the lab's state from the running service, for people and scripts. `--ping`: whether the service responds. */
import { formatLocalDateTime } from '../../api/time/clockText.ts';
import { labLabel, unreadFollowedLab } from '../../api/lab/followedLab.ts';
import { health, labHistory, labManagerDescription, type LabStatus } from '../../api/lab/lab.ts';
import { describeStop, listUnconfirmedNodes } from '../../api/safetyStop/labStop.ts';
import { findMaintenance } from '../../api/lab/maintenance.ts';
import { nodeStateText } from '../../api/managers/nodeState.ts';
import { rowAppearance, rowText } from '../../api/safetyStop/stopReport.ts';
import { labAppearances, maintenanceAppearance, managerAppearances } from '../../api/states.ts';
import { waitingText } from '../diagnostics/checks/twoServers.ts';
import { requestJson } from '../net/requestJson.ts';
import { exitCodes } from '../status.ts';

/**
 * Prints the state of the service at `url` or, if none responds, of the lab that the app follows.
 * @param follow the lab manager on another machine that the app follows; `null` if there is none
 * @returns 0 if the lab is healthy, degraded or in maintenance, otherwise 1
 */
export async function printStatus(url: string, follow: string | null, print: (text: string) => void): Promise<number> {
  const reading = await readLab(url);
  if (reading.ok) return printLab(reading.lab, print);
  if (follow === null) {
    print(reading.problem);
    return exitCodes.failure;
  }
  print(followText(follow, url));
  const followed = await readLab(follow);
  if (followed.ok) return printLab({ ...followed.lab, followed: unreadFollowedLab(follow) }, print);
  print(followed.problem);
  return exitCodes.failure;
}

/**
 * Checks that the service at `url` responds, for health checks: a lab that is down is no reason to restart its manager.
 * @returns 0 when it responds, otherwise 1
 */
export async function ping(url: string, print: (text: string) => void): Promise<number> {
  const response = await requestJson(`${url}health`, 3000);
  const parsed = response.ok ? health.safeParse(response.body) : null;
  if (parsed?.success && parsed.data.description === labManagerDescription) {
    print(`The lab manager at ${url} responds (version ${parsed.data.version ?? 'unknown'})`);
    return exitCodes.ok;
  }
  print(`No lab manager responds at ${url}: ${response.ok ? 'another program does' : response.reason}`);
  return exitCodes.failure;
}

/** Describes the lab that the app shows if no lab manager of this machine responds at `url`. */
function followText(follow: string, url: string): string {
  return `The Lab Manager app follows the lab manager at ${follow}; no lab manager runs at ${url}.`;
}

async function readLab(
  url: string,
): Promise<{ readonly ok: true; readonly lab: LabStatus } | { readonly ok: false; readonly problem: string }> {
  const response = await requestJson(`${url}lab_health/history`, 5000);
  const lab = response.ok ? labHistory.safeParse(response.body) : null;
  if (lab?.success) return { ok: true, lab: lab.data };
  return {
    ok: false,
    problem: `No lab manager answers at ${url}: ${response.ok ? 'not a lab history' : response.reason}`,
  };
}

function printLab(lab: LabStatus, print: (text: string) => void): number {
  const { state, description, managers } = lab;
  print(`${labLabel(lab)}: ${labAppearances[state].label}, ${description}`);
  if (lab.standby !== undefined) print(`On standby: ${lab.standby}`);
  if (lab.database?.problem) print(`Database: ${lab.database.problem.reason}${waitingText(lab.database, '; ')}`);
  for (const line of stopLines(lab.safety_stop)) print(line);
  for (const manager of managers) {
    const maintenance = findMaintenance(lab.maintenance, 'manager', manager.manager);
    const stateLabel = maintenance === null ? managerAppearances[manager.state].label : maintenanceAppearance.label;
    const reason = manager.reason === null ? '' : `  ${manager.reason}`;
    print(`  ${manager.name.padEnd(20)} ${stateLabel.padEnd(12)} ${manager.url}${reason}`);
  }
  for (const { name, state: nodeState, flags, reason, since } of lab.activity?.nodes?.in_need ?? [])
    print(
      `  ${name.padEnd(20)} ${nodeStateText(nodeState, flags ?? []).padEnd(12)} since ${formatLocalDateTime(new Date(since))}${reason === null ? '' : `  ${reason}`}`,
    );
  for (const { name, until } of lab.maintenance ?? [])
    print(
      `  ${name.padEnd(20)} ${maintenanceAppearance.label.padEnd(12)} until ${formatLocalDateTime(new Date(until))}`,
    );
  return state === 'maintenance' || state === 'healthy' || state === 'degraded' ? exitCodes.ok : exitCodes.failure;
}

/** The safety stop in effect, and the unconfirmed nodes, each with the reason. */
function stopLines(stop: LabStatus['safety_stop']): readonly string[] {
  if (!stop) return [];
  const unconfirmed = listUnconfirmedNodes(stop).map(
    (node) => `  ${node.name.padEnd(20)} ${rowAppearance(node).label.padEnd(12)} ${rowText(node)}`,
  );
  return [describeStop(stop, (at) => formatLocalDateTime(new Date(at))), ...unconfirmed];
}
