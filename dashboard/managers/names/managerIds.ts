/** Which manager has which ID, by its settings: events and owners name managers by their IDs alone. */
import { createSharedComposable } from '@vueuse/core';
import { computed } from 'vue';
import { settingsEndpoint } from '../../../api/lab/service.ts';
import { managerKeys, managerTitle, type ManagerKey } from '../../../api/managers.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';

/** `WorkcellManager`: as the managers call themselves in the log. */
export const componentName = (manager: ManagerKey): string => managerTitle(manager).replace(' ', '');

export const useManagerIds = createSharedComposable(() => {
  const settings = managerKeys.map((server) => {
    // Only this endpoint: the whole tables of six managers would weigh on every page that names one.
    const api = { server, endpoints: { settings: settingsEndpoint } } as const;
    return [server, useManagerQuery(api, 'settings', { polled: 'managerSettings' })] as const;
  });
  return computed<ReadonlyMap<string, ManagerKey>>(
    () =>
      new Map(
        settings.flatMap(([manager, { data }]) => {
          const id = data.value?.settings['manager_id'];
          return typeof id === 'string' ? [[id, manager] as const] : [];
        }),
      ),
  );
});
