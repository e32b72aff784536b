/** When each answer was asked for and received, so that of two of the same object the newer is known. */
import { replaceEqualDeep } from '@tanstack/vue-query';
import { invalidRecordsOf, recordInvalidRecords } from '../../../../api/client/badRecords.ts';
import type { Stamp } from '../poll/readings.ts';

let moments = 0;
/** The page's own order of what it asked and heard: clocks may say the same of two, or go back. */
function moment(): number {
  moments += 1;
  return moments;
}
const stamps = new WeakMap<object, Stamp>();

/** When the body was asked for and received, by the object that a query gave; `null` for any other. */
export function stampOf(body: unknown): Stamp | null {
  return typeof body === 'object' && body !== null ? (stamps.get(body) ?? null) : null;
}

/** What has not changed stays the same object, and is as new as the answer that said so again. */
export function shareStamped(before: unknown, after: unknown): unknown {
  const shared: unknown = replaceEqualDeep(before, after);
  const stamp = stampOf(after);
  if (typeof shared === 'object' && shared !== null) recordInvalidRecords(shared, invalidRecordsOf(after));
  if (stamp !== null && typeof shared === 'object' && shared !== null) stamps.set(shared, stamp);
  return shared;
}

/** Reads, and stamps what was read. */
export async function stamped<Body>(read: () => Promise<Body>): Promise<Body> {
  const requested = moment();
  const body = await read();
  if (typeof body === 'object' && body !== null) stamps.set(body, { asked: requested, received: moment() });
  return body;
}
