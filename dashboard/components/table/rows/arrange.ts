/**
 * Filters and sorts the rows of a table from plain data: on the page for thousands of rows, in a worker for hundreds of
 * thousands (`arrangeWorker.ts`). Texts and orders are computed once, and a longer search only checks the matches of the
 * shorter one, so a keystroke costs at most one pass over the rows' texts. Pure.
 */
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
   * A column's texts with the number of rows that the rest of the view leaves for each; selected ones stay, even at zero.
   */
  readonly choices: (view: TableView, column: string) => Choice[];
}

/** Returns the words that must all occur in a row. */
export function searchTerms(search: string): readonly string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

export function createArranger(data: TableData): Arranger {
  const columns = new Map<string, Ranks>();
  let last: { readonly terms: readonly string[]; readonly found: Uint32Array } | null = null;

  function search(terms: readonly string[]): Uint32Array | null {
    if (terms.length === 0) return null;
    const before = last !== null && narrows(terms, last.terms) ? last.found : null;
    const found = matching(data.searchTexts(), terms, before);
    last = { terms, found };
    return found;
  }
  function order(sort: TableView['sort']): Uint32Array | null {
    if (sort === null) return null;
    const ranks = columns.get(sort.key) ?? ranksOf(data.values(sort.key));
    columns.set(sort.key, ranks);
    return sortByRank(ranks, sort.descending);
  }
  function filterRows(view: TableView, without: string | null): Uint8Array | null {
    const found = search(searchTerms(view.search));
    const filters = Object.entries(view.filters).filter(([key, chosen]) => chosen.length > 0 && key !== without);
    if (found === null && filters.length === 0) return null;
    const mask = new Uint8Array(data.count);
    if (found === null) mask.fill(1);
    else for (const place of found) mask[place] = 1;
    for (const [key, chosen] of filters) {
      const chosenTexts = new Set(chosen);
      const texts = data.texts(key);
      for (let place = 0; place < data.count; place += 1) if (!chosenTexts.has(texts[place] ?? '')) mask[place] = 0;
    }
    return mask;
  }

  return {
    arrange: (view) => {
      const mask = filterRows(view, null);
      const places = order(view.sort) ?? Uint32Array.from({ length: data.count }, (_, place) => place);
      return mask === null ? places : places.filter((place) => mask[place] === 1);
    },
    choices: (view, column) => {
      const mask = filterRows(view, column);
      const counts = new Map<string, number>();
      const texts = data.texts(column);
      for (let place = 0; place < data.count; place += 1) {
        const text = texts[place] ?? '';
        counts.set(text, (counts.get(text) ?? 0) + (mask === null ? 1 : (mask[place] ?? 0)));
      }
      for (const text of view.filters[column] ?? []) counts.set(text, counts.get(text) ?? 0);
      return [...counts]
        .map(([value, count]) => ({ value, count }))
        .toSorted((a, b) => naturalOrder.compare(a.value, b.value));
    },
  };
}

/** Whether every match of `terms` also matches `before`. */
function narrows(terms: readonly string[], before: readonly string[]): boolean {
  return before.every((old) => terms.some((word) => word.includes(old)));
}

function matching(texts: readonly string[], terms: readonly string[], among: Uint32Array | null): Uint32Array {
  const found: number[] = [];
  const look = (place: number): void => {
    const text = texts[place] ?? '';
    for (const word of terms) if (!text.includes(word)) return;
    found.push(place);
  };
  if (among !== null) for (const place of among) look(place);
  else for (let place = 0; place < texts.length; place += 1) look(place);
  return Uint32Array.from(found);
}

/** Compares numbers inside texts as numbers: step 2 before step 10. */
export const naturalOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function isNothing(value: Value | undefined): boolean {
  return value === null || value === undefined || value === '';
}

/**
 * The rank of each row's value among the distinct ones; equal values have equal ranks, and rows without a value the last.
 */
interface Ranks {
  readonly byRow: Uint32Array;
  /** The rank of rows without a value. */
  readonly last: number;
}

/** Text comparison is slow and most columns have few distinct values, so only those are compared. */
function ranksOf(values: readonly Value[]): Ranks {
  const distinct = [...new Set(values)].filter((value) => !isNothing(value)).toSorted(compareValues);
  const found = new Map<Value, number>();
  let rank = 0;
  distinct.forEach((value, index) => {
    if (index > 0 && compareValues(distinct[index - 1], value) !== 0) rank += 1;
    found.set(value, rank);
  });
  const last = distinct.length === 0 ? 0 : rank + 1;
  return { byRow: Uint32Array.from(values, (value) => found.get(value) ?? last), last };
}

/** Counting sort of the indexes by rank: stable, and rows without a value are last in both directions. */
function sortByRank({ byRow: ranks, last }: Ranks, descending: boolean): Uint32Array {
  const slot = (rank: number): number => (descending && rank < last ? last - 1 - rank : rank);
  const next = new Uint32Array(last + 2);
  for (const rank of ranks) next[slot(rank) + 1] = (next[slot(rank) + 1] ?? 0) + 1;
  for (let at = 1; at < next.length; at += 1) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0);
  const places = new Uint32Array(ranks.length);
  ranks.forEach((rank, place) => {
    const to = next[slot(rank)] ?? 0;
    places[to] = place;
    next[slot(rank)] = to + 1;
  });
  return places;
}

/** Numbers sort before texts; neither is empty. */
function compareValues(a: Value | undefined, b: Value | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1;
  return typeof b === 'number' ? 1 : naturalOrder.compare(a ?? '', b ?? '');
}
