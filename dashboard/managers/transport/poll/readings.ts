/**
 * Merges responses that contain the same object: a list, a queue, a single read. The newest state of each object counts,
 * and none goes back in time. Pure.
 */

/**
 * When a response was requested and received, in the page's own order: a greater number is later, and no two are equal.
 */
export interface Stamp {
  readonly requestedAt: number;
  readonly receivedAt: number;
}

export interface Reading<Body> extends Stamp {
  readonly body: Body;
}

/**
 * Returns whether a response is certainly newer than the known one. For two concurrent requests the server's order is
 * unknown, so the first response stays; the next read, requested after it, follows within seconds.
 */
export function isNewer(next: Stamp, current: Stamp | undefined): boolean {
  return current === undefined || next.requestedAt > current.receivedAt;
}

/** Returns the known objects merged with a response's; the same map if none is newer. */
export function mergeReadings<Body>(
  knownReadings: ReadonlyMap<string, Reading<Body>>,
  objects: Iterable<readonly [id: string, body: Body]>,
  { requestedAt, receivedAt }: Stamp,
): ReadonlyMap<string, Reading<Body>> {
  let next: Map<string, Reading<Body>> | null = null;
  for (const [id, body] of objects) {
    if (!isNewer({ requestedAt, receivedAt }, knownReadings.get(id))) continue;
    next ??= new Map(knownReadings);
    // Moves the object to the end, so that the one not updated for longest is removed first.
    next.delete(id);
    next.set(id, { body, requestedAt, receivedAt });
  }
  if (next === null) return knownReadings;
  return next.size > maxObjects ? new Map([...next].slice(0 - maxObjects)) : next;
}

/** The maximum number of objects, more than a page displays. */
const maxObjects = 5000;
