/** What the page and the worker that arranges a large table say to each other. */
import type { Value } from '../rows/arrange.ts';
import type { Choice, TableView } from '../rows/tableRows.ts';

/** What is sent of the rows: all that they are found by, a column's texts, or what it is sorted by. */
export type RowsPart = 'searched' | `texts ${string}` | `values ${string}`;

export type ArrangeRequest =
  /** Other rows: what was sent of the ones before is forgotten. */
  | { readonly kind: 'rows'; readonly count: number }
  /** The next rows of a part. */
  | { readonly kind: 'part'; readonly part: RowsPart; readonly values: readonly Value[] }
  /** After the parts that it needs. `choices`: columns whose texts are counted. */
  | { readonly kind: 'ask'; readonly id: number; readonly view: TableView; readonly choices: readonly string[] };

export interface ArrangeAnswer {
  readonly id: number;
  readonly places: Uint32Array<ArrayBuffer>;
  readonly choices: readonly (readonly [column: string, choices: Choice[]])[];
}

/** What a view and the choices of columns are made from. */
export function partsFor(view: TableView, choices: readonly string[]): RowsPart[] {
  const texts = [...new Set([...Object.keys(view.filters), ...choices])];
  return [
    ...(view.search.trim() === '' ? [] : ['searched' as const]),
    ...texts.map((key) => `texts ${key}` as const),
    ...(view.sort === null ? [] : [`values ${view.sort.key}` as const]),
  ];
}
