/** Transfers only the difference between two reads of all resources from the worker to the page. */
import type { ResourceRow } from './resourceRow.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

export interface ResourceInput {
  /** Number of the last read that the page has; 0 for none. */
  readonly knownRead: number;
}

export interface ResourceOrder {
  /** IDs of all resources in order, and the number of this read; `null`: unchanged. */
  readonly order: { readonly ids: readonly string[]; readonly number: number } | null;
}

interface SentState {
  readonly address: string;
  readonly number: number;
  /** JSON of each row by ID. */
  readonly texts: ReadonlyMap<string, string>;
  readonly ids: readonly string[];
}

/** The worker's side: returns the changes in `rows` since the page's last read. */
export function createChangeFilter() {
  let sentState: SentState | null = null;
  return (
    address: string,
    rows: readonly ResourceRow[],
    knownNumber: number,
  ): ResourceOrder & { changed: ResourceRow[] } => {
    const previous =
      sentState !== null && sentState.address === address && sentState.number === knownNumber ? sentState : null;
    const texts = new Map(rows.map((row) => [row.id, stringifyExactJson(row)]));
    const ids = rows.map(({ id }) => id);
    const changed = rows.filter(({ id }) => previous?.texts.get(id) !== texts.get(id));
    const isSameOrder =
      previous !== null && previous.ids.length === ids.length && previous.ids.every((id, index) => id === ids[index]);
    if (previous !== null && isSameOrder && changed.length === 0) return { changed, order: null };
    const number: number = (sentState?.number ?? 0) + 1;
    sentState = { address, number, texts, ids };
    return { changed, order: { ids, number } };
  };
}

export interface ResourceBody {
  readonly rows: readonly ResourceRow[];
  readonly number: number;
}

/** The page's side: applies the received changes to the previous state. */
export function applyChanges(
  previous: ResourceBody | null,
  changed: readonly ResourceRow[],
  { order }: ResourceOrder,
): ResourceBody {
  if (order === null) return previous ?? { rows: [], number: 0 };
  const rowsById = new Map([...(previous?.rows ?? []), ...changed].map((row) => [row.id, row]));
  return { rows: order.ids.flatMap((id) => rowsById.get(id) ?? []), number: order.number };
}
