/** Names of nodes, managers, workcell and experiments, by ownership field. */
import { type ComputedRef, computed } from 'vue';
import { useExperimentNames } from '../experiment/experimentQueries.ts';
import { nodeNamesById } from '../workcell/nodeState.ts';
import { useNodes, useWorkcellState } from '../workcell/workcellQueries.ts';
import type { OwnerNameLookup } from './ownerText.ts';
import { createSharedComposable } from '@vueuse/core';
import { settingsEndpoint } from '#api/lab/service.ts';
import { type ManagerKey, managerKeys, managerTitle } from '#api/managers.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';

/** Returns a lookup that is replaced when names change, so that computed values update. */
export function useOwnerNames(): ComputedRef<OwnerNameLookup> {
  const managers = useManagersById();
  const nodes = useNodes();
  const state = useWorkcellState();
  const { names: experiments } = useExperimentNames();
  // Compared as text, so that a read of the workcell without changed node names triggers no update.
  const nodeText = computed(() => JSON.stringify([...nodeNamesById(nodes.value)]));
  const workcellName = computed(() => state.data.value?.workcell_info.name ?? '');
  return computed(() => {
    const nodeNames = new Map(JSON.parse(nodeText.value) as [string, string][]);
    const [managersById, experimentNames, currentName] = [managers.value, experiments.value, workcellName.value];
    return (field, id) => {
      const manager = managersById.get(id);
      switch (field) {
        case 'node_id':
          return nodeNames.get(id) ?? '';
        case 'manager_id':
          return manager === undefined ? '' : componentName(manager);
        case 'workcell_id':
          return manager === 'workcell' ? currentName : '';
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

/** The managers by ID. */
const useManagersById = createSharedComposable(() => {
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
