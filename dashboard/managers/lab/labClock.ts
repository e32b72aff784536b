/** The lab manager's time: its own `now`, and what has passed here since. This machine's clock may be wrong. */
import { computed, type ComputedRef } from 'vue';
import { useClock } from '../../base/clock.ts';
import { parseTime } from '../../base/time.ts';
import { useLabHistory } from './labQueries.ts';

/** ms since the epoch. */
export function useLabClock(): ComputedRef<number> {
  const history = useLabHistory();
  const clock = useClock();
  return computed(() => {
    const stamp = parseTime(history.data.value?.now);
    const received = history.receivedAt.value;
    return stamp === null || received === null ? clock.value : stamp + Math.max(0, clock.value - received);
  });
}
