/** The visible columns of a table: the declared defaults and the user's choice. */
import { useLocalStorage } from '@vueuse/core';
import { computed } from 'vue';
import { readRecord } from '../../base/displayChoices.ts';
import { getCellText, type Column } from './rows/tableRows.ts';

/** The user's changes to the default: key → shown. */
export type ColumnChoice = Readonly<Record<string, boolean>>;

const defaultWidth = 10;
/** The padding on both sides of a cell, in rem. */
export const cellPadding = 1;

/** The widths that the user set, in rem: key → width. */
export type ColumnWidths = Readonly<Record<string, number>>;

/** The limits of a column's width, in rem: a narrower one is unreadable, a wider one hides the others. */
const [minWidth, maxWidth] = [2, 60];

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isWidth = (value: unknown): value is number =>
  typeof value === 'number' && value >= minWidth && value <= maxWidth;

function clampWidth(width: number): number {
  return Math.min(maxWidth, Math.max(minWidth, width));
}

/** Returns the widths after a column was resized; `null` resets the column to its share of the space. */
export function setWidth(widths: ColumnWidths, key: string, width: number | null): ColumnWidths {
  const { [key]: _old, ...others } = widths;
  return width === null ? others : { ...others, [key]: clampWidth(width) };
}

export function getVisibleColumns<Row>(columns: readonly Column<Row>[], choice: ColumnChoice): Column<Row>[] {
  return columns.filter((column, index) => index === 0 || (choice[column.key] ?? column.hidden !== true));
}

/** Returns the keys of the columns that collapse because they are empty in every row. */
export function findCollapsedColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly string[] {
  if (rows.length === 0) return [];
  const isEmpty = (column: Column<Row>) => rows.every((row) => getCellText(column, row) === '');
  return columns.filter((column) => column.collapsesWhenEmpty === true && isEmpty(column)).map(({ key }) => key);
}

/** The width of a character in a cell and in a title, and of the sort arrow, in rem. Digits have equal widths. */
const characterWidth = 0.53;
const titleCharacterWidth = 0.43;
const sortArrowWidth = 1;

/** Returns the widths of the columns that fit their texts, in rem. */
export function computeFittedWidths<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): ColumnWidths {
  const fitted = columns.filter(({ fits }) => fits === true);
  return Object.fromEntries(
    fitted.map((column) => {
      const longest = rows.reduce((max, row) => Math.max(max, getCellText(column, row).length), 0);
      const width = Math.max(longest * characterWidth, column.title.length * titleCharacterWidth + sortArrowWidth);
      return [column.key, clampWidth(Math.ceil(width * 4) / 4)];
    }),
  );
}

/** A row with its level in a tree, from 1. */
export interface LeveledRow<Row> {
  readonly row: Row;
  readonly level: number | null;
}

/** The indent per level of a tree, and the width of its toggle, in rem; as in `objectTable.css`. */
const levelIndent = 1.25;

/** Returns the widths of the longest texts, up to which columns grow, in rem. */
export function computeGrowthWidths<Row>(
  columns: readonly Column<Row>[],
  rows: readonly LeveledRow<Row>[],
): ColumnWidths {
  const growing = columns.filter(({ grows }) => grows === true);
  return Object.fromEntries(
    growing.map((column) => {
      const width = rows.reduce((max, { row, level }) => {
        const indent = level === null || column !== columns[0] ? 0 : level * levelIndent;
        return Math.max(max, getCellText(column, row).length * characterWidth + indent);
      }, 0);
      return [column.key, clampWidth(Math.ceil(width * 4) / 4)];
    }),
  );
}

/** Returns the choice for exactly the checked `keys`; only differences from the default are stored. */
export function choiceFromKeys<Row>(columns: readonly Column<Row>[], keys: readonly string[]): ColumnChoice {
  return Object.fromEntries(
    columns.flatMap((column, index) => {
      const isShown = keys.includes(column.key);
      return index === 0 || isShown === (column.hidden !== true) ? [] : [[column.key, isShown] as const];
    }),
  );
}

/** Returns the `grid-template-columns` of header and rows, so that both have the same widths. */
export function formatGridColumns<Row>(
  columns: readonly Column<Row>[],
  widths: ColumnWidths = {},
  growthWidths: ColumnWidths = {},
): string {
  return columns
    .map(({ key, width = defaultWidth }) => {
      const userWidth = widths[key];
      if (userWidth !== undefined) return `${userWidth + cellPadding}rem`;
      const max = growthWidths[key];
      const share = max === undefined ? `${width}fr` : `${Math.max(width, max) + cellPadding}rem`;
      return `minmax(${width + cellPadding}rem, ${share})`;
    })
    .join(' ');
}

/** Returns the columns of a print, in which the widths are shares of the paper. */
export const formatPrintColumns = <Row>(columns: readonly Column<Row>[]): string =>
  columns.map(({ width = defaultWidth }) => `minmax(0, ${width}fr)`).join(' ');

/** Returns the minimum width of the table in rem. */
export function getMinTableWidth<Row>(columns: readonly Column<Row>[], widths: ColumnWidths = {}): number {
  return columns.reduce((sum, { key, width = defaultWidth }) => sum + (widths[key] ?? width) + cellPadding, 1);
}

/**
 * The visible columns of a table: selected and resized by the user, collapsed or fitted to the rows' content.
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
    { serializer: { read: (text) => readRecord(text, isBoolean), write: JSON.stringify } },
  );
  const widths = useLocalStorage<ColumnWidths>(
    `lab-manager.widths.${name}`,
    {},
    { serializer: { read: (text) => readRecord(text, isWidth), write: JSON.stringify } },
  );
  // Compared as strings, so that unchanged results don't render every row again.
  const collapsedText = computed(() => findCollapsedColumns(columns(), rows()).join('\n'));
  const fittedText = computed(() => JSON.stringify(computeFittedWidths(columns(), rows())));
  const grownText = computed(() => JSON.stringify(computeGrowthWidths(columns(), lines())));
  const growthWidths = computed<ColumnWidths>(() => JSON.parse(grownText.value) as ColumnWidths);
  const selectedColumns = computed(() => getVisibleColumns(columns(), choice.value));
  const collapsedColumns = computed(() => collapsedText.value.split('\n'));
  const visibleColumns = computed(() =>
    selectedColumns.value.filter(({ key }) => !collapsedColumns.value.includes(key)),
  );
  const usedWidths = computed<ColumnWidths>(() => ({
    ...(JSON.parse(fittedText.value) as ColumnWidths),
    ...widths.value,
  }));
  return { choice, widths, selectedColumns, collapsedColumns, visibleColumns, usedWidths, growthWidths };
}
