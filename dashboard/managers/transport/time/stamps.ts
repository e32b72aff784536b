/** When each response was requested and received, to determine the newer of two states of an object. */
import { replaceEqualDeep } from '@tanstack/vue-query';
import { invalidRecordsOf, recordInvalidRecords } from '../../../../api/client/invalidRecords.ts';
import type { Stamp } from '../poll/readings.ts';

let moments = 0;
/** A counter for requests and responses, because clocks can repeat a time or go back. */
function moment(): number {
  moments += 1;
  return moments;
}
const stamps = new WeakMap<object, Stamp>();

/** Returns when a query's response was requested and received; `null` for any other object. */
export function stampOf(body: unknown): Stamp | null {
  return typeof body === 'object' && body !== null ? (stamps.get(body) ?? null) : null;
}

/** Unchanged parts keep their identity and get the stamp of the newer response. */
export function shareStamped(before: unknown, after: unknown): unknown {
  const shared: unknown = replaceEqualDeep(before, after);
  const stamp = stampOf(after);
  if (typeof shared === 'object' && shared !== null) recordInvalidRecords(shared, invalidRecordsOf(after));
  if (stamp !== null && typeof shared === 'object' && shared !== null) stamps.set(shared, stamp);
  return shared;
}

/** Reads a response and records its stamp. */
export async function recordStamp<Body>(read: () => Promise<Body>): Promise<Body> {
  const requestedAt = moment();
  const body = await read();
  if (typeof body === 'object' && body !== null) stamps.set(body, { requestedAt, received: moment() });
  return body;
}
