/** The text of the lab's state, as in the tray, and its changes for screen readers. */
import { listUnansweredNodes, type LabStop } from '#api/safetyStop/labStop.ts';
import type { LabStatus, ManagerStatus } from '#api/lab/lab.ts';
import { managerReasonText, needCountText, type Need } from '#api/lab/needs.ts';
import { outsideMaintenance } from '#api/lab/maintenance.ts';
import { managerTitle } from '#api/managers.ts';
import {
  countsAsHealthy,
  labAppearances,
  managerAppearances,
  nodeAppearances,
  type StateAppearance,
} from '#api/states.ts';
import { labBadgeTexts } from './texts.ts';

interface LabBadge {
  readonly appearance: StateAppearance;
  readonly text: string;
}

/**
 * Returns the numbers of managers, where those in maintenance don't count; `null` while the lab's state is unknown,
 * because earlier states are no longer valid.
 */
export function countManagers({ state, managers, maintenance }: LabStatus): {
  readonly healthy: number;
  readonly total: number;
  readonly maintenanceCount: number;
} | null {
  if (state === 'unknown') return null;
  const counted = outsideMaintenance(managers, maintenance);
  const healthy = counted.filter((manager) => countsAsHealthy(manager.state)).length;
  return { healthy, total: counted.length, maintenanceCount: managers.length - counted.length };
}

/**
 * Returns `2 need you`; `null` if nothing needs a person. The first item is the most urgent, and its badge is never gray, as
 * that of an unreachable node would be.
 */
export function makeNeedsBadge([first, ...others]: readonly Need[]): LabBadge | null {
  if (first === undefined) return null;
  const { appearance } = first;
  return {
    appearance: appearance.color === 'gone' ? { ...appearance, color: 'attention' } : appearance,
    text: needCountText(others.length + 1),
  };
}

/** Returns the badge of the page's title and icon: what needs a person, otherwise the state of the lab. */
export function makeTitleBadge(
  status: LabStatus | undefined,
  isStale: boolean,
  stop: LabStop | null,
  needs: readonly Need[],
): LabBadge {
  const badge = makeLabBadge(status, isStale, stop, needs.length > 0);
  if (stop !== null || isStale || status === undefined) return badge;
  return makeNeedsBadge(needs) ?? { ...badge, text: badge.appearance.label };
}

/**
 * Returns `Stopped` or `Stop not confirmed` after a safety stop, else `Managers 6/6`, `Starting 1/6`, `Unknown`; no state without a fresh response.
 * @param isInNeed whether something needs a person: then healthy managers are not shown in green
 */
export function makeLabBadge(
  status: LabStatus | undefined,
  isStale: boolean,
  stop: LabStop | null,
  isInNeed: boolean,
): LabBadge {
  if (stop !== null) {
    const { stopped } = nodeAppearances;
    return {
      appearance: stopped,
      text: listUnansweredNodes(stop).length > 0 ? 'Stop not confirmed' : stopped.label,
    };
  }
  if (isStale) return { appearance: labAppearances.unknown, text: labBadgeTexts.noAnswer };
  if (status === undefined) return { appearance: labAppearances.starting, text: 'Connecting' };
  if (status.total_managers === 0) return { appearance: labAppearances.unknown, text: 'No managers' };
  const appearance = labAppearances[status.state];
  const counts = countManagers(status);
  const isCounted = status.state === 'healthy' || status.state === 'degraded' || status.state === 'down';
  return {
    appearance: isInNeed && status.state === 'healthy' ? { ...appearance, color: 'waiting' } : appearance,
    text: labBadgeTexts.count(isCounted ? 'Managers' : appearance.label, counts?.healthy ?? 0, counts?.total ?? 0),
  };
}

/** Returns the reason for a manager's state in one line; for a slow one with its usual latency. */
export function managerReason(manager: ManagerStatus, formatDuration: (ms: number) => string): string {
  const { latency_ms: latency, usual_latency_ms: usual } = manager;
  if (manager.state === 'slow' && latency !== null && usual !== null && latency >= 1000) {
    const [now, normal] = [formatDuration(latency), formatDuration(usual)];
    // A manager that is always slow has no other usual latency.
    if (now !== normal) return `answers in ${now}, usually ${normal}`;
  }
  return managerReasonText(manager.reason);
}

/** Returns the changes between two responses as sentences for the live region; empty if there are none. */
export function describeChanges(previous: LabStatus | undefined, current: LabStatus): string {
  if (previous === undefined) return '';
  const states = new Map(previous.managers.map(({ manager, state }) => [manager, state]));
  const sentences = outsideMaintenance(current.managers, current.maintenance)
    .filter(({ manager, state }) => states.has(manager) && states.get(manager) !== state)
    .map(({ manager, state, reason }) => {
      const label = managerAppearances[state].label.toLowerCase();
      return labBadgeTexts.managerChanged(managerTitle(manager), label, managerReasonText(reason));
    });
  if (previous.state !== current.state) sentences.push(`Lab: ${labAppearances[current.state].label}.`);
  return sentences.join(' ');
}
