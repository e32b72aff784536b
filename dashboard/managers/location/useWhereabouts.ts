/** What stands at a location, by the resources as they were read last. */
import { computed, type ComputedRef } from 'vue';
import type { Location } from '../../../api/managers/location.ts';
import { useResources } from '../resource/useResources.ts';
import { whereabouts, type Whereabouts } from './whereabouts.ts';

/** Another function after each answer, so that what is made with it is made anew. */
export function useWhereabouts(): ComputedRef<(location: Location) => Whereabouts> {
  const { live, index } = useResources();
  return computed(() => {
    const known = live.data.value === undefined ? null : index.value;
    return (location) => whereabouts(location, known);
  });
}
