/**
 * Merges responses that contain the same object: a list, a queue, a single read. The newest state of each object counts,
 * and none goes back in time.
 */
import { replaceEqualDeep } from '@tanstack/vue-query';
import { getAge, getRevision, setAge, setRevision } from '#api/client/responseMetadata.ts';
import { getInvalidRecords, setInvalidRecords } from '#api/client/invalidRecords.ts';

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

let sequence = 0;
/** When the latest sequence numbers were issued, by the monotonic clock. */
const sequenceTimes: { readonly sequence: number; readonly at: number }[] = [];
const maxTimes = 4096;

/** Returns the next sequence number of a request or response, because clocks can repeat a time or go back. */
export function nextSequence(): number {
  sequence += 1;
  sequenceTimes.push({ sequence, at: performance.now() });
  if (sequenceTimes.length > maxTimes) sequenceTimes.splice(0, maxTimes / 2);
  return sequence;
}

/** Returns the last sequence number that was issued at least `ms` ago; 0 if there is none. */
function sequenceBefore(ms: number): number {
  const at = performance.now() - ms;
  return sequenceTimes.findLast((stamp) => stamp.at <= at)?.sequence ?? 0;
}

/** The resolution of a response's age, in ms. */
const ageResolutionMs = 1000;
const stamps = new WeakMap<object, Stamp>();

/** Returns when a query's response was requested and received; `null` for any other object. */
export function getStamp(body: unknown): Stamp | null {
  return typeof body === 'object' && body !== null ? (stamps.get(body) ?? null) : null;
}

/** Like `replaceEqualDeep`; the returned object gets the stamp and the metadata of the newer response. */
export function shareStamped(previous: unknown, next: unknown): unknown {
  const shared: unknown = replaceEqualDeep(previous, next);
  const stamp = getStamp(next);
  if (typeof shared === 'object' && shared !== null) setInvalidRecords(shared, getInvalidRecords(next));
  setAge(shared, getAge(next));
  setRevision(shared, getRevision(next));
  if (stamp !== null && typeof shared === 'object' && shared !== null) stamps.set(shared, stamp);
  return shared;
}

/** Records that the relay requested the same content again `ageMs` ago, so that the response is as new as that. */
export function renewStamp(body: object, ageMs: number): void {
  setAge(body, 0);
  stamps.set(body, { requestedAt: sequenceBefore(ageMs), receivedAt: nextSequence() });
}

/** Reads a response and records its stamp; `read` may have recorded a later request, after a wait. */
export async function recordStamp<Body>(read: () => Promise<Body>): Promise<Body> {
  const requestedAt = nextSequence();
  const body = await read();
  if (typeof body !== 'object' || body === null) return body;
  const ageMs = getAge(body);
  // The relay shares responses, so it may have requested this one before the page did.
  const requested = ageMs === 0 ? requestedAt : Math.min(requestedAt, sequenceBefore(ageMs + ageResolutionMs));
  stamps.set(body, {
    requestedAt: Math.max(requested, getStamp(body)?.requestedAt ?? 0),
    receivedAt: nextSequence(),
  });
  return body;
}
