/** The worker's side of a large table. Pure: `arrangeWorker.ts` ties it to the worker's messages. */
import { type Arranger, type Value, createArranger } from '../rows/arrange.ts';
import type { Choice, TableView } from '../rows/tableRows.ts';

/** What is sent of the rows: all that they are found by, a column's texts, or what it is sorted by. */
export type Part = 'searched' | `texts ${string}` | `values ${string}`;

export type ArrangeRequest =
  /** Other rows: what was sent of the ones before is forgotten. */
  | { readonly kind: 'rows'; readonly count: number }
  /** The next rows of a part. */
  | { readonly kind: 'part'; readonly part: Part; readonly values: readonly Value[] }
  /** After the parts that it needs. `choices`: columns whose texts are counted. */
  | { readonly kind: 'ask'; readonly id: number; readonly view: TableView; readonly choices: readonly string[] };

export interface ArrangeAnswer {
  readonly id: number;
  readonly places: Uint32Array<ArrayBuffer>;
  readonly choices: readonly (readonly [column: string, choices: Choice[]])[];
}

/** What a view and the choices of columns are made from. */
export function partsFor(view: TableView, choices: readonly string[]): Part[] {
  const texts = [...new Set([...Object.keys(view.filters), ...choices])];
  return [
    ...(view.search.trim() === '' ? [] : ['searched' as const]),
    ...texts.map((key) => `texts ${key}` as const),
    ...(view.sort === null ? [] : [`values ${view.sort.key}` as const]),
  ];
}

/** The worker's side: takes requests, gives answers. */
export function createArrangeSide(): (request: ArrangeRequest) => ArrangeAnswer | null {
  let parts = new Map<Part, Value[]>();
  let arranger: Arranger | null = null;
  const part = (name: Part): readonly Value[] => parts.get(name) ?? [];
  // Texts come as texts; the page sends them from columns that have nothing else.
  const texts = (name: Part): readonly string[] => part(name).map((text) => (text === null ? '' : String(text)));
  return (request) => {
    switch (request.kind) {
      case 'rows':
        parts = new Map();
        arranger = createArranger({
          count: request.count,
          searched: () => texts('searched'),
          texts: (column) => texts(`texts ${column}`),
          values: (column) => part(`values ${column}`),
        });
        return null;
      case 'part': {
        const values = parts.get(request.part) ?? [];
        values.push(...request.values);
        parts.set(request.part, values);
        return null;
      }
      case 'ask':
        return arranger === null ? null : answerOf(arranger, request);
    }
  };
}

function answerOf(arranger: Arranger, { id, view, choices }: Extract<ArrangeRequest, { kind: 'ask' }>): ArrangeAnswer {
  return {
    id,
    // A copy: what the arranger keeps mustn't leave with the message.
    places: Uint32Array.from(arranger.arrange(view)),
    choices: choices.map((column) => [column, arranger.choices(view, column)] as const),
  };
}
