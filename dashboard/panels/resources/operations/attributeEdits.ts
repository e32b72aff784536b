/** What was changed in a resource's attributes: set to another value, added, or removed (`undefined`). Pure. */
export function attributeEdits(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...keys].flatMap((key) =>
      JSON.stringify(before[key]) === JSON.stringify(after[key]) ? [] : [[key, after[key]] as const],
    ),
  );
}
