/** The resource manager's clients. */
import { createSharedComposable } from '@vueuse/core';
import { resourceApi } from '../../../api/managers/resource.ts';
import { useConnection } from '../transport/clients.ts';

export const useResourceManager = createSharedComposable(() => useConnection(resourceApi));
