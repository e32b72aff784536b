/**
 * When experiments failed or were cancelled: the experiment manager records no time for it (only `end` does), but says it
 * in the log.
 */
import { computed, type ComputedRef } from 'vue';
import { eventApi } from '../../../api/managers/event.ts';
import { eventStamps } from '../event/eventText.ts';
import { endsOf } from './experimentEnds.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';
import { useClockFrom, useManagerTime } from '../transport/time/managerTime.ts';

const types = ['experiment_failed', 'experiment_cancelled'] as const;

/** @param wanted whether there are such experiments: nothing is asked before */
export function useExperimentEnds(wanted: () => boolean): ComputedRef<ReadonlyMap<string, number>> {
  const time = useManagerTime('event');
  const log = useManagerQuery(eventApi, 'queryEvents', {
    polled: 'experimentEnds',
    input: () =>
      wanted()
        ? { body: { $or: ['event_data.event_type', 'event_type'].map((field) => ({ [field]: { $in: types } })) } }
        : null,
  });
  useClockFrom(time, log, eventStamps);
  return computed(() => endsOf(Object.values(log.data.value ?? {}), time.at));
}
