/** The columns of a table and the user's view of it. */

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** The sort value; also displayed, searched and exported unless overridden below. Times: ms or ISO. */
  readonly value: (row: Row) => string | number | null;
  /** The displayed text, where it isn't the value itself. Also used for search, filters and export. */
  readonly text?: (row: Row) => string;
  /** The exported value, where it isn't the displayed text. */
  readonly csv?: (row: Row) => string | number | null;
  /** The unit of the exported values, which the heading of the file names. */
  readonly csvUnit?: string;
  /**
   * The exported columns, where one cell contains two values: `3/7`. With the key of another column of the table, it is
   * exported in place of that one.
   */
  readonly csvAs?: readonly {
    readonly key?: string;
    readonly title: string;
    readonly value: (row: Row) => string | number | null;
  }[];
  /** The minimum width in rem; the remaining space is shared in the same proportions. */
  readonly width?: number;
  readonly align?: 'start' | 'end';
  /** Whether the column is as wide as its longest text, so that none is truncated: times. */
  readonly fits?: boolean;
  /** Whether the column grows up to its longest text before the others share the remaining space: names. */
  readonly grows?: boolean;
  /** Whether the column collapses while it is empty in every row. */
  readonly collapsesWhenEmpty?: boolean;
  /** Hidden by default. The first column is always shown, because it contains the link. */
  readonly hidden?: boolean;
  /** When the cell already contains the next column's content, it spans both columns. */
  readonly covers?: { readonly key: string; readonly when: (row: Row) => boolean };
  /** `choice`: a checklist of its values, each with its count. */
  readonly filter?: 'choice';
}

export interface TableSort {
  readonly key: string;
  readonly descending: boolean;
}

/** The user's view of a table; it can be stored in an address (`tableQuery.ts`). */
export interface TableView {
  readonly search: string;
  /** `null`: the original order of the rows. */
  readonly sort: TableSort | null;
  /** The selected texts by column; a column without an entry isn't filtered. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

export const defaultView: TableView = { search: '', sort: null, filters: {} };

export interface Choice {
  readonly value: string;
  readonly count: number;
}

export function getCellText<Row>(column: Column<Row>, row: Row): string {
  if (column.text !== undefined) return column.text(row);
  const value = column.value(row);
  return value === null ? '' : String(value);
}

export interface Cell<Row> {
  readonly column: Column<Row>;
  readonly span: 1 | 2;
}

/** Returns the cells of a row: one per column, except for columns that another cell spans. */
export function createCells<Row>(columns: readonly Column<Row>[], row: Row): Cell<Row>[] {
  const covers = (column: Column<Row> | undefined, next: Column<Row> | undefined): boolean =>
    column?.covers !== undefined && column.covers.key === next?.key && column.covers.when(row);
  return columns.flatMap((column, index) =>
    covers(columns[index - 1], column)
      ? []
      : [{ column, span: covers(column, columns[index + 1]) ? (2 as const) : (1 as const) }],
  );
}

/** Returns the next sort order of a header: ascending, descending, unsorted. */
export function getNextSort(sort: TableSort | null, key: string): TableSort | null {
  if (sort?.key !== key) return { key, descending: false };
  return sort.descending ? null : { key, descending: true };
}

/**
 * Returns `indexes` with those of `pinned` that exist, sorted: the focused row stays rendered while the table scrolls.
 */
export function withPinnedRows(indexes: readonly number[], pinned: readonly number[], count: number): number[] {
  const all = new Set([...indexes, ...pinned.filter((index) => index >= 0 && index < count)]);
  return [...all].toSorted((a, b) => a - b);
}
