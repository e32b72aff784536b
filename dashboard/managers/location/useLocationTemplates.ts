/** Templates of the location manager, as they were read last; 0.7 has none, and isn't asked. */
import { createSharedComposable } from '@vueuse/core';
import { computed } from 'vue';
import { locationApi } from '../../../api/managers/location.ts';
import { whyMissing } from '../../../api/version.ts';
import { useManagerVersion } from '../transport/clients.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';

export const useLocationTemplates = createSharedComposable(() => {
  const version = useManagerVersion('location');
  const missing = computed(() => whyMissing('locationTemplates', version.value));
  const input = () => (missing.value === null ? {} : null);
  const polled = 'locationTemplates';
  return {
    /** Why the lab has none; `null` where it may. */
    missing,
    locations: useManagerQuery(locationApi, 'getLocationTemplates', { polled, input }),
    representations: useManagerQuery(locationApi, 'getRepresentationTemplates', { polled, input }),
  };
});
