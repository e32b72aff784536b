/**
 * Several answers tell of the same object: a list, a queue, a request for it alone. The newest counts, whichever brought
 * it, and none goes back in time. Pure.
 */

/** When an answer was asked for and when it was here, in the page's own order: later is more, and no two are the same. */
export interface Stamp {
  readonly asked: number;
  readonly received: number;
}

export interface Reading<Body> extends Stamp {
  readonly body: Body;
}

/**
 * Whether an answer is surely newer than what is known. Of two that were under way at the same time nobody can tell which
 * one the server made first, so the first to arrive stays; the next reading, asked for after it, comes within seconds.
 */
export function isNewer(next: Stamp, known: Stamp | undefined): boolean {
  return known === undefined || next.asked > known.received;
}

/** What is known with the answer's objects taken in; the same map where none of them is newer. */
export function learn<Body>(
  known: ReadonlyMap<string, Reading<Body>>,
  objects: Iterable<readonly [id: string, body: Body]>,
  { asked: requested, received }: Stamp,
): ReadonlyMap<string, Reading<Body>> {
  let next: Map<string, Reading<Body>> | null = null;
  for (const [id, body] of objects) {
    if (!isNewer({ asked: requested, received }, known.get(id))) continue;
    next ??= new Map(known);
    // At the end of the order, so that the longest unheard of is forgotten first.
    next.delete(id);
    next.set(id, { body, asked: requested, received });
  }
  if (next === null) return known;
  return next.size > limit ? new Map([...next].slice(0 - limit)) : next;
}

/** More workflows than a page shows as active or alone. */
const limit = 5000;
