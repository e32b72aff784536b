/** The holder of a resource's lock: MADSci keeps the name after the lock has ended. */
import type { ResourceRow } from './resourceRow.ts';
import { ulid } from 'ulid';
import { useClock } from '../../base/clock.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';

/**
 * Returns the holder; `null` if there is none any more. `until` in ms since the epoch; a lock with an unknown end counts.
 * Pure.
 */
export function holderOf(
  { lockedBy }: Pick<ResourceRow, 'lockedBy'>,
  until: number | null,
  now: number,
): string | null {
  return lockedBy !== null && (until === null || until > now) ? lockedBy : null;
}

const key = 'lab-manager.lock-holder';

/**
 * Returns the name that this browser uses for locks: one per browser, so that a later page can release the lock of a
 * closed one.
 */
export function lockHolder(): string {
  const known = localStorage.getItem(key);
  if (known !== null) return known;
  const holderName = `lab-manager-dashboard-${ulid()}`;
  localStorage.setItem(key, holderName);
  return holderName;
}

/** Returns a function for the holder of a resource, by the manager's clock and the page's. */
export function useHolder(): (row: ResourceRow) => string | null {
  const time = useManagerTime('resource');
  const clock = useClock();
  return (row) => (row.lockedBy === null ? null : holderOf(row, time.at(row.lockedUntil), clock.value));
}
