/**
 * Paging for a list of which a manager returns only "the newest N", without total and offset: the next count to
 * request, and whether the list is complete.
 */

/** The counts to request, step by step; 0, the last, means all. */
export type PageCounts = readonly [first: number, ...more: number[]];

/** Parses `200` or `all` in a query string; anything else is the first count. */
export function parseCount(counts: PageCounts, text: unknown): number {
  if (text === 'all') return counts.includes(0) ? 0 : counts[0];
  const count = Number(text);
  return count !== 0 && counts.includes(count) ? count : counts[0];
}

/** Formats a count for the query string. */
export function formatCount(count: number): string {
  return count === 0 ? 'all' : String(count);
}

/** Returns the counts that a button can load: the next step, and all. */
export function nextCounts(counts: PageCounts, count: number): readonly number[] {
  const next = counts[counts.indexOf(count) + 1];
  if (next === undefined) return [];
  return next === 0 || !counts.includes(0) ? [next] : [next, 0];
}

/** Returns whether a response is complete: all were requested, or fewer were received than requested. */
export function isComplete(received: number, requestedCount: number): boolean {
  return requestedCount === 0 || received < requestedCount;
}
