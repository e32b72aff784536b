/** The names of nodes, managers, workcell, experiments and workflows, by the fields of an ownership. */
import { type ComputedRef, computed } from 'vue';
import { useExperimentNames } from '../experiment/experimentQueries.ts';
import { nodeNames } from '../workcell/nodeState.ts';
import { useNodes, useWorkcellState } from '../workcell/workcellQueries.ts';
import type { NameOfOwner } from './ownerText.ts';
import { createSharedComposable } from '@vueuse/core';
import { settingsEndpoint } from '../../../api/lab/service.ts';
import { type ManagerKey, managerKeys, managerTitle } from '../../../api/managers.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';

/** Another function after each answer, so that what is made with it is made anew. */
export function useOwnerNames(): ComputedRef<NameOfOwner> {
  const managers = useManagerIds();
  const nodes = useNodes();
  const state = useWorkcellState();
  const { names: experiments } = useExperimentNames();
  // As a text, so that a reading of the workcell which changes no name makes nothing anew.
  const nodeText = computed(() => JSON.stringify([...nodeNames(nodes.value)]));
  const workcell = computed(() => state.data.value?.workcell_info.name ?? '');
  return computed(() => {
    const byId = new Map(JSON.parse(nodeText.value) as [string, string][]);
    const [ids, known, own] = [managers.value, experiments.value, workcell.value];
    return (field, id) => {
      const manager = ids.get(id);
      switch (field) {
        case 'node_id':
          return byId.get(id) ?? '';
        case 'manager_id':
          return manager === undefined ? '' : componentName(manager);
        case 'workcell_id':
          return manager === 'workcell' ? own : '';
        case 'experiment_id':
          return known.get(id) ?? '';
        default:
          return '';
      }
    };
  });
}

/** `WorkcellManager`: as the managers call themselves in the log. */
const componentName = (manager: ManagerKey): string => managerTitle(manager).replace(' ', '');

const useManagerIds = createSharedComposable(() => {
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
