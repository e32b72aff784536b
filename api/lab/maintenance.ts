/** Finds the maintenance of a manager, a node or the lab. */
import { formatDuration } from '../time/durationText.ts';
import {
  weekdays,
  type MaintenanceSubject,
  type Maintenance,
  type PlannedMaintenance,
  type Recurrence,
} from './lab.ts';

/** The maintenance windows of a lab manager. */
export interface MaintenanceWindows {
  readonly current: readonly Maintenance[];
  /** The next window of each recurring maintenance, the earliest first. */
  readonly planned: readonly PlannedMaintenance[];
}
export const noMaintenanceWindows: MaintenanceWindows = { current: [], planned: [] };

/** Returns the windows that apply to a subject: its own and those of the whole lab. */
export function listMaintenance(
  windows: readonly Maintenance[] | undefined,
  kind: MaintenanceSubject['kind'],
  id: string,
): readonly Maintenance[] {
  return (windows ?? []).filter((window) => window.kind === 'lab' || (window.kind === kind && window.id === id));
}

/**
 * Returns the maintenance of the subject or of the whole lab; of several, the one that ends last. `null` if there is
 * none.
 */
export function findMaintenance(
  windows: readonly Maintenance[] | undefined,
  kind: MaintenanceSubject['kind'],
  id: string,
): Maintenance | null {
  const matching = listMaintenance(windows, kind, id);
  return matching.toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until))[0] ?? null;
}

/**
 * The key of a subject of maintenance or muting, as in the service's notifications: `manager data`, `node robotarm_1`,
 * `lab`.
 */
export function subjectKey({ kind, id }: MaintenanceSubject): string {
  return kind === 'lab' ? 'lab' : `${kind} ${id}`;
}

/** Returns the managers that are not in maintenance. */
export function outsideMaintenance<Manager extends { readonly manager: string }>(
  managers: readonly Manager[],
  all: readonly Maintenance[] | undefined,
): Manager[] {
  return managers.filter(({ manager }) => findMaintenance(all, 'manager', manager) === null);
}

/** Returns `every Sun 02:00 for 1 h`, `every day 03:30 for 45 min`. */
export function formatRecurrence({ days, at, minutes }: Recurrence): string {
  const dayText = days.length === weekdays.length ? 'day' : days.join(', ');
  return `every ${dayText} ${at} for ${formatDuration(minutes * 60_000)}`;
}
