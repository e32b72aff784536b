/** The lab's locations, as one query shared by all consumers. */
import { createSharedComposable } from '@vueuse/core';
import { computed, type ComputedRef } from 'vue';
import { locationListApi, type Location } from '#api/managers/locationList.ts';
import type { LiveQuery } from '../../components/feedback/liveQuery.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';

/** The locations, for pages about them. */
export const useLocations = createSharedComposable((): LiveQuery<Location[]> =>
  useManagerQuery(locationListApi, 'getLocations', { schedule: 'locationsShown' }),
);

/** The locations for secondary information; not read until `isRequested` returns true. */
export function useBackgroundLocations(isRequested: () => boolean): ComputedRef<readonly Location[]> {
  const live = useManagerQuery(locationListApi, 'getLocations', {
    schedule: 'locations',
    input: () => (isRequested() ? {} : null),
  });
  return computed(() => live.data.value ?? []);
}
