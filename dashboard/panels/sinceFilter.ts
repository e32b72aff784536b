/** Filters a list by age, with the choice in the query string. */
import { currentTime } from '../base/clock.ts';
import { computed, ref, watch, type ComputedRef, type WritableComputedRef } from 'vue';
import { useRoute } from 'vue-router';
import { useQueryPatch } from '../components/page/pageQuery.ts';

const hour = 3_600_000;
const lengthsMs = { day: 24 * hour, week: 7 * 24 * hour, month: 30 * 24 * hour } as const;
export type Since = 'all' | keyof typeof lengthsMs;

const sinceTexts = {
  all: 'All times',
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
} as const satisfies Readonly<Record<Since, string>>;

export const sinceChoices = (['all', 'day', 'week', 'month'] as const).map((key) => ({ key, title: sinceTexts[key] }));

/** Returns the start of the range in ms since the epoch; `null` if it is unlimited. */
export function rangeStart(since: Since, selectedAt: number): number | null {
  return since === 'all' ? null : selectedAt - lengthsMs[since];
}

/** Returns whether a time is in the range; an item without a time is only in "all". */
export function isInRange(at: number | null, start: number | null): boolean {
  return start === null || (at !== null && at >= start);
}

interface SelectedSince {
  readonly since: WritableComputedRef<Since>;
  /** Start of the range, ms since the epoch; `null` if unlimited. */
  readonly begin: ComputedRef<number | null>;
}

/** Returns the selected range, which the query string stores, and its start. */
export function useSince(): SelectedSince {
  const route = useRoute();
  const change = useQueryPatch();
  const since = computed<Since>({
    get: () => sinceChoices.find(({ key }) => key === route.query['since'])?.key ?? 'all',
    set: (next) => change({ since: next === 'all' ? undefined : next }),
  });
  // The range starts from the time of selection, so that rows do not disappear while the list is open.
  const selectedAt = ref(currentTime());
  watch(since, () => (selectedAt.value = currentTime()));
  return { since, begin: computed(() => rangeStart(since.value, selectedAt.value)) };
}

/** The range "last night", which panels offer as a button. */
export const lastNightTexts = {
  title: 'Last night',
  hint: 'From 18:00 yesterday to 08:00 today',
} as const;

/** Returns the range from 18:00 yesterday to 08:00 today in local time, when a lab is usually unattended. */
export function lastNight(now: number): { readonly from: number; readonly to: number } {
  const today = new Date(now);
  const [year, month, date] = [today.getFullYear(), today.getMonth(), today.getDate()];
  return { from: new Date(year, month, date - 1, 18).getTime(), to: new Date(year, month, date, 8).getTime() };
}
