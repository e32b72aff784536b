/** All known workflows as rows: active ones live, archived ones as last read. */
import { type ComputedRef, computed, ref, shallowRef, watch } from 'vue';
import type { Workflow } from '#api/managers/workflow.ts';
import {
  useActiveWorkflows,
  useCurrentWorkflows,
  useNewestWorkflows,
  useNodes,
  useWorkcell,
} from '../workcellQueries.ts';
import { hasEnded } from '../workflowState.ts';
import { reuseRows, mergeRows, newestCount } from './archive.ts';
import { type Archive, useArchive } from './useArchive.ts';
import { toWorkflowRow, withNodeState, type WorkflowRow } from '../workflowRow.ts';
import { createSharedComposable } from '@vueuse/core';

/** Exceeds the number of workflows that end between two reads of the archive. */
const maxEnded = 200;

export function useWorkflowRows(archive: Archive): ComputedRef<readonly WorkflowRow[]> {
  const current = useCurrentWorkflows();
  const ended = useEndedWorkflows();
  const nodes = useNodes();
  rereadArchiveOnce(archive);
  let previousRows: readonly WorkflowRow[] = [];
  return computed(() => {
    const sources = [
      current.value.map(toWorkflowRow),
      ended.value.map(toWorkflowRow),
      archive.newest.data.value?.rows ?? [],
      archive.lastRead.value?.rows ?? [],
    ];
    const rows = mergeRows(...sources.map((source) => source.map((row) => withNodeState(row, nodes.value))));
    previousRows = reuseRows(previousRows, rows);
    return previousRows;
  });
}

/**
 * Reads the archive again after the first responses of both lists, because a workflow that ended between the two is in
 * neither.
 */
function rereadArchiveOnce({ newest }: Archive): void {
  const active = useActiveWorkflows();
  const stop = watch([active.receivedAt, newest.receivedAt], ([activeAt, archiveAt]) => {
    if (activeAt === null || archiveAt === null || activeAt <= archiveAt) return;
    stop();
    newest.retry();
  });
}

/**
 * Returns the workflows that are no longer active but not in the archive yet, which is read rarely. A workflow whose end
 * is not in the last response is read once more, and keeps its last known state meanwhile: the archive may still contain
 * an earlier end, from before a retry.
 */
function useEndedWorkflows(): ComputedRef<readonly Workflow[]> {
  const active = useActiveWorkflows();
  const newest = useNewestWorkflows();
  const connection = useWorkcell();
  const ended = shallowRef<ReadonlyMap<string, Workflow>>(new Map());

  const updateEnded = (changed: readonly (readonly [string, Workflow | null])[]): void => {
    const next = new Map(ended.value);
    for (const [id, workflow] of changed) {
      next.delete(id);
      if (workflow !== null) next.set(id, workflow);
    }
    ended.value = new Map([...next].slice(0 - maxEnded));
  };
  async function readEnd(lastKnown: Workflow): Promise<void> {
    const { workflow_id: id } = lastKnown;
    // If the request fails, the archive's next read contains the end.
    const workflow = await connection.value?.queries.getWorkflow({ workflow_id: id }).catch(() => undefined);
    if (ended.value.get(id) !== lastKnown) return;
    updateEnded([[id, workflow !== undefined && hasEnded(workflow) ? workflow : null]]);
  }
  // Discards the state of another workcell.
  watch(
    () => connection.value?.address,
    () => (ended.value = new Map()),
  );
  watch(active.data, (now, previous) => {
    const missing = Object.entries(previous ?? {})
      .filter(([id]) => now !== undefined && !(id in now))
      .map(([id, workflow]) => newest.find(id) ?? workflow);
    const activeAgain = Object.keys(now ?? {}).filter((id) => ended.value.has(id));
    updateEnded([
      ...missing.map((workflow) => [workflow.workflow_id, workflow] as const),
      ...activeAgain.map((id) => [id, null] as const),
    ]);
    for (const workflow of missing) if (!hasEnded(workflow)) void readEnd(workflow);
  });
  return computed(() => [...ended.value.values()]);
}

/** Names of workflows by ID: the active ones and the newest archived ones. */
export const useWorkflowNames = createSharedComposable(() => {
  const rows = useWorkflowRows(useArchive(ref(newestCount)));
  return computed<ReadonlyMap<string, string>>(() => new Map(rows.value.map(({ id, name }) => [id, name])));
});
