/** Whether two values are the same as JSON; what is not there is as good as null. Pure. */
export const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
