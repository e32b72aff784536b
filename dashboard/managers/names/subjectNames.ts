/** Names of the objects in events, by kind and ID; resources and locations are read only when one must be named. */
import { createSharedComposable } from '@vueuse/core';
import { computed, shallowReactive } from 'vue';
import { useExperimentNames } from '../experiment/experimentQueries.ts';
import type { Subject } from '../event/eventRow.ts';
import { useBackgroundLocations } from '../location/useLocations.ts';
import { useBackgroundResources } from '../resource/useResources.ts';
import { useWorkflowNames } from '../workcell/archive/useWorkflowRows.ts';
import { nodeNamesById } from '../workcell/nodeState.ts';
import { useNodes } from '../workcell/workcellQueries.ts';

/** `getSubjectName` returns an empty text if the name is unknown. */
export const useSubjectNames = createSharedComposable(() => {
  const requestedKinds = shallowReactive(new Set<Subject['kind']>());
  const workflows = useWorkflowNames();
  const nodes = useNodes();
  const { names: experiments } = useExperimentNames();
  const locations = useBackgroundLocations(() => requestedKinds.has('location'));
  const { index: resources } = useBackgroundResources(() => requestedKinds.has('resource'));
  const nodesById = computed(() => nodeNamesById(nodes.value));

  /** Requests the names of these subjects. */
  function request(subjects: readonly Subject[]): void {
    for (const { kind } of subjects) requestedKinds.add(kind);
  }
  function getSubjectName({ kind, id }: Subject): string {
    switch (kind) {
      case 'workflow':
        return workflows.value.get(id) ?? '';
      case 'experiment':
        return experiments.value.get(id) ?? '';
      case 'node':
        return nodesById.value.get(id) ?? '';
      case 'resource':
        return resources.value.byId.get(id)?.name ?? '';
      case 'location':
        return locations.value.find((location) => location.location_id === id)?.location_name ?? '';
    }
  }
  return { request, getSubjectName };
});
