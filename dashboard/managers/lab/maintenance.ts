/** The maintenance of managers and nodes as texts: what is in maintenance, until when, and what is planned. */
import type { MaintenanceSubject, Maintenance, PlannedMaintenance } from '#api/lab/lab.ts';
import { findMaintenance, formatRecurrence } from '#api/lab/maintenance.ts';
import { formatTime, parseTime } from '../../base/time.ts';
import { maintenanceTexts as texts } from './texts.ts';
import { useClock } from '../../base/clock.ts';
import { useLabHistory } from './labQueries.ts';

/**
 * Returns the end of an object's maintenance: `until 16:00`; empty if it isn't in maintenance.
 * @param now in ms since the epoch
 */
export function formatMaintenanceEnd(
  all: readonly Maintenance[] | undefined,
  kind: MaintenanceSubject['kind'],
  id: string,
  now: number,
): string {
  const until = parseTime(findMaintenance(all, kind, id)?.until);
  return until === null ? '' : texts.until(formatTime(until, now));
}

/** Returns `In maintenance: Data Manager until 16:00, robotarm_1 until 17:00.`; empty if nothing is in maintenance. */
export function describeMaintenance(all: readonly Maintenance[] | undefined, now: number): string {
  const descriptions = (all ?? []).map(({ name, until }) => {
    const end = parseTime(until);
    return end === null ? name : `${name} ${texts.until(formatTime(end, now))}`;
  });
  return descriptions.length === 0 ? '' : texts.sentence(descriptions);
}

/** Returns `Planned: Data Manager every Sun 02:00 for 1 h, next 8 Mar 02:00.`; empty if nothing is planned. */
export function describePlanned(all: readonly PlannedMaintenance[] | undefined, now: number): string {
  const [first, ...others] = all ?? [];
  const start = parseTime(first?.from);
  if (first === undefined || start === null) return '';
  const sentence = `Planned: ${first.name} ${formatRecurrence(first.every)}, next ${formatTime(start, now)}.`;
  return others.length === 0 ? sentence : `${sentence} ${texts.morePlanned(others.length)}`;
}

type FormatMaintenanceEnd = (kind: MaintenanceSubject['kind'], id: string) => string;

/** Returns a function for the end of an object's maintenance: `until 16:00`; empty if it isn't in maintenance. */
export function useMaintenanceEnd(): FormatMaintenanceEnd {
  const history = useLabHistory();
  const now = useClock();
  return (kind, id) => formatMaintenanceEnd(history.data.value?.maintenance, kind, id, now.value);
}
