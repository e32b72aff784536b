/** What a table knows of its rows, read through its columns: each thing once, when it is first needed. Pure. */
import { cellText, type Column } from './tableRows.ts';
import type { TableData, Value } from './arrange.ts';

/**
 * Search texts by column set and row: a row that a fresh answer holds again isn't read again. Columns whose words
 * depend on something else (names that were looked up, the day) are made anew by their panel when that changes.
 */
const known = new WeakMap<object, WeakMap<object, string>>();

export function rowData<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): TableData {
  const memory = new Map<string, readonly Value[]>();
  const texts = new Map<string, readonly string[]>();
  let searched: readonly string[] | null = null;
  return {
    count: rows.length,
    searched: () => (searched ??= rows.map((row) => searchText(row, columns))),
    values: (key) => once(memory, key, () => rows.map((row) => find(columns, key)?.value(row) ?? null)),
    texts: (key) =>
      once(texts, key, () => {
        const column = find(columns, key);
        return rows.map((row) => (column === undefined ? '' : cellText(column, row)));
      }),
  };
}

/** All that a row can be found by, hidden columns too, in lower case. */
export function searchText<Row>(row: Row, columns: readonly Column<Row>[]): string {
  if (typeof row !== 'object' || row === null) return joined(row, columns);
  const memory = known.get(columns) ?? new WeakMap<object, string>();
  known.set(columns, memory);
  const text = memory.get(row) ?? joined(row, columns);
  memory.set(row, text);
  return text;
}

function joined<Row>(row: Row, columns: readonly Column<Row>[]): string {
  return columns
    .map((column) => {
      const text = cellText(column, row);
      const value = column.text === undefined ? null : column.value(row);
      // A number behind a text is an order (severity, ms), which nobody looks for.
      return typeof value === 'string' && value !== text ? `${text}\n${value}` : text;
    })
    .join('\n')
    .toLowerCase();
}

function find<Row>(columns: readonly Column<Row>[], key: string): Column<Row> | undefined {
  return columns.find((column) => column.key === key);
}

function once<T>(memory: Map<string, T>, key: string, make: () => T): T {
  const made = memory.get(key) ?? make();
  memory.set(key, made);
  return made;
}
