/** The columns of a table as they are shown: chosen and drawn by this browser's user, folded and fitted by what rows say. */
import { useLocalStorage } from '@vueuse/core';
import { computed } from 'vue';
import {
  fittedWidths,
  grownWidths,
  foldedColumns,
  readChoice,
  readWidths,
  shownColumns,
  type ColumnChoice,
  type ColumnWidths,
  type LeveledRow,
} from './tableColumns.ts';
import type { Column } from './rows/tableRows.ts';

/**
 * @param name of the table, for what is remembered
 * @param rows that say what folds and how wide a column is; none where nobody knows all of them
 * @param lines of a tree: the rows that are shown, with their levels
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
  // As texts, so that a reading which changes none of it draws no row anew.
  const foldedText = computed(() => foldedColumns(columns(), rows()).join('\n'));
  const fittedText = computed(() => JSON.stringify(fittedWidths(columns(), rows())));
  const grownText = computed(() => JSON.stringify(grownWidths(columns(), lines())));
  const grown = computed<ColumnWidths>(() => readWidths(grownText.value));
  const chosenColumns = computed(() => shownColumns(columns(), choice.value));
  const folded = computed(() => foldedText.value.split('\n'));
  const visible = computed(() => chosenColumns.value.filter(({ key }) => !folded.value.includes(key)));
  const usedWidths = computed<ColumnWidths>(() => ({ ...readWidths(fittedText.value), ...widths.value }));
  return { choice, widths, chosenColumns, folded, visible, usedWidths, grown };
}
