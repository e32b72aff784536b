/** What a person means by a few signs where any value may stand: a number, yes or no, JSON, else the text itself. Pure. */

/** `0012` and `1.10` stay texts: a lot number keeps its zeros. */
export function looseValue(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  if (/^-?\d+(?:\.\d+)?$/.test(trimmed)) {
    const value = Number(trimmed);
    const isExact = String(value) === trimmed && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return isExact ? value : text;
  }
  if (!/^[[{"]/.test(trimmed)) return text;
  try {
    return JSON.parse(trimmed) as unknown;
  } catch {
    return text;
  }
}

/** As it is written so that `looseValue` reads the same again. */
export function looseText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return looseValue(value) === value ? value : JSON.stringify(value);
}

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
