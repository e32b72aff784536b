/** Works out what thousands of rows say before the first key is pressed in the search: in slices, while nothing else is. */
import { onScopeDispose, watch, type ComputedRef } from 'vue';
import type { Column } from '../../components/table/rows/tableRows.ts';
import type { WorkflowRow } from '../../managers/workcell/workflowRow.ts';

const slice = 200;

export function useWarmed(
  rows: ComputedRef<readonly WorkflowRow[]>,
  columns: ComputedRef<readonly Column<WorkflowRow>[]>,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  function go(from: number): void {
    const times = columns.value.find(({ key }) => key === 'submitted');
    for (const row of rows.value.slice(from, from + slice)) times?.value(row);
    if (from + slice < rows.value.length) timer = setTimeout(() => go(from + slice), 20);
  }
  watch(
    [rows, columns],
    () => {
      clearTimeout(timer);
      timer = setTimeout(() => go(0), 200);
    },
    { immediate: true },
  );
  onScopeDispose(() => clearTimeout(timer));
}
