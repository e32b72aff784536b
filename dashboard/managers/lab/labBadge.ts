/** The lab's state in a few words, as the tray shows it; and what changed, for those who listen. Pure. */
import type { LabStop } from '../../../api/safetyStop/labStop.ts';
import type { LabStatus, ManagerStatus } from '../../../api/lab/lab.ts';
import { outsideMaintenance } from '../../../api/lab/maintenance.ts';
import { managerName } from '../../../api/managers.ts';
import { countsAsHealthy, labLooks, managerLooks, nodeLooks, type StateLook } from '../../../api/states.ts';
import { labBadgeTexts } from './texts.ts';

interface Chip {
  readonly look: StateLook;
  readonly text: string;
}

/** Managers in maintenance don't count. `null` while the lab's state is unknown: what was healthy then says nothing now. */
export function managerCounts({ state, managers, maintenance }: LabStatus): {
  readonly healthy: number;
  readonly total: number;
  readonly inMaintenance: number;
} | null {
  if (state === 'unknown') return null;
  const counted = outsideMaintenance(managers, maintenance);
  const healthy = counted.filter((manager) => countsAsHealthy(manager.state)).length;
  return { healthy, total: counted.length, inMaintenance: managers.length - counted.length };
}

/**
 * `Stopped` after a safety stop, else `Healthy 6/6`, `Degraded 5/6`, `Unknown`; without a fresh answer nothing is claimed.
 */
export function labBadgeOf(status: LabStatus | undefined, stale: boolean, stop: LabStop | null = null): Chip {
  if (stop !== null) return { look: nodeLooks.stopped, text: nodeLooks.stopped.word };
  if (stale) return { look: labLooks.unknown, text: labBadgeTexts.noAnswer };
  if (status === undefined) return { look: labLooks.starting, text: labBadgeTexts.connecting };
  if (status.total_managers === 0) return { look: labLooks.unknown, text: labBadgeTexts.nothing };
  const look = labLooks[status.state];
  const counts = managerCounts(status);
  return { look, text: labBadgeTexts.count(look.word, counts?.healthy ?? 0, counts?.total ?? 0) };
}

/** A reason as the end of a sentence: without what the state's word already says, and without a full stop. */
export function managerReasonText(reason: string | null): string {
  return (reason ?? '')
    .replace(/^Failed to connect: /i, '')
    .replace(/\.\s*$/, '')
    .trim();
}

/** Why a manager is as it is, in a line; for a slow one also what is usual. */
export function managerReason(manager: ManagerStatus, formatDuration: (ms: number) => string): string {
  const { latency_ms: latency, usual_latency_ms: usual } = manager;
  if (manager.state === 'slow' && latency !== null && usual !== null && latency >= 1000) {
    return labBadgeTexts.answersIn(formatDuration(latency), formatDuration(usual));
  }
  return managerReasonText(manager.reason);
}

/** What changed between two answers, in sentences for the live region; empty when nothing did. */
export function changesBetween(before: LabStatus | undefined, after: LabStatus): string {
  if (before === undefined) return '';
  const states = new Map(before.managers.map(({ manager, state }) => [manager, state]));
  const sentences = outsideMaintenance(after.managers, after.maintenance)
    .filter(({ manager, state }) => states.has(manager) && states.get(manager) !== state)
    .map(({ manager, state, reason }) => {
      const word = managerLooks[state].word.toLowerCase();
      return labBadgeTexts.managerChanged(managerName(manager), word, managerReasonText(reason));
    });
  if (before.state !== after.state)
    sentences.push(labBadgeTexts.labChanged(labBadgeOf(after, false, after.safety_stop).text));
  return sentences.join(' ');
}
