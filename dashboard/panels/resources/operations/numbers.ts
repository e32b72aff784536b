/** What is typed as an amount: a number within what the resource can take, or why not. Pure. */
import { readNumber } from '../../../components/form/numberText.ts';
import { resourceTexts } from '../../../managers/resource/texts.ts';
import { resourcesTexts } from '../texts.ts';

const texts = resourcesTexts.operations;

export interface AmountRules {
  readonly whole: boolean;
  readonly capacity: number | null;
  /** The least that is allowed. */
  readonly least: number;
  /** Whether nothing typed is an answer. */
  readonly optional: boolean;
}

/** @returns the number, `null` for nothing, or why it can't be */
export function readAmount(
  text: string,
  { whole, capacity, least, optional }: AmountRules,
): { readonly value: number | null } | { readonly problem: string } {
  if (text.trim() === '') return optional ? { value: null } : { problem: texts.needsNumber };
  const read = readNumber(text);
  if (!read.ok) return { problem: read.problem };
  const { value } = read;
  if (whole && !Number.isInteger(value)) return { problem: texts.whole };
  if (value < 0) return { problem: texts.notNegative };
  if (value < least) return { problem: texts.belowQuantity(resourceTexts.amount(least, '')) };
  if (capacity !== null && value > capacity) return { problem: texts.overCapacity(resourceTexts.amount(capacity, '')) };
  return { value };
}
