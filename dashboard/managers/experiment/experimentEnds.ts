/** When experiments failed or were cancelled, from the log. Pure. */
import { isObject } from '../../../api/client/wire.ts';
import type { Event } from '../../../api/managers/event.ts';
import { textOf } from '../event/eventText.ts';

/** The last moment of each experiment that is named, in ms since the epoch. */
export function endsOf(
  events: readonly Pick<Event, '_id' | 'event_data' | 'event_timestamp'>[],
  at: (stamp: string, id: string) => number | null,
): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const { _id, event_data: data, event_timestamp: stamp } of events) {
    const id = isObject(data) ? textOf(data['experiment_id']) : '';
    const time = at(stamp, _id);
    if (id !== '' && time !== null) ends.set(id, Math.max(time, ends.get(id) ?? time));
  }
  return ends;
}
