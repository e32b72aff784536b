/** Accumulates a list of which a manager returns only "the newest N", up to a limit. Pure. */

export interface Tail<Item> {
  /** Newest first, without duplicates. */
  readonly items: readonly Item[];
  /** Whether entries may be missing between two of them: more arrived between two reads than one read contains. */
  readonly gap: boolean;
  /** Whether older entries were dropped because of the limit. */
  readonly isTruncated: boolean;
}

export const emptyTail: Tail<never> = { items: [], gap: false, isTruncated: false };

export interface TailRules<Item> {
  readonly idOf: (item: Item) => string;
  /** Sorts newest first. */
  readonly newestFirst: (a: Item, b: Item) => number;
  /** The number that one read requests. */
  readonly limit: number;
  /** The maximum number of entries. */
  readonly maxEntries: number;
}

/** Returns the entries of a response that the tail doesn't contain. */
export function freshOf<Item>(tail: Tail<Item>, answer: readonly Item[], { idOf }: TailRules<Item>): readonly Item[] {
  const known = new Set(tail.items.map(idOf));
  return answer.filter((item) => !known.has(idOf(item)));
}

/** Returns the tail extended by a response; the same object if the response has nothing new. */
export function extendTail<Item>(tail: Tail<Item>, answer: readonly Item[], rules: TailRules<Item>): Tail<Item> {
  const { newestFirst, limit: requested, maxEntries } = rules;
  const fresh = freshOf(tail, answer, rules);
  if (fresh.length === 0) return tail;
  // A full response without known entries: entries between it and the existing ones may be missing.
  const gap = tail.gap || (tail.items.length > 0 && answer.length >= requested && fresh.length === answer.length);
  const items = [...fresh, ...tail.items].toSorted(newestFirst);
  return { items: items.slice(0, maxEntries), gap, isTruncated: tail.isTruncated || items.length > maxEntries };
}
