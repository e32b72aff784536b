/** `--status`: prints the lab's state from the running service, for people and scripts. `--ping`: whether the service responds. */
import { formatLocalDateTime } from '../../api/time/clockText.ts';
import { labLabel, unreadFollowedLab } from '../../api/lab/followedLab.ts';
import {
  health,
  labHistory,
  labManagerDescription,
  type LabHistory,
  type LabStatus,
  type PlannedMaintenance,
} from '../../api/lab/lab.ts';
import { accountName } from '../commandLog/commandLog.ts';
import type { StoppedNode } from '../../api/commandRecord.ts';
import { describeStop, listUnconfirmedNodes } from '../../api/safetyStop/labStop.ts';
import { findMaintenance, formatRecurrence } from '../../api/lab/maintenance.ts';
import { listNeeds, needCountText, needReasonText, type Need } from '../../api/lab/needs.ts';
import { nodeStateText } from '../../api/managers/nodeState.ts';
import { safetyStopTexts as texts } from '../../api/safetyStop/safetyStopTexts.ts';
import { rowAppearance, rowText } from '../../api/safetyStop/stopReport.ts';
import { labAppearances, maintenanceAppearance, managerAppearances, nodeAppearances } from '../../api/states.ts';
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

type PrintedLab = LabStatus & Pick<LabHistory, 'owner'>;

async function readLab(
  url: string,
): Promise<{ readonly ok: true; readonly lab: PrintedLab } | { readonly ok: false; readonly problem: string }> {
  const response = await requestJson(`${url}lab_health/history`, 5000);
  const lab = response.ok ? labHistory.safeParse(response.body) : null;
  if (lab?.success) return { ok: true, lab: lab.data };
  return {
    ok: false,
    problem: `No lab manager answers at ${url}: ${response.ok ? 'not a lab history' : response.reason}`,
  };
}

function printLab(lab: PrintedLab, print: (text: string) => void): number {
  const { state, description, managers } = lab;
  print(`${labLabel(lab)}: ${describeState(lab)}, ${description}`);
  if (lab.owner && lab.owner.account !== accountName())
    print(
      `Run by the account ${lab.owner.account ?? 'without a name'} with the settings in ${lab.owner.settings_file}`,
    );
  if (lab.standby !== undefined) print(`On standby: ${lab.standby}`);
  if (lab.database?.problem) print(`Database: ${lab.database.problem.reason}${waitingText(lab.database, '; ')}`);
  const inNeed = lab.activity?.nodes?.in_need ?? [];
  const unconfirmed = lab.safety_stop === undefined ? [] : listUnconfirmedNodes(lab.safety_stop);
  if (lab.safety_stop !== undefined) print(describeStop(lab.safety_stop, (at) => formatLocalDateTime(new Date(at))));
  for (const node of unconfirmed) {
    const now = inNeed.find(({ name }) => name === node.name) ?? node.now;
    print(
      `${stoppedNodeLine(node)}${now === undefined ? '' : ` ${texts.nodeNow(nodeStateText(now.state, now.flags ?? []))}.`}`,
    );
  }
  for (const manager of managers) {
    const maintenance = findMaintenance(lab.maintenance, 'manager', manager.manager);
    const stateLabel = maintenance === null ? managerAppearances[manager.state].label : maintenanceAppearance.label;
    const reason = manager.reason === null ? '' : `  ${manager.reason}`;
    print(`  ${manager.name.padEnd(20)} ${stateLabel.padEnd(12)} ${manager.url}${reason}`);
  }
  const isPrinted = ({ kind, id }: Need) =>
    kind === 'stop' || kind === 'manager' || unconfirmed.some(({ name }) => name === id);
  for (const need of listNeeds(lab)) if (!isPrinted(need)) print(needLine(need));
  for (const { name, until } of lab.maintenance ?? [])
    print(
      `  ${name.padEnd(20)} ${maintenanceAppearance.label.padEnd(12)} until ${formatLocalDateTime(new Date(until))}`,
    );
  for (const { name, every, from } of lab.planned_maintenance ?? [])
    print(`  ${name.padEnd(20)} ${'Planned'.padEnd(12)} ${formatPlanned({ every, from })}`);
  return state === 'maintenance' || state === 'healthy' || state === 'degraded' ? exitCodes.ok : exitCodes.failure;
}

/** `every Sun 02:00 for 1 h, next 2026-03-08 02:00` */
export const formatPlanned = ({ every, from }: Pick<PlannedMaintenance, 'every' | 'from'>): string =>
  `${formatRecurrence(every)}, next ${formatLocalDateTime(new Date(from))}`;

/** `  robotarm_1           Error        since 2026-03-08 02:00  motor stalled. Check it, then reset it.` */
function needLine(need: Need): string {
  const since = need.since === null ? '' : ` since ${formatLocalDateTime(new Date(need.since))}`;
  const sentences = [needReasonText(need), need.advice].filter((text) => text !== '').map((text) => `${text}.`);
  return `  ${need.name.padEnd(20)} ${need.appearance.label.padEnd(12)}${since}  ${sentences.join(' ')}`;
}

/** A stopped lab, or one that needs a person, is not called healthy. */
function describeState(lab: LabStatus): string {
  if (lab.safety_stop !== undefined) return nodeAppearances.stopped.label;
  const count = lab.state === 'healthy' ? listNeeds(lab).length : 0;
  return count === 0 ? labAppearances[lab.state].label : needCountText(count);
}

/** The result of a safety stop at one node in one line. */
export const stoppedNodeLine = (node: StoppedNode): string =>
  `  ${node.name.padEnd(20)} ${rowAppearance(node).label.padEnd(18)} ${rowText(node)}`;
