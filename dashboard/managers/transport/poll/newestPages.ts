/**
 * A list of which a manager gives "the newest so many", without a total and without an offset: how many to ask for next, and
 * what may be said of what was read. Pure.
 */

/** How many are asked for, step by step; 0, the last, is all. */
export type PageCounts = readonly [first: number, ...more: number[]];

/** `200` or `all` of an address; anything else is the first count. */
export function countFrom(counts: PageCounts, text: unknown): number {
  if (text === 'all') return counts.includes(0) ? 0 : counts[0];
  const count = Number(text);
  return count !== 0 && counts.includes(count) ? count : counts[0];
}

/** As it stands in an address. */
export function countText(count: number): string {
  return count === 0 ? 'all' : String(count);
}

/** What a button may load next: the next step, and all. */
export function nextCounts(counts: PageCounts, count: number): readonly number[] {
  const more = counts[counts.indexOf(count) + 1];
  if (more === undefined) return [];
  return more === 0 || !counts.includes(0) ? [more] : [more, 0];
}

/** Whether an answer holds all there is: all were asked for, or fewer came than were asked for. */
export function isWhole(received: number, requested: number): boolean {
  return requested === 0 || received < requested;
}
