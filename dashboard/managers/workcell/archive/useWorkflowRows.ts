/** All known workflows as rows: active ones live, archived ones as last read. */
import { type ComputedRef, computed, ref, shallowRef, watch } from 'vue';
import type { Workflow } from '../../../../api/managers/workflow.ts';
import { useActiveWorkflows, useCurrentWorkflows, useNodes, useWorkcell } from '../workcellQueries.ts';
import { hasEnded } from '../workflowState.ts';
import { reuseRows, mergeRows, newestCount } from './archive.ts';
import { type Archive, useArchive } from './useArchive.ts';
import { rowOf, rowWith, type WorkflowRow } from '../workflowRow.ts';
import { createSharedComposable } from '@vueuse/core';

/** More than the workflows that end between two reads of the archive. */
const maxLeft = 200;

export function useWorkflowRows(archive: Archive): ComputedRef<readonly WorkflowRow[]> {
  const current = useCurrentWorkflows();
  const left = useLeft();
  const nodes = useNodes();
  readOnceMore(archive);
  let before: readonly WorkflowRow[] = [];
  return computed(() => {
    const sources = [
      current.value.map(rowOf),
      left.value.map(rowOf),
      archive.newest.data.value?.rows ?? [],
      archive.read.value?.rows ?? [],
    ];
    const rows = mergeRows(...sources.map((source) => source.map((row) => rowWith(row, nodes.value))));
    before = reuseRows(before, rows);
    return before;
  });
}

/**
 * A workflow that ended between the first responses of the two lists is in neither, so the archive is read again after
 * both.
 */
function readOnceMore({ newest }: Archive): void {
  const active = useActiveWorkflows();
  const stop = watch([active.receivedAt, newest.receivedAt], ([activeAt, archiveAt]) => {
    if (activeAt === null || archiveAt === null || activeAt <= archiveAt) return;
    stop();
    newest.retry();
  });
}

/**
 * Workflows that are no longer active: the archive is read rarely and doesn't contain them until then. One whose end was
 * not seen is read once more separately.
 */
function useLeft(): ComputedRef<readonly Workflow[]> {
  const active = useActiveWorkflows();
  const connection = useWorkcell();
  const left = shallowRef<ReadonlyMap<string, Workflow>>(new Map());

  const set = (changed: readonly (readonly [string, Workflow | null])[]): void => {
    const next = new Map(left.value);
    for (const [id, workflow] of changed) {
      next.delete(id);
      if (workflow !== null) next.set(id, workflow);
    }
    left.value = new Map([...next].slice(0 - maxLeft));
  };
  async function readEnd(id: string): Promise<void> {
    try {
      const workflow = await connection.value?.queries.getWorkflow({ workflow_id: id });
      if (workflow !== undefined && hasEnded(workflow)) set([[id, workflow]]);
    } catch {
      // The archive's next read contains it.
    }
  }
  // Discards the state of another workcell.
  watch(
    () => connection.value?.address,
    () => (left.value = new Map()),
  );
  watch(active.data, (now, before) => {
    const missing = Object.entries(before ?? {}).filter(([id]) => now !== undefined && !(id in now));
    const back = Object.keys(now ?? {}).filter((id) => left.value.has(id));
    set([
      ...missing.flatMap(([id, workflow]) => (hasEnded(workflow) ? [[id, workflow] as const] : [])),
      ...back.map((id) => [id, null] as const),
    ]);
    for (const [id, workflow] of missing) if (!hasEnded(workflow)) void readEnd(id);
  });
  return computed(() => [...left.value.values()]);
}

/** Names of workflows by ID: the active ones and the newest archived ones. */
export const useWorkflowNames = createSharedComposable(() => {
  const rows = useWorkflowRows(useArchive(ref(newestCount)));
  return computed<ReadonlyMap<string, string>>(() => new Map(rows.value.map(({ id, name }) => [id, name])));
});
