/**
 * Filters and sorts the rows of a table. Texts and orders are computed once, on first use, and a longer search checks
 * only the matches of the shorter one.
 */
import { findNearestName } from '#api/nearestName.ts';
import { naturalOrder, searchTerms } from '#dashboard/base/texts.ts';
import { getCellText, type Choice, type Column, type TableSort, type TableView } from './tableRows.ts';

type Value = string | number | null;

type Indexes = readonly number[];

/** Returns functions that select rows, valid as long as neither the rows nor the columns change. */
export function arrangeRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[]) {
  const allIndexes: Indexes = [...rows.keys()];
  const textsByColumn = new Map<string, readonly string[]>();
  const ordersBySort = new Map<string, Indexes>();
  let searchTexts: readonly string[] | null = null;
  let lastSearch = { terms: searchTerms(''), matches: allIndexes };

  function getTexts(key: string): readonly string[] {
    return memoize(textsByColumn, key, () => {
      const column = findColumn(columns, key);
      return rows.map((row) => (column === undefined ? '' : getCellText(column, row)));
    });
  }
  function getOrder({ key, descending }: TableSort): Indexes {
    const getValues = () => rows.map((row) => findColumn(columns, key)?.value(row) ?? null);
    return memoize(ordersBySort, `${descending} ${key}`, () => sortIndexes(getValues(), descending));
  }
  function search(terms: readonly string[]): Indexes {
    if (terms.length === 0) return allIndexes;
    const texts = (searchTexts ??= getSearchTexts(rows, columns));
    const candidates = isNarrowerSearch(terms, lastSearch.terms) ? lastSearch.matches : allIndexes;
    const matches = candidates.filter((index) => terms.every((term) => texts[index]?.includes(term)));
    lastSearch = { terms, matches };
    return matches;
  }
  function findMatches(view: TableView, excludedColumn: string | null): Indexes {
    const filters = Object.entries(view.filters).filter(([key]) => key !== excludedColumn);
    return filters.reduce<Indexes>(
      (matches, [key, selectedValues]) => {
        const [texts, selectedTexts] = [getTexts(key), new Set(selectedValues)];
        return matches.filter((index) => selectedTexts.has(texts[index] ?? ''));
      },
      search(searchTerms(view.search)),
    );
  }

  return {
    /** Returns the rows of a view, in its order; the same array for the default view. */
    selectRows: (view: TableView): readonly Row[] => {
      const supported = toSupportedView(view, columns);
      if (isDefaultView(supported)) return rows;
      const matches = findMatches(supported, null);
      const isMatch = new Set(matches);
      const indexes =
        supported.sort === null ? matches : getOrder(supported.sort).filter((index) => isMatch.has(index));
      return indexes.map((index) => rows[index]).filter((row) => row !== undefined);
    },
    /**
     * Returns the texts of a column, each with the number of rows that match the view without the column's own filter.
     * Selected texts are included even if the number is 0.
     */
    getChoices: (view: TableView, { key }: Column<Row>): Choice[] => {
      const supported = toSupportedView(view, columns);
      const texts = getTexts(key);
      const counts = new Map((supported.filters[key] ?? []).map((text) => [text, 0]));
      for (const text of texts) counts.set(text, 0);
      for (const index of findMatches(supported, key)) {
        const text = texts[index] ?? '';
        counts.set(text, (counts.get(text) ?? 0) + 1);
      }
      return [...counts]
        .map(([value, count]) => ({ value, count }))
        .toSorted((a, b) => naturalOrder.compare(a.value, b.value));
    },
  };
}

function findColumn<Row>(columns: readonly Column<Row>[], key: string): Column<Row> | undefined {
  return columns.find((column) => column.key === key);
}

function memoize<T>(memory: Map<string, T>, key: string, compute: () => T): T {
  const value = memory.get(key) ?? compute();
  memory.set(key, value);
  return value;
}

/** Returns whether every match of `terms` also matches `previousTerms`. */
function isNarrowerSearch(terms: readonly string[], previousTerms: readonly string[]): boolean {
  return previousTerms.every((previousTerm) => terms.some((term) => term.includes(previousTerm)));
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

/** Returns the indexes of the values in their order: stable, and those without a value are last in both directions. */
function sortIndexes(values: readonly Value[], descending: boolean): Indexes {
  const ranks = rankValues(values);
  const keys = values.map((value) => {
    const rank = ranks.get(value) ?? Number.MAX_SAFE_INTEGER;
    return descending && ranks.has(value) ? -rank : rank;
  });
  return [...values.keys()].toSorted((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
}

/**
 * Returns the ranks of the distinct values, equal ones with the same rank. Text comparison is slow and most columns have
 * few distinct values, so only those are compared.
 */
function rankValues(values: readonly Value[]): ReadonlyMap<Value, number> {
  const distinct = [...new Set(values)]
    .filter((value): value is string | number => value !== null && value !== '')
    .toSorted(compareValues);
  const ranks = new Map<Value, number>();
  let rank = 0;
  distinct.forEach((value, index) => {
    if (compareValues(distinct[index - 1] ?? value, value) !== 0) rank += 1;
    ranks.set(value, rank);
  });
  return ranks;
}

/** Numbers sort before texts; neither is empty. */
function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : naturalOrder.compare(a, b);
}

/**
 * Search texts by column set and row, so that an unchanged row of a new response isn't read again. Panels create new
 * columns when something else that determines the texts changes (resolved names, the day).
 */
const searchTextsByColumns = new WeakMap<object, WeakMap<object, string>>();

/** Returns the searchable text of each row, hidden columns included, in lower case. */
export function getSearchTexts<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): readonly string[] {
  const textsByRow = searchTextsByColumns.get(columns) ?? new WeakMap<object, string>();
  searchTextsByColumns.set(columns, textsByRow);
  return rows.map((row) => {
    if (typeof row !== 'object' || row === null) return joinTexts(row, columns);
    const text = textsByRow.get(row) ?? joinTexts(row, columns);
    textsByRow.set(row, text);
    return text;
  });
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
