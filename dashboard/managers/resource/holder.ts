/** Who holds a resource: MADSci leaves the name of a lock that has ended in place. */
import type { ResourceRow } from './resourceRow.ts';
import { ulid } from 'ulid';
import { useClock } from '../../base/clock.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';

/** `null` where nobody does, or no longer. `until` in ms since the epoch; a lock whose end nobody knows counts. Pure. */
export function holderOf(
  { lockedBy }: Pick<ResourceRow, 'lockedBy'>,
  until: number | null,
  now: number,
): string | null {
  return lockedBy !== null && (until === null || until > now) ? lockedBy : null;
}

const key = 'lab-manager.lock-holder';

/** The name under which this browser takes locks: one a browser, so that a page that was closed can be released by the next. */
export function lockHolder(): string {
  const known = localStorage.getItem(key);
  if (known !== null) return known;
  const made = `lab-manager-dashboard-${ulid()}`;
  localStorage.setItem(key, made);
  return made;
}

/** Who holds a resource, by the manager's clock and the page's. */
export function useHolder(): (row: ResourceRow) => string | null {
  const time = useManagerTime('resource');
  const clock = useClock();
  return (row) => (row.lockedBy === null ? null : holderOf(row, time.at(row.lockedUntil), clock.value));
}
