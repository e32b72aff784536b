/** Handles the requests to arrange a large table. Pure: `arrangeWorker.ts` connects it to the worker's messages. */
import { createArranger, type Arranger, type Value } from '../rows/arrange.ts';
import type { ArrangeResponse, ArrangeRequest, RowsPart } from './arrangeMessages.ts';

/** Returns a function that handles the requests of one table, in their order. */
export function createArrangeHandler(): (request: ArrangeRequest) => ArrangeResponse | null {
  let parts = new Map<RowsPart, Value[]>();
  let arranger: Arranger | null = null;
  const getPart = (name: RowsPart): readonly Value[] => parts.get(name) ?? [];
  // These parts contain only texts; numbers occur only among sort values.
  const getTexts = (name: RowsPart): readonly string[] =>
    getPart(name).map((text) => (text === null ? '' : String(text)));
  return (request) => {
    switch (request.kind) {
      case 'rows':
        parts = new Map();
        arranger = createArranger({
          count: request.count,
          searchTexts: () => getTexts('search'),
          texts: (column) => getTexts(`texts ${column}`),
          values: (column) => getPart(`values ${column}`),
        });
        return null;
      case 'part': {
        const values = parts.get(request.part) ?? [];
        values.push(...request.values);
        parts.set(request.part, values);
        return null;
      }
      case 'arrange':
        return arranger === null ? null : respond(arranger, request);
    }
  };
}

function respond(
  arranger: Arranger,
  { id, view, choices }: Extract<ArrangeRequest, { kind: 'arrange' }>,
): ArrangeResponse {
  return {
    id,
    // A copy, because the message transfers its buffer and the arranger still uses the original.
    rowIndexes: Uint32Array.from(arranger.arrange(view)),
    choices: choices.map((column) => [column, arranger.getChoices(view, column)] as const),
  };
}
