/** The visible columns of a table: chosen and resized by the user, collapsed and fitted to the rows' content. */
import { useLocalStorage } from '@vueuse/core';
import { computed } from 'vue';
import {
  fittedWidths,
  grownWidths,
  findCollapsedColumns,
  readChoice,
  readWidths,
  shownColumns,
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
  // Compared as texts, so that a read without changes renders no row again.
  const collapsedText = computed(() => findCollapsedColumns(columns(), rows()).join('\n'));
  const fittedText = computed(() => JSON.stringify(fittedWidths(columns(), rows())));
  const grownText = computed(() => JSON.stringify(grownWidths(columns(), lines())));
  const growthWidths = computed<ColumnWidths>(() => readWidths(grownText.value));
  const chosenColumns = computed(() => shownColumns(columns(), choice.value));
  const collapsedColumns = computed(() => collapsedText.value.split('\n'));
  const visible = computed(() => chosenColumns.value.filter(({ key }) => !collapsedColumns.value.includes(key)));
  const usedWidths = computed<ColumnWidths>(() => ({ ...readWidths(fittedText.value), ...widths.value }));
  return { choice, widths, chosenColumns, collapsedColumns, visible, usedWidths, growthWidths };
}
