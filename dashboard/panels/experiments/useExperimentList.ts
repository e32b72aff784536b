/** The newest experiments as far as they were asked for: more on demand, all in the end. */
import { computed, type ComputedRef } from 'vue';
import { experimentApi, type Experiment } from '../../../api/managers/experiment.ts';
import type { Live } from '../../components/feedback/live.ts';
import { isWhole, nextCounts, type PageCounts } from '../../managers/transport/poll/newestPages.ts';
import { pollingSchedule } from '../../managers/transport/poll/pollingSchedule.ts';
import { useManagerQuery } from '../../managers/transport/poll/managerQuery.ts';

/** What can be asked for; 0 is all. */
export const experimentCounts: PageCounts = [200, 1000, 0];

interface ExperimentList {
  readonly live: Live<Experiment[]>;
  readonly whole: ComputedRef<boolean>;
  /** What can be asked for next. */
  readonly more: ComputedRef<readonly number[]>;
}

/** @param count how many are wanted, 0 for all */
export function useExperimentList(count: () => number): ExperimentList {
  const live = useManagerQuery(experimentApi, 'getExperiments', {
    polled: 'experimentsShown',
    input: () => ({ number: count() }),
    // All of them are many, and old ones hardly change.
    interval: () => (count() === experimentCounts[0] ? 0 : pollingSchedule.archiveFurtherBack),
  });
  const whole = computed(() => isWhole(live.data.value?.length ?? 0, count()));
  return { live, whole, more: computed(() => (whole.value ? [] : nextCounts(experimentCounts, count()))) };
}
