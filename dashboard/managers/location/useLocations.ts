/** The lab's locations, read once for everybody who shows them. */
import { createSharedComposable } from '@vueuse/core';
import { computed, type ComputedRef } from 'vue';
import { locationListApi, type Location } from '../../../api/managers/locationList.ts';
import type { Live } from '../../components/feedback/live.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';

/** For a page that shows them. */
export const useLocations = createSharedComposable((): Live<Location[]> =>
  useManagerQuery(locationListApi, 'getLocations', { polled: 'locationsShown' }),
);

/** For what is said of them beside other things; nothing is read until `wanted`. */
export function useBackgroundLocations(requested: () => boolean): ComputedRef<readonly Location[]> {
  const live = useManagerQuery(locationListApi, 'getLocations', {
    polled: 'locations',
    input: () => (requested() ? {} : null),
  });
  return computed(() => live.data.value ?? []);
}
