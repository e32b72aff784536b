/** Names of the origins of datapoints, from the workcell manager and the experiment manager. */
import { computed, shallowRef, watch } from 'vue';
import type { Workflow } from '#api/managers/workflow.ts';
import { ManagerError } from '#api/client/managerError.ts';
import { useExperimentNames } from '../experiment/experimentQueries.ts';
import { nodeNamesById } from '../workcell/nodeState.ts';
import { useNodes, useWorkcell } from '../workcell/workcellQueries.ts';
import { findOriginNode, type OriginLookup } from './originNames.ts';
import type { Result } from './results.ts';

/** @param results the datapoints; the workflow of each is read by a separate request, so there must be only a few */
export function useOrigins(results: () => readonly Result[]): OriginLookup {
  const workcell = useWorkcell();
  /** `null`: the workcell manager doesn't have it. */
  const workflows = shallowRef<ReadonlyMap<string, Workflow | null>>(new Map());
  let isReading = false;

  /** Reads one workflow after the other, also those of datapoints that are added meanwhile. */
  async function readWorkflows(): Promise<void> {
    if (isReading) return;
    isReading = true;
    // Without the workflow, only the time identifies the datapoint. A failed read is repeated at the next change.
    const failed = new Set<string>();
    const isPending = (id: string): boolean => id !== '' && !workflows.value.has(id) && !failed.has(id);
    try {
      for (;;) {
        const id = results().find(({ workflow }) => isPending(workflow))?.workflow;
        const client = workcell.value?.queries;
        if (id === undefined || client === undefined) return;
        const workflow = await client.getWorkflow({ workflow_id: id }).catch((error: unknown) => {
          if (error instanceof ManagerError && error.status === 404) return null;
          failed.add(id);
        });
        if (workflow !== undefined) workflows.value = new Map([...workflows.value, [id, workflow]]);
      }
    } finally {
      isReading = false;
    }
  }
  watch(
    () => [
      results()
        .map(({ workflow }) => workflow)
        .join(),
      workcell.value?.address,
    ],
    () => void readWorkflows(),
    { immediate: true },
  );

  const { getExperimentName } = useExperimentNames();
  const nodes = useNodes();
  const names = computed(() => nodeNamesById(nodes.value));
  return {
    experimentName: ({ experiment, workflow }) => {
      const id = experiment || (workflows.value.get(workflow)?.ownership_info.experiment_id ?? '');
      return id === '' ? '' : getExperimentName(id);
    },
    nodeName: (result) => names.value.get(result.node) ?? findOriginNode(workflows.value.get(result.workflow), result),
  };
}
