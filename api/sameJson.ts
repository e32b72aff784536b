import { isObject } from './client/wire.ts';
import { comparableNumber } from './exactJson.ts';

/** Whether two values are equal as JSON; a missing value equals null. */
export const sameJson = (a: unknown, b: unknown): boolean => serialize(a) === serialize(b);

const serialize = (value: unknown): string =>
  JSON.stringify(value ?? null, (_key, part: unknown) => comparableNumber(part));

/** Serializes a value with sorted keys. */
function serializeCanonically(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : comparableNumber(part),
  );
}
/** Like `sameJson`, but ignores the order of object keys. */
export const sameValue = (a: unknown, b: unknown): boolean => serializeCanonically(a) === serializeCanonically(b);
