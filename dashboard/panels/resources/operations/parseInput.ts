/** Texts of attributes and amounts. */
import { isJsonScalar, readNumber } from '#dashboard/components/form/numberText.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';
import { resourcesTexts } from '../texts.ts';
import { findUnusedLowMark, isConsumable } from '#dashboard/managers/resource/amount.ts';
import { readUnit, unitKey, type ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { exactText, stringifyExactJson } from '#api/exactJson.ts';

/** Formats a value so that `readScalar` returns the same value; empty for a missing value. */
export function formatScalar(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string' || exactText(value) !== null) return stringifyExactJson(value);
  return isJsonScalar(value) ? stringifyExactJson(value) : value;
}

/** Returns the changed attributes: new values, or `undefined` for removed ones. */
export function findAttributeEdits(
  previous: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const keys = new Set([...Object.keys(previous), ...Object.keys(after)]);
  const isSame = (key: string): boolean =>
    Object.hasOwn(previous, key) === Object.hasOwn(after, key) &&
    stringifyExactJson(previous[key]) === stringifyExactJson(after[key]);
  return Object.fromEntries([...keys].filter((key) => !isSame(key)).map((key) => [key, after[key]]));
}

const { sameNumber, sameNumbers } = resourcesTexts.edit;

/** Returns what an edit of attributes does to the amounts of the resources, as sentences. */
export function describeAmountEffects(
  edits: Readonly<Record<string, unknown>>,
  rows: readonly ResourceRow[],
): readonly string[] {
  const notes: string[] = [];
  const unusedLowMark = findUnusedLowMark({ attributes: edits });
  if (unusedLowMark !== undefined) notes.push(resourcesTexts.page.lowMarkIgnored(stringifyExactJson(unusedLowMark)));
  if (!Object.hasOwn(edits, unitKey)) return notes;
  const unit = readUnit({ attributes: { [unitKey]: edits[unitKey] } as ResourceRow['attributes'] });
  const changed = rows.filter((row) => isConsumable(row) && row.quantity !== null && row.unit !== unit);
  const [first] = changed;
  if (first?.quantity == null) return notes;
  const format = (unitText: string): string => resourceTexts.amount(first.quantity ?? 0, unitText);
  return [...notes, changed.length === 1 ? sameNumber(format(first.unit), format(unit)) : sameNumbers];
}

const texts = resourcesTexts.operations;

export interface AmountRules {
  readonly needsWholeNumber: boolean;
  readonly capacity: number | null;
  readonly min: number;
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
