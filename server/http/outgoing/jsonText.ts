/** JSON put together of parts that are encoded each on its own, so that one that can't be doesn't spoil the rest. Pure. */

/** `value` as JSON, or `standIn` where it can't be written: too deep for the stack, a circle, a value JSON has no word for. */
export function encodedOr(value: unknown, standIn: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Both are what JSON.stringify throws: RangeError for depth, TypeError for circles and BigInt.
    if (error instanceof RangeError || error instanceof TypeError) return JSON.stringify(standIn);
    throw error;
  }
}

/** An object of encoded members. */
export function objectText(members: readonly (readonly [name: string, text: string])[]): string {
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** A list of encoded items. */
export function arrayText(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

/** `object` as JSON, with the member `name` as it is encoded already. */
export function withMember(object: Readonly<Record<string, unknown>>, name: string, text: string): string {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return objectText(members.map(([key, value]) => [key, key === name ? text : JSON.stringify(value)] as const));
}
