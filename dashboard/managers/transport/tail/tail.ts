/** What a manager only tells as "the newest so many": kept together over the readings, within a bound. Pure. */

export interface Tail<Item> {
  /** Newest first, each once. */
  readonly items: readonly Item[];
  /** Whether something may be missing between two of them: more came between two readings than one reading has. */
  readonly gap: boolean;
  /** Whether older ones were let go of, because there were more than may be kept. */
  readonly cut: boolean;
}

export const emptyTail: Tail<never> = { items: [], gap: false, cut: false };

export interface TailRules<Item> {
  readonly idOf: (item: Item) => string;
  /** Sorts newest first. */
  readonly newestFirst: (a: Item, b: Item) => number;
  /** How many one reading asks for. */
  readonly asked: number;
  /** How many are kept. */
  readonly bound: number;
}

/** What of an answer the tail doesn't have. */
export function freshOf<Item>(tail: Tail<Item>, answer: readonly Item[], { idOf }: TailRules<Item>): readonly Item[] {
  const known = new Set(tail.items.map(idOf));
  return answer.filter((item) => !known.has(idOf(item)));
}

/** The tail with an answer taken in; the same object where the answer has nothing new. */
export function extendTail<Item>(tail: Tail<Item>, answer: readonly Item[], rules: TailRules<Item>): Tail<Item> {
  const { newestFirst, asked: requested, bound } = rules;
  const fresh = freshOf(tail, answer, rules);
  if (fresh.length === 0) return tail;
  // A whole answer of which nothing was known: what lies between it and what was there, nobody has read.
  const gap = tail.gap || (tail.items.length > 0 && answer.length >= requested && fresh.length === answer.length);
  const items = [...fresh, ...tail.items].toSorted(newestFirst);
  return { items: items.slice(0, bound), gap, cut: tail.cut || items.length > bound };
}
