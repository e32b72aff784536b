/** Accumulates a list of which a manager returns only "the newest N", up to a limit. */

export interface Tail<Item> {
  /** Newest first, without duplicates. */
  readonly items: readonly Item[];
  /** Whether entries may be missing between two of them: more arrived between two reads than one read contains. */
  readonly hasGap: boolean;
  /** Whether older entries were dropped because of the limit. */
  readonly isTruncated: boolean;
}

export const emptyTail: Tail<never> = { items: [], hasGap: false, isTruncated: false };

export interface TailRules<Item> {
  readonly getId: (item: Item) => string;
  /** Sorts newest first. */
  readonly newestFirst: (a: Item, b: Item) => number;
  /** The number that one read requests. */
  readonly limit: number;
  /** The maximum number of entries. */
  readonly maxEntries: number;
}

/** Returns the entries of a response that the tail doesn't contain. */
export function findNewItems<Item>(
  tail: Tail<Item>,
  response: readonly Item[],
  { getId }: TailRules<Item>,
): readonly Item[] {
  const knownIds = new Set(tail.items.map(getId));
  return response.filter((item) => !knownIds.has(getId(item)));
}

/** Returns the tail extended by a response; the same object if the response has nothing new. */
export function extendTail<Item>(tail: Tail<Item>, response: readonly Item[], rules: TailRules<Item>): Tail<Item> {
  const { newestFirst, limit: requested, maxEntries } = rules;
  const newItems = findNewItems(tail, response, rules);
  if (newItems.length === 0) return tail;
  // A full response without known entries: entries between it and the existing ones may be missing.
  const hasGap =
    tail.hasGap || (tail.items.length > 0 && response.length >= requested && newItems.length === response.length);
  const items = [...newItems, ...tail.items].toSorted(newestFirst);
  return { items: items.slice(0, maxEntries), hasGap, isTruncated: tail.isTruncated || items.length > maxEntries };
}
