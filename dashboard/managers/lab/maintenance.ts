import type { MaintenanceSubject, Maintenance } from '../../../api/lab/lab.ts';
import { findMaintenance } from '../../../api/lab/maintenance.ts';
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

type MaintenanceText = (kind: MaintenanceSubject['kind'], id: string) => string;

/** Returns a function for the end of an object's maintenance: `until 16:00`; empty if it isn't in maintenance. */
export function useMaintenance(): MaintenanceText {
  const history = useLabHistory();
  const now = useClock();
  return (kind, id) => formatMaintenanceEnd(history.data.value?.maintenance, kind, id, now.value);
}
