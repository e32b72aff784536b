/** Who holds a resource, by the manager's clock and the page's. */
import { useClock } from '../../base/clock.ts';
import { holderOf } from './holder.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';
import type { ResourceRow } from './resourceRow.ts';

export function useHolder(): (row: ResourceRow) => string | null {
  const time = useManagerTime('resource');
  const clock = useClock();
  return (row) => (row.lockedBy === null ? null : holderOf(row, time.at(row.lockedUntil), clock.value));
}
