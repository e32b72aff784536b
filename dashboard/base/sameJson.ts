import { isObject } from '../../api/client/wire.ts';

/** Whether two values are the same as JSON; what is not there is as good as null. Pure. */
export const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** As text that is the same for the same content, in whatever order its keys came. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
/** As `sameJson`, in whatever order the keys of objects came. Pure. */
export const sameValue = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);
