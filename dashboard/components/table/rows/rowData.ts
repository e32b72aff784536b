/** The data of a table's rows, read through its columns: each value once, on first use. */
import { searchTerms } from '#dashboard/base/texts.ts';
import { createArranger, type TableData, type Value } from './arrange.ts';
import { getCellText, type Choice, type Column, type TableView } from './tableRows.ts';
import { findNearestName } from '#api/nearestName.ts';

/**
 * Search texts by column set and row, so that an unchanged row of a new response isn't read again. Panels create new
 * columns when something else that determines the texts changes (resolved names, the day).
 */
const searchTexts = new WeakMap<object, WeakMap<object, string>>();

export function createTableData<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): TableData {
  const valuesByColumn = new Map<string, readonly Value[]>();
  const textsByColumn = new Map<string, readonly string[]>();
  let cachedSearchTexts: readonly string[] | null = null;
  return {
    count: rows.length,
    searchTexts: () => (cachedSearchTexts ??= rows.map((row) => getSearchText(row, columns))),
    values: (key) =>
      memoize(valuesByColumn, key, () => rows.map((row) => findColumn(columns, key)?.value(row) ?? null)),
    texts: (key) =>
      memoize(textsByColumn, key, () => {
        const column = findColumn(columns, key);
        return rows.map((row) => (column === undefined ? '' : getCellText(column, row)));
      }),
  };
}

/** Returns all searchable text of a row, hidden columns included, in lower case. */
export function getSearchText<Row>(row: Row, columns: readonly Column<Row>[]): string {
  if (typeof row !== 'object' || row === null) return joinTexts(row, columns);
  const textsByRow = searchTexts.get(columns) ?? new WeakMap<object, string>();
  searchTexts.set(columns, textsByRow);
  const text = textsByRow.get(row) ?? joinTexts(row, columns);
  textsByRow.set(row, text);
  return text;
}

function joinTexts<Row>(row: Row, columns: readonly Column<Row>[]): string {
  return columns
    .map((column) => {
      const text = getCellText(column, row);
      const value = column.text === undefined ? null : column.value(row);
      // A number behind a text is only a sort key (severity, ms) and isn't searched.
      return typeof value === 'string' && value !== text ? `${text}\n${value}` : text;
    })
    .join('\n')
    .toLowerCase();
}

function findColumn<Row>(columns: readonly Column<Row>[], key: string): Column<Row> | undefined {
  return columns.find((column) => column.key === key);
}

function memoize<T>(memory: Map<string, T>, key: string, compute: () => T): T {
  const value = memory.get(key) ?? compute();
  memory.set(key, value);
  return value;
}

/** The rows of a table, valid as long as neither the rows nor the columns change. */
interface ArrangedRows<Row> {
  /** Returns the rows of a view, in its order; the same array for the default view. */
  readonly selectRows: (view: TableView) => readonly Row[];
  /** Returns the choices of a column, as `Arranger.getChoices`. */
  readonly getChoices: (view: TableView, column: Column<Row>) => Choice[];
}

export function arrangeRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): ArrangedRows<Row> {
  const arranger = createArranger(createTableData(rows, columns));
  return {
    selectRows: (view) => {
      const supported = toSupportedView(view, columns);
      return isDefaultView(supported) ? rows : pickRows(rows, arranger.arrange(supported));
    },
    getChoices: (view, { key }) => arranger.getChoices(toSupportedView(view, columns), key),
  };
}

/** Returns the view without filters and sort orders that the table doesn't support, for instance from an old link. */
export function toSupportedView<Row>(view: TableView, columns: readonly Column<Row>[]): TableView {
  const filters = Object.entries(view.filters).filter(
    ([key, selectedValues]) => selectedValues.length > 0 && findColumn(columns, key)?.filter !== undefined,
  );
  const sort = view.sort !== null && findColumn(columns, view.sort.key) !== undefined ? view.sort : null;
  return { search: view.search, sort, filters: Object.fromEntries(filters) };
}

export function isDefaultView({ search, sort, filters }: TableView): boolean {
  return sort === null && searchTerms(search).length === 0 && Object.keys(filters).length === 0;
}

/** Returns the rows at the given indexes, in their order. */
export function pickRows<Row>(rows: readonly Row[], indexes: Uint32Array): Row[] {
  return Array.from(indexes, (index) => rows[index]).filter((row) => row !== undefined);
}

/**
 * @param texts the searchable texts of the rows, in lower case
 * @returns a similar search with matches; `null` if there is none
 */
export function suggestSearch(search: string, texts: readonly string[]): string | null {
  const parts = searchTerms(search);
  if (parts.length === 0) return null;
  const words = new Set<string>();
  for (const text of texts) for (const word of text.split(/[^\p{L}\p{N}]+/u)) if (word !== '') words.add(word);
  const suggestedTerms = parts.map((word) =>
    texts.some((text) => text.includes(word)) ? word : findNearestName(word, words),
  );
  const suggestion = suggestedTerms.every((word) => word !== null) ? suggestedTerms.join(' ') : null;
  return suggestion === null || suggestion === parts.join(' ') ? null : suggestion;
}
