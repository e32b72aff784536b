/** The newest datapoints as far as they were asked for, or all of one workflow or experiment. */
import { computed, type ComputedRef } from 'vue';
import { dataApi, type Datapoint } from '../../../api/managers/data.ts';
import { datapointStamps } from '../../managers/data/datapoint.ts';
import { useManagerQuery } from '../../managers/transport/poll/managerQuery.ts';
import { pollingSchedule } from '../../managers/transport/poll/pollingSchedule.ts';
import { isWhole, nextCounts, type PageCounts } from '../../managers/transport/poll/newestPages.ts';
import { useClockFrom, useManagerTime } from '../../managers/transport/time/managerTime.ts';

/** What can be asked for; 0 is all. */
export const datapointCounts: PageCounts = [200, 1000, 5000, 0];

/** Whose datapoints; the manager picks them out. */
export interface Belonging {
  readonly kind: 'workflow' | 'experiment';
  readonly id: string;
}

export function useDatapoints(count: () => number, of: () => Belonging | null) {
  const time = useManagerTime('data');
  const newest = useManagerQuery(dataApi, 'getDatapoints', {
    polled: 'dataShown',
    input: () => (of() === null ? { number: count() } : null),
    // All of them are many, and old ones don't change.
    interval: () => (count() === datapointCounts[0] ? 0 : pollingSchedule.archiveFurtherBack),
  });
  const found = useManagerQuery(dataApi, 'queryDatapoints', {
    polled: 'dataShown',
    input: () => {
      const wanted = of();
      return wanted === null ? null : { body: { [`ownership_info.${wanted.kind}_id`]: wanted.id } };
    },
  });
  for (const live of [newest, found]) useClockFrom(time, live, datapointStamps, () => JSON.stringify([count(), of()]));
  const live = computed(() => (of() === null ? newest : found));
  const all: ComputedRef<readonly Datapoint[]> = computed(() => Object.values(live.value.data.value ?? {}));
  const whole = computed(() => of() !== null || isWhole(all.value.length, count()));
  return {
    live,
    all,
    time,
    whole,
    /** What can be asked for next. */
    more: computed(() => (whole.value ? [] : nextCounts(datapointCounts, count()))),
  };
}
