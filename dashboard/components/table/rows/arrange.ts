/**
 * Filters and sorts the rows of a table, on the page or in a worker (`arrangeWorker.ts`). Texts and orders are computed
 * once, and a longer search checks only the matches of the shorter one.
 */
import { naturalOrder, searchTerms } from '#dashboard/base/texts.ts';
import type { Choice, TableView } from './tableRows.ts';

export type Value = string | number | null;

/** Data of the rows by index, computed on first use. */
export interface TableData {
  readonly count: number;
  /** The searchable text of each row, in lower case. */
  readonly searchTexts: () => readonly string[];
  /** The values that a column is sorted by. */
  readonly values: (column: string) => readonly Value[];
  /** The displayed texts of a column. */
  readonly texts: (column: string) => readonly string[];
}

export interface Arranger {
  /** Returns the indexes of a view's rows, in its order. */
  readonly arrange: (view: TableView) => Uint32Array;
  /**
   * Returns the texts of a column, each with the number of rows that match the view without the column's own filter.
   * Selected texts are included even if the number is 0.
   */
  readonly getChoices: (view: TableView, column: string) => Choice[];
}

export function createArranger(data: TableData): Arranger {
  const ranksByColumn = new Map<string, Ranks>();
  let last: { readonly terms: readonly string[]; readonly matches: Uint32Array } | null = null;

  function search(terms: readonly string[]): Uint32Array | null {
    if (terms.length === 0) return null;
    const candidates = last !== null && isNarrowerSearch(terms, last.terms) ? last.matches : null;
    const matches = findMatches(data.searchTexts(), terms, candidates);
    last = { terms, matches };
    return matches;
  }
  function getSortedIndexes(sort: TableView['sort']): Uint32Array | null {
    if (sort === null) return null;
    const ranks = ranksByColumn.get(sort.key) ?? rankValues(data.values(sort.key));
    ranksByColumn.set(sort.key, ranks);
    return sortByRank(ranks, sort.descending);
  }
  function filterRows(view: TableView, excludedColumn: string | null): Uint8Array | null {
    const matches = search(searchTerms(view.search));
    const filters = Object.entries(view.filters).filter(
      ([key, selectedValues]) => selectedValues.length > 0 && key !== excludedColumn,
    );
    if (matches === null && filters.length === 0) return null;
    const mask = new Uint8Array(data.count);
    if (matches === null) mask.fill(1);
    else for (const index of matches) mask[index] = 1;
    for (const [key, selectedValues] of filters) {
      const selectedTexts = new Set(selectedValues);
      const texts = data.texts(key);
      for (let index = 0; index < data.count; index += 1) if (!selectedTexts.has(texts[index] ?? '')) mask[index] = 0;
    }
    return mask;
  }

  return {
    arrange: (view) => {
      const mask = filterRows(view, null);
      const indexes = getSortedIndexes(view.sort) ?? Uint32Array.from({ length: data.count }, (_, index) => index);
      return mask === null ? indexes : indexes.filter((index) => mask[index] === 1);
    },
    getChoices: (view, column) => {
      const mask = filterRows(view, column);
      const counts = new Map<string, number>();
      const texts = data.texts(column);
      for (let index = 0; index < data.count; index += 1) {
        const text = texts[index] ?? '';
        counts.set(text, (counts.get(text) ?? 0) + (mask === null ? 1 : (mask[index] ?? 0)));
      }
      for (const text of view.filters[column] ?? []) counts.set(text, counts.get(text) ?? 0);
      return [...counts]
        .map(([value, count]) => ({ value, count }))
        .toSorted((a, b) => naturalOrder.compare(a.value, b.value));
    },
  };
}

/** Returns whether every match of `terms` also matches `previousTerms`. */
function isNarrowerSearch(terms: readonly string[], previousTerms: readonly string[]): boolean {
  return previousTerms.every((previousTerm) => terms.some((term) => term.includes(previousTerm)));
}

function findMatches(texts: readonly string[], terms: readonly string[], candidates: Uint32Array | null): Uint32Array {
  const matches: number[] = [];
  const testRow = (index: number): void => {
    const text = texts[index] ?? '';
    for (const word of terms) if (!text.includes(word)) return;
    matches.push(index);
  };
  if (candidates !== null) for (const index of candidates) testRow(index);
  else for (let index = 0; index < texts.length; index += 1) testRow(index);
  return Uint32Array.from(matches);
}

export function isEmpty(value: Value | undefined): boolean {
  return value === null || value === undefined || value === '';
}

/** The ranks of a column's distinct values: equal values have the same rank. */
interface Ranks {
  readonly byRow: Uint32Array;
  /** The rank of rows without a value. */
  readonly last: number;
}

/** Text comparison is slow and most columns have few distinct values, so only those are compared. */
function rankValues(values: readonly Value[]): Ranks {
  const distinct = [...new Set(values)].filter((value) => !isEmpty(value)).toSorted(compareValues);
  const ranks = new Map<Value, number>();
  let rank = 0;
  distinct.forEach((value, index) => {
    if (index > 0 && compareValues(distinct[index - 1], value) !== 0) rank += 1;
    ranks.set(value, rank);
  });
  const last = distinct.length === 0 ? 0 : rank + 1;
  return { byRow: Uint32Array.from(values, (value) => ranks.get(value) ?? last), last };
}

/** Counting sort of the indexes by rank: stable, and rows without a value are last in both directions. */
function sortByRank({ byRow, last }: Ranks, descending: boolean): Uint32Array {
  const slot = (rank: number): number => (descending && rank < last ? last - 1 - rank : rank);
  const nextPosition = new Uint32Array(last + 2);
  for (const rank of byRow) nextPosition[slot(rank) + 1] = (nextPosition[slot(rank) + 1] ?? 0) + 1;
  for (let index = 1; index < nextPosition.length; index += 1)
    nextPosition[index] = (nextPosition[index] ?? 0) + (nextPosition[index - 1] ?? 0);
  const sorted = new Uint32Array(byRow.length);
  byRow.forEach((rank, index) => {
    const position = nextPosition[slot(rank)] ?? 0;
    sorted[position] = index;
    nextPosition[slot(rank)] = position + 1;
  });
  return sorted;
}

/** Numbers sort before texts; neither is empty. */
function compareValues(a: Value | undefined, b: Value | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1;
  return typeof b === 'number' ? 1 : naturalOrder.compare(a ?? '', b ?? '');
}
