/** Names of workflows, by ID: of the active and the newest archived ones. */
import { createSharedComposable } from '@vueuse/core';
import { computed, ref } from 'vue';
import { newestCount } from './archive.ts';
import { useArchive } from './useArchive.ts';
import { useWorkflowRows } from './useWorkflowRows.ts';

export const useWorkflowNames = createSharedComposable(() => {
  const rows = useWorkflowRows(useArchive(ref(newestCount)));
  return computed<ReadonlyMap<string, string>>(() => new Map(rows.value.map(({ id, name }) => [id, name])));
});
