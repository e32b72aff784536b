/** The visible columns of a table: selected and resized by the user, collapsed or fitted to the rows' content. */
import { useLocalStorage } from '@vueuse/core';
import { computed } from 'vue';
import {
  computeFittedWidths,
  computeGrowthWidths,
  findCollapsedColumns,
  readChoice,
  readWidths,
  getVisibleColumns,
  type ColumnChoice,
  type ColumnWidths,
  type LeveledRow,
} from './tableColumns.ts';
import type { Column } from './rows/tableRows.ts';

/**
 * @param name the table's name, for the storage keys
 * @param rows determine collapsed columns and fitted widths; empty if not all rows are known
 * @param lines of a tree: the shown rows with their levels
 */
export function useTableColumns<Row>(
  name: string,
  columns: () => readonly Column<Row>[],
  rows: () => readonly Row[],
  lines: () => readonly LeveledRow<Row>[] = () => rows().map((row) => ({ row, level: null })),
) {
  const choice = useLocalStorage<ColumnChoice>(
    `lab-manager.columns.${name}`,
    {},
    { serializer: { read: readChoice, write: JSON.stringify } },
  );
  const widths = useLocalStorage<ColumnWidths>(
    `lab-manager.widths.${name}`,
    {},
    { serializer: { read: readWidths, write: JSON.stringify } },
  );
  // Compared as strings, so that unchanged results don't render every row again.
  const collapsedText = computed(() => findCollapsedColumns(columns(), rows()).join('\n'));
  const fittedText = computed(() => JSON.stringify(computeFittedWidths(columns(), rows())));
  const grownText = computed(() => JSON.stringify(computeGrowthWidths(columns(), lines())));
  const growthWidths = computed<ColumnWidths>(() => readWidths(grownText.value));
  const selectedColumns = computed(() => getVisibleColumns(columns(), choice.value));
  const collapsedColumns = computed(() => collapsedText.value.split('\n'));
  const visibleColumns = computed(() =>
    selectedColumns.value.filter(({ key }) => !collapsedColumns.value.includes(key)),
  );
  const usedWidths = computed<ColumnWidths>(() => ({ ...readWidths(fittedText.value), ...widths.value }));
  return { choice, widths, selectedColumns, collapsedColumns, visibleColumns, usedWidths, growthWidths };
}
