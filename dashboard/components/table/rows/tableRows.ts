/** What a table is told of its rows, and what a user chose to see of them. Pure. */

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** What it is sorted by; shown, searched and saved too, where nothing below says otherwise. Times: ms or ISO. */
  readonly value: (row: Row) => string | number | null;
  /** What people read, where that isn't the value itself. Searched and filtered by, and saved. */
  readonly text?: (row: Row) => string;
  /** What is saved, where that isn't what people read. */
  readonly csv?: (row: Row) => string | number | null;
  /** Saved as these columns instead, where one cell says two things: `3/7`. */
  readonly csvAs?: readonly { readonly title: string; readonly value: (row: Row) => string | number | null }[];
  /** Least width in rem; what space is left is shared in the same proportions. */
  readonly width?: number;
  readonly align?: 'start' | 'end';
  /** As wide as its longest text, so that none is cut: times. */
  readonly fits?: boolean;
  /** Takes free space up to its longest text before the other columns share the rest: names. */
  readonly grows?: boolean;
  /** Takes no room while no row says anything in it. */
  readonly foldsEmpty?: boolean;
  /** Not shown until it is chosen. The first column is always shown: it carries the link. */
  readonly hidden?: boolean;
  /** Where it says in a row what the next column would, at greater length: it takes that one's place too. */
  readonly covers?: { readonly key: string; readonly when: (row: Row) => boolean };
  /** `choice`: its values can be ticked, each with its count. */
  readonly filter?: 'choice';
}

export interface TableSort {
  readonly key: string;
  readonly descending: boolean;
}

/** What a user chose to see of a table; it can stand in an address (`tableQuery.ts`). */
export interface TableView {
  readonly search: string;
  /** `null`: in the order in which the rows came. */
  readonly sort: TableSort | null;
  /** Chosen texts by column; a column without any isn't filtered. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

export const wholeTable: TableView = { search: '', sort: null, filters: {} };

export interface Choice {
  readonly value: string;
  readonly count: number;
}

/** What a cell says. */
export function cellText<Row>(column: Column<Row>, row: Row): string {
  if (column.text !== undefined) return column.text(row);
  const value = column.value(row);
  return value === null ? '' : String(value);
}

export interface Cell<Row> {
  readonly column: Column<Row>;
  /** How many columns it takes. */
  readonly span: 1 | 2;
}

/** The cells of a row: one a column, but for those that another one covers. */
export function cellsOf<Row>(columns: readonly Column<Row>[], row: Row): Cell<Row>[] {
  const covers = (column: Column<Row> | undefined, next: Column<Row> | undefined): boolean =>
    column?.covers !== undefined && column.covers.key === next?.key && column.covers.when(row);
  return columns.flatMap((column, index) =>
    covers(columns[index - 1], column)
      ? []
      : [{ column, span: covers(column, columns[index + 1]) ? (2 as const) : (1 as const) }],
  );
}

/** The next step of a header: ascending, descending, as the rows came. */
export function nextSort(sort: TableSort | null, key: string): TableSort | null {
  if (sort?.key !== key) return { key, descending: false };
  return sort.descending ? null : { key, descending: true };
}

/** `indexes` with those of `kept` that exist, in order: the focused row stays on the page wherever one scrolls. */
export function withPinnedRows(indexes: readonly number[], stored: readonly number[], count: number): number[] {
  const all = new Set([...indexes, ...stored.filter((index) => index >= 0 && index < count)]);
  return [...all].toSorted((a, b) => a - b);
}
