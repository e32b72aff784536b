/** Parses the text of a field: any value (number, boolean, JSON, else text), or an amount. Pure. */
import { readNumber } from '../../../components/form/numberText.ts';
import { resourceTexts } from '../../../managers/resource/texts.ts';
import { resourcesTexts } from '../texts.ts';
import type { ResourceRow } from '../../../managers/resource/resourceRow.ts';
import { exactText, hasNonFiniteNumber, parseExactJson, stringifyExactJson } from '../../../../api/exactJson.ts';

/**
 * Parses a boolean, or a JSON value with all digits of its numbers; other text stays text, such as `0012`. A text that is
 * a JSON value needs quotes: `"1.10"`.
 */
export function parseScalar(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  if (!/^[-\d[{"]/.test(trimmed)) return text;
  try {
    const value = parseExactJson(trimmed);
    // A manager that stores such a number can't return the resource any more.
    return hasNonFiniteNumber(value) ? text : value;
  } catch {
    return text;
  }
}

/** Formats a value so that `parseScalar` returns the same value; empty for a missing value. */
export function formatScalar(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' || exactText(value) !== null) return stringifyExactJson(value);
  return parseScalar(value) === value ? value : JSON.stringify(value);
}

/** Returns the changed attributes: new values, or `undefined` for removed ones. */
export function findAttributeEdits(
  previous: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const keys = new Set([...Object.keys(previous), ...Object.keys(after)]);
  return Object.fromEntries(
    [...keys].flatMap((key) =>
      JSON.stringify(previous[key]) === JSON.stringify(after[key]) ? [] : [[key, after[key]] as const],
    ),
  );
}

const texts = resourcesTexts.operations;

export interface AmountRules {
  readonly needsWholeNumber: boolean;
  readonly capacity: number | null;
  /** The minimum allowed value. */
  readonly min: number;
  /** Whether the input may be empty. */
  readonly optional: boolean;
  /** The text for a number above `capacity`, if that is another limit. */
  readonly tooMuch?: (limit: string) => string;
}

/** Returns how much can be added to and subtracted from each of the resources. */
export function findAdjustment(rows: readonly Pick<ResourceRow, 'quantity' | 'capacity'>[]): {
  readonly maxIncrease: number | null;
  readonly maxDecrease: number;
} {
  const rooms = rows.flatMap(({ quantity, capacity }) => (capacity === null ? [] : [capacity - (quantity ?? 0)]));
  return {
    maxIncrease: rooms.length === 0 ? null : Math.max(0, Math.min(...rooms)),
    maxDecrease: Math.min(...rows.map(({ quantity }) => quantity ?? 0)),
  };
}

/** @returns the number, `null` for empty text, or the reason why it is invalid */
export function parseAmount(
  text: string,
  { needsWholeNumber, capacity, min, optional, tooMuch = texts.overCapacity }: AmountRules,
): { readonly value: number | null } | { readonly problem: string } {
  if (text.trim() === '') return optional ? { value: null } : { problem: texts.needsNumber };
  const parsed = readNumber(text);
  if (!parsed.ok) return { problem: parsed.problem };
  const { value } = parsed;
  if (needsWholeNumber && !Number.isInteger(value)) return { problem: texts.whole };
  if (value < 0) return { problem: texts.notNegative };
  if (value < min) return { problem: texts.belowQuantity(resourceTexts.amount(min, '')) };
  if (capacity !== null && value > capacity) return { problem: tooMuch(resourceTexts.amount(capacity, '')) };
  return { value };
}
