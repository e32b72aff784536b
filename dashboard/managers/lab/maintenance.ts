import type { MaintenanceSubject, Maintenance } from '../../../api/lab/lab.ts';
import { findMaintenance } from '../../../api/lab/maintenance.ts';
import { moment, parseTime } from '../../base/time.ts';
import { maintenanceTexts as texts } from './texts.ts';
import { useClock } from '../../base/clock.ts';
import { useLabHistory } from './labQueries.ts';

/** @param now in ms since the epoch */
export function maintenanceText(
  all: readonly Maintenance[] | undefined,
  kind: MaintenanceSubject['kind'],
  id: string,
  now: number,
): string {
  const until = parseTime(findMaintenance(all, kind, id)?.until);
  return until === null ? '' : texts.until(moment(until, now));
}

/** Returns `In maintenance: Data Manager until 16:00, robotarm_1 until 17:00.`; empty if nothing is in maintenance. */
export function maintenanceSentence(all: readonly Maintenance[] | undefined, now: number): string {
  const named = (all ?? []).map(({ name, until }) => {
    const at = parseTime(until);
    return at === null ? name : `${name} ${texts.until(moment(at, now))}`;
  });
  return named.length === 0 ? '' : texts.sentence(named);
}

/** Returns the end of an object's maintenance (`until 16:00`); empty if it isn't in maintenance. */
type MaintenanceText = (kind: MaintenanceSubject['kind'], id: string) => string;

/** The maintenance texts, from the lab manager's data. */
export function useMaintenance(): MaintenanceText {
  const history = useLabHistory();
  const now = useClock();
  return (kind, id) => maintenanceText(history.data.value?.maintenance, kind, id, now.value);
}
