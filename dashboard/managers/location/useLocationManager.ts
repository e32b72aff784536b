/** The location manager's clients. */
import { createSharedComposable } from '@vueuse/core';
import { locationApi } from '../../../api/managers/location.ts';
import { useConnection } from '../transport/clients.ts';

export const useLocationManager = createSharedComposable(() => useConnection(locationApi));
