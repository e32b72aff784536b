/** Locations that need attention: the resource can't be created, or an expired reservation blocks the location. */
import { isUnresolved, locationListApi, type Location } from '#api/managers/locationList.ts';
import { locationAppearances, resourceAppearances } from '#api/states.ts';
import { locationPage } from '../../base/objectPages.ts';
import type { AttentionItem } from '../panel.ts';
import { computed, type ComputedRef } from 'vue';
import { useMinuteClock } from '../../base/clock.ts';
import { isSettled } from '../../components/feedback/liveQuery.ts';
import { useManagerQuery } from '../../managers/transport/poll/managerQuery.ts';
import { useManagerTime } from '../../managers/transport/time/managerTime.ts';

/** Time in ms after which a reservation has expired whatever the time zone of its end. */
const expiryMarginMs = 24 * 60 * 60 * 1000;

/** @param parseStamp reads a time of the location manager, in ms since the epoch @param now in ms since the epoch */
export function createAttentionItems(
  locations: readonly Location[],
  parseStamp: (stamp: string | null | undefined) => number | null,
  now: number,
): readonly AttentionItem[] {
  return locations.flatMap((location): AttentionItem[] => {
    const { location_id: id, location_name: name, reservation } = location;
    const action = { label: 'Open location', to: locationPage(id) };
    const end = parseStamp(reservation?.expires ?? reservation?.end);
    const items: AttentionItem[] = [];
    if (isUnresolved(location)) {
      items.push({
        key: `location ${id}`,
        appearance: locationAppearances.unresolved,
        name,
        reason: `waits for a resource from the template ${location.resource_template_name ?? ''}`,
        since: null,
        action,
      });
    }
    if (end !== null && end + expiryMarginMs < now)
      items.push({
        key: `reservation ${id} ${end}`,
        appearance: resourceAppearances.locked,
        name,
        reason: 'its reservation has expired; no step that uses it starts until it is cleared',
        since: end,
        action,
      });
    return items;
  });
}

export function useLocationAttention(): ComputedRef<readonly AttentionItem[] | null> {
  const live = useManagerQuery(locationListApi, 'getLocations', { schedule: 'locations' });
  const time = useManagerTime('location');
  // Updated once a minute instead of at every tick.
  const minute = useMinuteClock();
  return computed(() =>
    isSettled(live) ? createAttentionItems(live.data.value ?? [], time.parseStamp, minute.value) : null,
  );
}
