/** The outages and maintenance windows in the shown span that the lab manager observed and has stored. */
import type { TimeRange } from '#dashboard/base/time.ts';
import { refDebounced } from '@vueuse/core';
import { computed, type Ref } from 'vue';
import { useLabHistory, useLabHistoryOver } from '#dashboard/managers/lab/labQueries.ts';
import { listOutages, findUnwatched, watchedSpans } from './outages.ts';

/**
 * Fixed windows in hours, so that moving the span does not change the query; the last is the retention of the history.
 */
const windows = [25, 8 * 24, 31 * 24, 90 * 24] as const;
const hour = 3_600_000;

export function useOutages(range: Ref<TimeRange>, now: Ref<number>) {
  const history = useLabHistory();
  const from = refDebounced(
    computed(() => range.value.from),
    600,
  );
  const hours = computed(
    () =>
      windows.find((windowHours) => now.value - windowHours * hour < from.value) ?? windows[windows.length - 1] ?? 25,
  );
  const pastHistory = useLabHistoryOver(() => hours.value);
  const outages = computed(() => listOutages(history.data.value, pastHistory.data.value, now.value));
  const watched = computed(() => watchedSpans(history.data.value, pastHistory.data.value));
  const unwatched = computed(() => findUnwatched(watched.value, range.value, now.value));
  return { outages, unwatched };
}
