/** What of the locations needs a person, as they were read last. */
import { computed, type ComputedRef } from 'vue';
import { useMinuteClock } from '../../base/clock.ts';
import { useLocationsBeside } from '../../managers/location/useLocations.ts';
import { useManagerTime } from '../../managers/transport/time/managerTime.ts';
import type { AttentionItem } from '../panel.ts';
import { locationItems } from './attention.ts';

export function useLocationAttention(): ComputedRef<readonly AttentionItem[]> {
  const locations = useLocationsBeside(() => true);
  const time = useManagerTime('location');
  // Made anew once a minute, not with each tick.
  const minute = useMinuteClock();
  return computed(() => locationItems(locations.value, time.at, minute.value));
}
