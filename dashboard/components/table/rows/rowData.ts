/** What a table knows of its rows, read through its columns: each thing once, when it is first needed. Pure. */
import { createArranger, searchTerms, type TableData, type Value } from './arrange.ts';
import { cellText, type Choice, type Column, type TableView } from './tableRows.ts';
import { nearestName } from '../../../../api/nearestName.ts';

/**
 * Search texts by column set and row: a row that a fresh answer holds again isn't read again. Columns whose words
 * depend on something else (names that were looked up, the day) are made anew by their panel when that changes.
 */
const searchTexts = new WeakMap<object, WeakMap<object, string>>();

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
  const memory = searchTexts.get(columns) ?? new WeakMap<object, string>();
  searchTexts.set(columns, memory);
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

/** Rows as a table shows them, for as long as neither they nor its columns change. */
interface ArrangedRows<Row> {
  /** The rows of a view, in its order. Without anything chosen it is the very same array. */
  readonly rowsOf: (view: TableView) => readonly Row[];
  /** A column's texts with how many rows the rest of the view leaves for each; chosen ones stay, even at none. */
  readonly choicesOf: (view: TableView, column: Column<Row>) => Choice[];
}

export function arranged<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): ArrangedRows<Row> {
  const arranger = createArranger(rowData(rows, columns));
  return {
    rowsOf: (view) => {
      const known = knownView(view, columns);
      return isWhole(known) ? rows : rowsAt(rows, arranger.arrange(known));
    },
    choicesOf: (view, { key }) => arranger.choices(knownView(view, columns), key),
  };
}

/** A view without what this table can't do: addresses are old, or somebody else's. */
export function knownView<Row>(view: TableView, columns: readonly Column<Row>[]): TableView {
  const filters = Object.entries(view.filters).filter(
    ([key, chosen]) => chosen.length > 0 && find(columns, key)?.filter !== undefined,
  );
  const sort = view.sort !== null && find(columns, view.sort.key) !== undefined ? view.sort : null;
  return { search: view.search, sort, filters: Object.fromEntries(filters) };
}

export function isWhole({ search, sort, filters }: TableView): boolean {
  return sort === null && searchTerms(search).length === 0 && Object.keys(filters).length === 0;
}

export function rowsAt<Row>(rows: readonly Row[], places: Uint32Array): Row[] {
  return Array.from(places, (place) => rows[place]).filter((row) => row !== undefined);
}

/** @param texts what the rows can be found by, in lower case @returns `null` where nothing is near */
export function suggestedSearch(search: string, texts: readonly string[]): string | null {
  const parts = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (parts.length === 0) return null;
  const known = new Set<string>();
  for (const text of texts) for (const word of text.split(/[^\p{L}\p{N}]+/u)) if (word !== '') known.add(word);
  const near = parts.map((word) => (texts.some((text) => text.includes(word)) ? word : nearestName(word, known)));
  const suggestion = near.every((word) => word !== null) ? near.join(' ') : null;
  return suggestion === null || suggestion === parts.join(' ') ? null : suggestion;
}
