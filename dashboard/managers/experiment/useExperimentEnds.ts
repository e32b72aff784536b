/**
 * The times at which experiments failed or were cancelled: the experiment manager stores no end for these (only for
 * `end`), but logs an event.
 */
import { computed, type ComputedRef } from 'vue';
import { eventApi, type Event } from '#api/managers/event.ts';
import { dayMs, asText } from '../event/eventText.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';
import { isObject } from '#api/client/wire.ts';

const types = ['experiment_failed', 'experiment_cancelled'] as const;

/** @param since the earliest possible end, ms since the epoch; `null`: there is none, and no request is sent */
export function useExperimentEnds(since: () => number | null): ComputedRef<ReadonlyMap<string, number>> {
  const time = useManagerTime('event');
  /** Rounded to days, so that the query stays the same. */
  const from = computed(() => {
    const first = since();
    if (first === null) return null;
    return time.queryStart(Math.floor(first / dayMs) * dayMs);
  });
  const log = useManagerQuery(eventApi, 'queryEvents', {
    schedule: 'experimentEnds',
    input: () =>
      from.value === null
        ? null
        : {
            body: {
              event_timestamp: { $gte: from.value },
              $or: ['event_data.event_type', 'event_type'].map((field) => ({ [field]: { $in: types } })),
            },
          },
  });
  return computed(() => latestEnds(Object.values(log.data.value ?? {}), time.parseStamp));
}

/** Returns the latest event time of each experiment, in ms since the epoch. */
export function latestEnds(
  events: readonly Pick<Event, '_id' | 'event_data' | 'event_timestamp'>[],
  parseStamp: (stamp: string, id: string) => number | null,
): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const { _id, event_data: data, event_timestamp: stamp } of events) {
    const id = isObject(data) ? asText(data['experiment_id']) : '';
    const time = parseStamp(stamp, _id);
    if (id !== '' && time !== null) ends.set(id, Math.max(time, ends.get(id) ?? time));
  }
  return ends;
}
