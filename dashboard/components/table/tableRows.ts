/** What a table shows of its rows: found by words, filtered by choices, in order. Pure. */

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** What it is sorted by; shown, searched and saved too, where nothing below says otherwise. Times: ms or ISO. */
  readonly value: (row: Row) => string | number | null;
  /** What people read, where that isn't the value itself. Searched and filtered by, and saved. */
  readonly text?: (row: Row) => string;
  /** What is saved, where that isn't what people read. */
  readonly csv?: (row: Row) => string | number | null;
  /** Least width in rem; what space is left is shared in the same proportions. */
  readonly width?: number;
  readonly align?: 'start' | 'end';
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

/** The rows of a view, in its order. Without anything chosen it is the very same array. */
export function rowsOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[], view: TableView): readonly Row[] {
  return sorted(filtered(searched(rows, columns, view.search), columns, view.filters), columns, view.sort);
}

/** Every word of `search` must stand somewhere in the row, in whichever column, hidden ones too. */
function searched<Row>(rows: readonly Row[], columns: readonly Column<Row>[], search: string): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = columns.map((column) => searchText(column, row)).join('\n');
    return words.every((word) => text.includes(word));
  });
}

function searchText<Row>(column: Column<Row>, row: Row): string {
  const text = cellText(column, row);
  const value = column.text === undefined ? null : column.value(row);
  // A number behind a text is an order (severity, ms), which nobody looks for.
  return (typeof value === 'string' ? `${text}\n${value}` : text).toLowerCase();
}

function filtered<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  filters: TableView['filters'],
): readonly Row[] {
  const active = columns.flatMap((column) => {
    const chosen = column.filter === undefined ? undefined : filters[column.key];
    return chosen === undefined || chosen.length === 0 ? [] : [{ column, chosen: new Set(chosen) }];
  });
  if (active.length === 0) return rows;
  return rows.filter((row) => active.every(({ column, chosen }) => chosen.has(cellText(column, row))));
}

/** Numbers inside words count as numbers: step 2 before step 10. */
const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: TableSort | null): readonly Row[] {
  const column = columns.find(({ key }) => key === sort?.key);
  if (column === undefined || sort === null) return rows;
  const direction = sort.descending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, value: column.value(row) }));
  const rank = ranks(keyed.map(({ value }) => value));
  // Rows without a value stay last in both directions, and equal ones as they came.
  return keyed
    .map(({ row, value }) => ({ row, rank: value === null || value === '' ? null : (rank.get(value) ?? 0) }))
    .toSorted((a, b) => {
      if (a.rank === null || b.rank === null) return Number(a.rank === null) - Number(b.rank === null);
      return direction * (a.rank - b.rank);
    })
    .map(({ row }) => row);
}

/** The place of each distinct value; comparing words is slow, and most columns hold few. */
function ranks(values: readonly (string | number | null)[]): Map<string | number, number> {
  const distinct = [...new Set(values)].filter((value) => value !== null).toSorted(compared);
  const found = new Map<string | number, number>();
  let rank = 0;
  let before: string | number | undefined;
  for (const value of distinct) {
    if (before !== undefined && compared(before, value) !== 0) rank += 1;
    found.set(value, rank);
    before = value;
  }
  return found;
}

function compared(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1;
  return typeof b === 'number' ? 1 : order.compare(a, b);
}

/** The next step of a header: ascending, descending, as the rows came. */
export function nextSort(sort: TableSort | null, key: string): TableSort | null {
  if (sort?.key !== key) return { key, descending: false };
  return sort.descending ? null : { key, descending: true };
}

/** A column's values with how many rows the rest of the view leaves for each; chosen ones stay, even at none. */
export function choicesOf<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  view: TableView,
  column: Column<Row>,
): Choice[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(cellText(column, row), 0);
  for (const value of view.filters[column.key] ?? []) counts.set(value, 0);
  const others = Object.fromEntries(Object.entries(view.filters).filter(([key]) => key !== column.key));
  for (const row of filtered(searched(rows, columns, view.search), columns, others)) {
    const value = cellText(column, row);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => order.compare(a.value, b.value));
}
