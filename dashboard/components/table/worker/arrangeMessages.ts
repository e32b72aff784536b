/** The messages between the page and the worker that arranges a large table. */
import type { Value } from '../rows/arrange.ts';
import type { Choice, TableView } from '../rows/tableRows.ts';

/** A part of the rows' data: all search texts, a column's texts, or its sort values. */
export type RowsPart = 'search' | `texts ${string}` | `values ${string}`;

export type ArrangeRequest =
  /** New rows: the parts that were sent before are discarded. */
  | { readonly kind: 'rows'; readonly count: number }
  /** The next rows of a part. */
  | { readonly kind: 'part'; readonly part: RowsPart; readonly values: readonly Value[] }
  /** Sent after the required parts. `choices`: columns whose texts are counted. */
  | { readonly kind: 'arrange'; readonly id: number; readonly view: TableView; readonly choices: readonly string[] };

export interface ArrangeResponse {
  readonly id: number;
  readonly rowIndexes: Uint32Array<ArrayBuffer>;
  readonly choices: readonly (readonly [column: string, choices: Choice[]])[];
}

/** Returns the parts that a view and the column choices require. */
export function getRequiredParts(view: TableView, choices: readonly string[]): RowsPart[] {
  const texts = [...new Set([...Object.keys(view.filters), ...choices])];
  return [
    ...(view.search.trim() === '' ? [] : ['search' as const]),
    ...texts.map((key) => `texts ${key}` as const),
    ...(view.sort === null ? [] : [`values ${view.sort.key}` as const]),
  ];
}
