/** The text of the lab's state, as in the tray, and its changes for screen readers. Pure. */
import type { LabStop } from '#api/safetyStop/labStop.ts';
import type { LabStatus, ManagerStatus } from '#api/lab/lab.ts';
import { listProblems } from '#api/lab/problems.ts';
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

/** Returns `2 problems`; `null` without current data, or if the badge of the managers shows all of them. */
export function makeProblemsBadge(status: LabStatus | undefined, isStale: boolean): LabBadge | null {
  const problems = status === undefined || isStale ? [] : listProblems(status);
  if (problems.every(({ kind }) => kind === 'manager')) return null;
  return { appearance: labAppearances.degraded, text: labBadgeTexts.problems(problems.length) };
}

/** Returns the state for the title and the icon of the page: problems before the healthy managers. */
export function makeTitleBadge(status: LabStatus | undefined, isStale: boolean, stop: LabStop | null = null): LabBadge {
  const problems = stop === null && status?.state === 'healthy' ? makeProblemsBadge(status, isStale) : null;
  return problems ?? makeLabBadge(status, isStale, stop);
}

/**
 * Returns `Stopped` after a safety stop, else `Healthy 6/6`, `Degraded 5/6`, `Unknown`; no state without a fresh
 * response.
 */
export function makeLabBadge(status: LabStatus | undefined, isStale: boolean, stop: LabStop | null = null): LabBadge {
  if (stop !== null) return { appearance: nodeAppearances.stopped, text: nodeAppearances.stopped.label };
  if (isStale) return { appearance: labAppearances.unknown, text: labBadgeTexts.noAnswer };
  if (status === undefined) return { appearance: labAppearances.starting, text: labBadgeTexts.connecting };
  if (status.total_managers === 0) return { appearance: labAppearances.unknown, text: labBadgeTexts.noManagers };
  const appearance = labAppearances[status.state];
  const counts = countManagers(status);
  // With other problems, the lab is not called healthy.
  const hasProblems = status.state === 'healthy' && listProblems(status).length > 0;
  const label = hasProblems ? labBadgeTexts.managers : appearance.label;
  return {
    appearance,
    text: labBadgeTexts.count(label, counts?.healthy ?? 0, counts?.total ?? 0),
  };
}

/** Returns a reason as the end of a sentence, without the part that repeats the state and without a full stop. */
export function managerReasonText(reason: string | null): string {
  return (reason ?? '')
    .replace(/^Failed to connect: /i, '')
    .replace(/\.\s*$/, '')
    .trim();
}

/** Returns the reason for a manager's state in one line; for a slow one with its usual latency. */
export function managerReason(manager: ManagerStatus, formatDuration: (ms: number) => string): string {
  const { latency_ms: latency, usual_latency_ms: usual } = manager;
  if (manager.state === 'slow' && latency !== null && usual !== null && latency >= 1000) {
    return labBadgeTexts.answersIn(formatDuration(latency), formatDuration(usual));
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
  if (previous.state !== current.state)
    sentences.push(labBadgeTexts.labChanged(makeLabBadge(current, false, current.safety_stop).text));
  return sentences.join(' ');
}
