/** The holder of a resource's lock: MADSci keeps the name after the lock has ended. */
import type { ResourceRow } from './resourceRow.ts';
import { ulid } from 'ulid';
import { useClock } from '../../base/clock.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';

/**
 * Returns the holder; `null` if there is none any more. `until` in ms since the epoch; a lock with an unknown end counts.
 */
export function getActiveLockHolder(
  { lockedBy }: Pick<ResourceRow, 'lockedBy'>,
  until: number | null,
  now: number,
): string | null {
  return lockedBy !== null && (until === null || until > now) ? lockedBy : null;
}

const storageKey = 'lab-manager.lock-holder';

/**
 * Returns the name that this browser uses for locks: one per browser, so that a later page can release the lock of a
 * closed one.
 */
export function getOwnLockHolder(): string {
  const stored = localStorage.getItem(storageKey);
  if (stored !== null) return stored;
  const holderName = `lab-manager-dashboard-${ulid()}`;
  localStorage.setItem(storageKey, holderName);
  return holderName;
}

/** Returns a function for the holder of a resource, by the manager's clock and the page's. */
export function useLockHolder(): (row: ResourceRow) => string | null {
  const time = useManagerTime('resource');
  const clock = useClock();
  return (row) =>
    row.lockedBy === null ? null : getActiveLockHolder(row, time.parseStamp(row.lockedUntil), clock.value);
}
