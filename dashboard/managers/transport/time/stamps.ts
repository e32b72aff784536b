/** When each response was requested and received, to determine the newer of two states of an object. */
import { replaceEqualDeep } from '@tanstack/vue-query';
import { getAge, getRevision, setAge, setRevision } from '../../../../api/client/answerAge.ts';
import { getInvalidRecords, recordInvalidRecords } from '../../../../api/client/invalidRecords.ts';
import type { Stamp } from '../poll/readings.ts';

let moments = 0;
/** When the latest moments were, by the monotonic clock. */
const times: { readonly moment: number; readonly at: number }[] = [];
const maxTimes = 4096;

/** A counter for requests and responses, because clocks can repeat a time or go back. */
function moment(): number {
  moments += 1;
  times.push({ moment: moments, at: performance.now() });
  if (times.length > maxTimes) times.splice(0, maxTimes / 2);
  return moments;
}

/** The last moment at least `ms` ago. */
function momentBefore(ms: number): number {
  const at = performance.now() - ms;
  return times.findLast((each) => each.at <= at)?.moment ?? 0;
}

/** The resolution of an answer's age, in ms. */
const ageResolutionMs = 1000;
const stamps = new WeakMap<object, Stamp>();

/** Returns when a query's response was requested and received; `null` for any other object. */
export function stampOf(body: unknown): Stamp | null {
  return typeof body === 'object' && body !== null ? (stamps.get(body) ?? null) : null;
}

/** Unchanged parts keep their identity and get the stamp of the newer response. */
export function shareStamped(before: unknown, after: unknown): unknown {
  const shared: unknown = replaceEqualDeep(before, after);
  const stamp = stampOf(after);
  if (typeof shared === 'object' && shared !== null) recordInvalidRecords(shared, getInvalidRecords(after));
  setAge(shared, getAge(after));
  setRevision(shared, getRevision(after));
  if (stamp !== null && typeof shared === 'object' && shared !== null) stamps.set(shared, stamp);
  return shared;
}

/** Records that the relay requested the same content again `ageMs` ago, so that the response is as new as that. */
export function renewStamp(body: object, ageMs: number): void {
  setAge(body, 0);
  stamps.set(body, { requestedAt: momentBefore(ageMs), received: moment() });
}

/** Reads a response and records its stamp. */
export async function recordStamp<Body>(read: () => Promise<Body>): Promise<Body> {
  const requestedAt = moment();
  const body = await read();
  if (typeof body !== 'object' || body === null) return body;
  const ageMs = getAge(body);
  // The relay requested an answer that it shares before this page did.
  const since = ageMs === 0 ? requestedAt : Math.min(requestedAt, momentBefore(ageMs + ageResolutionMs));
  stamps.set(body, { requestedAt: since, received: moment() });
  return body;
}
