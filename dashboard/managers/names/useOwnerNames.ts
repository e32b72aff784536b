/** Names of nodes, managers, workcell and experiments, by ownership field. */
import { type ComputedRef, computed } from 'vue';
import { useExperimentNames } from '../experiment/experimentQueries.ts';
import { nodeNamesById } from '../workcell/nodeState.ts';
import { useNodes, useWorkcellState } from '../workcell/workcellQueries.ts';
import type { OwnerNameLookup } from './ownerText.ts';
import { createSharedComposable } from '@vueuse/core';
import { settingsEndpoint } from '../../../api/lab/service.ts';
import { type ManagerKey, managerKeys, managerTitle } from '../../../api/managers.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';

/** Returns a new function after each response, so that computed values update. */
export function useOwnerNames(): ComputedRef<OwnerNameLookup> {
  const managers = useManagerIds();
  const nodes = useNodes();
  const state = useWorkcellState();
  const { names: experiments } = useExperimentNames();
  // Compared as text, so that a read of the workcell without changed names triggers no update.
  const nodeText = computed(() => JSON.stringify([...nodeNamesById(nodes.value)]));
  const workcell = computed(() => state.data.value?.workcell_info.name ?? '');
  return computed(() => {
    const byId = new Map(JSON.parse(nodeText.value) as [string, string][]);
    const [ids, experimentNames, workcellInfo] = [managers.value, experiments.value, workcell.value];
    return (field, id) => {
      const manager = ids.get(id);
      switch (field) {
        case 'node_id':
          return byId.get(id) ?? '';
        case 'manager_id':
          return manager === undefined ? '' : componentName(manager);
        case 'workcell_id':
          return manager === 'workcell' ? workcellInfo : '';
        case 'experiment_id':
          return experimentNames.get(id) ?? '';
        default:
          return '';
      }
    };
  });
}

/** Returns the manager's own name in the log: `WorkcellManager`. */
const componentName = (manager: ManagerKey): string => managerTitle(manager).replace(' ', '');

const useManagerIds = createSharedComposable(() => {
  const settings = managerKeys.map((server) => {
    // Only this endpoint, because the full tables of six managers would be loaded on every page that shows a manager's
    // name.
    const api = { server, endpoints: { settings: settingsEndpoint } } as const;
    return [server, useManagerQuery(api, 'settings', { schedule: 'managerSettings' })] as const;
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
