/** Texts of counts. */

/** Created once, because constructing it takes longer than rendering a row, and at first use, because it occupies megabytes. */
let format: Intl.NumberFormat | undefined;

/** Formats a number with thousands separators: 12,500. */
export function formatNumber(count: number): string {
  if (Number.isInteger(count) && count >= 0 && count < 1000) return String(count);
  format ??= new Intl.NumberFormat('en-US');
  return format.format(count);
}

/** Formats a count with its noun: `1 event`, `12,500 events`. */
export function plural(count: number, singularForm: string, pluralForm = `${singularForm}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singularForm : pluralForm}`;
}

/** Ends a list that is cut off: `and 12 more`. */
export function andMore(count: number): string {
  return `and ${formatNumber(count)} more`;
}
