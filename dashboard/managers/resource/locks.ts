/** Who holds a resource, by the manager's clock and the page's. */
import { useClock } from '../../base/clock.ts';
import { holderOf } from './holder.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';
import type { ResourceRow } from './resourceRow.ts';
import { ulid } from 'ulid';

export function useHolder(): (row: ResourceRow) => string | null {
  const time = useManagerTime('resource');
  const clock = useClock();
  return (row) => (row.lockedBy === null ? null : holderOf(row, time.at(row.lockedUntil), clock.value));
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
