/** The heading of the dashboard: what is failing, since when and why; or that everything is healthy. */
import type { LabStatus, ManagerStatus } from '#api/lab/lab.ts';
import type { Need } from '#api/lab/needs.ts';
import type { LabStop } from '#api/safetyStop/labStop.ts';
import { outsideMaintenance } from '#api/lab/maintenance.ts';
import { managerName, managerTitle } from '#api/managers.ts';
import { countsAsHealthy, labAppearances, managerAppearances, nodeAppearances } from '#api/states.ts';
import { overviewTexts } from './texts.ts';
import { formatAge, formatDuration, formatTime, parseTime } from '../../base/time.ts';
import { describeMaintenance, describePlanned } from '../../managers/lab/maintenance.ts';
import type { LabNeeds } from '../../managers/lab/useNeeds.ts';
import { managerReason } from '../../managers/lab/labBadge.ts';

const texts = overviewTexts;

/**
 * Returns the state of the lab in one sentence.
 * @param now the lab manager's time, in ms since the epoch
 */
export function labSentence(status: LabStatus, now: number): string {
  const { managers, total_managers: total } = status;
  if (total === 0 || managers.length === 0) return 'No manager is configured.';
  switch (status.state) {
    case 'maintenance':
      return 'The lab is in maintenance.';
    case 'starting':
      return `Starting: ${managers.filter(({ state }) => state !== 'unknown').length} of ${total} managers checked so far.`;
    case 'failed':
      return 'The lab manager’s service has failed.';
    case 'unknown':
      return texts.unknownLab;
    case 'healthy':
    case 'degraded':
    case 'down':
      return describeFailures(outsideMaintenance(status.managers, status.maintenance), now);
  }
}

/** Maximum number of named items; the others are counted. */
const maxNamed = 2;

/** Joins what is not in the sentence about the managers: `robotarm_1 in error and reader_1 unreachable`; empty without any. */
function joinHeadlines(needs: readonly Need[]): string {
  const headlines = needs.map(({ headline }) => headline).filter((headline) => headline !== '');
  return texts.conditions(headlines.slice(0, maxNamed), Math.max(0, headlines.length - maxNamed));
}

/**
 * Returns the lab's sentence with what else needs a person, which comes first while the managers are healthy. What was read
 * before its source stopped responding is marked as such.
 */
export function headingText(status: LabStatus, sentence: string, { current, stale }: LabNeeds): string {
  const [named, last] = [joinHeadlines(current), joinHeadlines(stale)];
  const text = status.state === 'healthy' && named !== '' ? `${named}. ${sentence}` : joinSentences(sentence, named);
  return last === '' ? text : `${text} ${last} (${texts.lastKnown}).`;
}

const joinSentences = (sentence: string, named: string) => (named === '' ? sentence : `${sentence} ${named}.`);

/**
 * Returns details for the heading: how many managers respond, which are slow, and since when the lab has its state. A lab
 * in a safety stop is stopped, as in the badge, and one that needs a person is not called healthy.
 */
export function labDetails(status: LabStatus, now: number, stop: LabStop | null, needs: readonly Need[]): string {
  if (status.total_managers === 0 || status.managers.length === 0) return '';
  const managers = outsideMaintenance(status.managers, status.maintenance);
  const total = managers.length;
  const maintenance = describeMaintenance(status.maintenance, now);
  const details: string[] = maintenance === '' ? [] : [maintenance];
  const unresponsiveCount = managers.filter(({ state }) => state === 'unreachable' || state === 'unknown').length;
  const hasFailure = managers.some(({ state }) => !countsAsHealthy(state));
  const slow = managers.filter(({ state }) => state === 'slow');
  if (hasFailure && unresponsiveCount < total)
    details.push(`${total - unresponsiveCount} of ${total} managers answer.`);
  if (hasFailure && slow.length > 0) details.push(`${describeSlow(slow)}.`);
  const from = parseTime(stop === null ? status.since : stop.at);
  const { label } = stop === null ? labAppearances[status.state] : nodeAppearances.stopped;
  const isInNeed = stop === null && status.state === 'healthy' && needs.length > 0;
  if (from !== null && !isInNeed) {
    details.push(`${label} since ${formatTime(from, now)}, ${formatAge(now - from)}.`);
  }
  const planned = describePlanned(status.planned_maintenance, now);
  if (planned !== '') details.push(planned);
  return details.join(' ');
}

function describeFailures(managers: readonly ManagerStatus[], now: number): string {
  const total = managers.length;
  const failing = managers.filter(({ state }) => !countsAsHealthy(state));
  const [first, ...others] = failing;
  if (first === undefined) return describeHealthy(managers, total);
  if (others.length === 0) return singleFailure(first, now);
  const unresponsiveCount = failing.filter(({ state }) => state === 'unreachable').length;
  if (unresponsiveCount === total) return `No response from any of the ${total} managers${sinceLatest(failing, now)}.`;
  const predicate = unresponsiveCount === failing.length ? 'don’t answer' : 'aren’t healthy';
  const list = failing.map(
    (manager) => `${managerName(manager.manager)}${stateSuffix(manager, unresponsiveCount === failing.length, now)}`,
  );
  return `${failing.length} of ${total} managers ${predicate}: ${list.join(', ')}.`;
}

function describeHealthy(managers: readonly ManagerStatus[], total: number): string {
  const slow = managers.filter(({ state }) => state === 'slow');
  if (slow.length === 0) return texts.allHealthy(total);
  return `All ${total} managers answer; ${describeSlow(slow)}.`;
}

/** Returns, for example, `Data is slow: answers in 1.9 s, usually 5 ms`. */
function describeSlow(slow: readonly ManagerStatus[]): string {
  const list = slow.map((manager) => {
    const reason = managerReason(manager, formatDuration);
    return texts.slowOne(managerName(manager.manager), reason === '' ? '' : `: ${reason}`);
  });
  return list.join('; ');
}

function singleFailure(manager: ManagerStatus, now: number): string {
  const reason = managerReason(manager, formatDuration);
  const label = managerAppearances[manager.state].label.toLowerCase();
  return texts.one(managerTitle(manager.manager), label, sinceText(manager, now), reason === '' ? '' : `: ${reason}`);
}

/** Returns ` since 14:02`, preceded by the state if the sentence does not contain it. */
function stateSuffix(manager: ManagerStatus, isStateNamed: boolean, now: number): string {
  return `${isStateNamed ? '' : ` ${managerAppearances[manager.state].label.toLowerCase()}`}${sinceText(manager, now)}`;
}

function sinceText(manager: ManagerStatus, now: number): string {
  const time = parseTime(manager.since);
  return time === null ? '' : texts.since(formatTime(time, now));
}

/** Returns ` since 14:02` with the latest time, since which no manager responds; empty if a time is unknown. */
function sinceLatest(managers: readonly ManagerStatus[], now: number): string {
  const failureTimes = managers.map((manager) => parseTime(manager.since)).filter((time) => time !== null);
  return failureTimes.length < managers.length ? '' : texts.since(formatTime(Math.max(...failureTimes), now));
}
