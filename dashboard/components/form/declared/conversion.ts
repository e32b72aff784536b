/**
 * The values that a node converts instead of rejecting: pydantic's lax mode reads numbers and booleans from some
 * strings.
 */
import { validateValue } from '../validate.ts';
import { anyShape, type Shape } from './shape.ts';
import { toNumber } from '#api/exactJson.ts';

const numberText = /^\s*[+-]?(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;
const booleanTexts: ReadonlySet<string> = new Set('true false yes no on off y n t f 1 0'.split(' '));

function parseLaxNumber(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' && numberText.test(value) ? Number(value.replaceAll('_', '')) : null;
}

/**
 * Returns whether the node accepts the value although it doesn't have the shape.
 * @param typeText the type as the node declares it
 */
export function isConvertible(shape: Shape, value: unknown, typeText: string): boolean {
  if (/\bstrict/i.test(typeText)) return false;
  switch (shape.kind) {
    case 'number': {
      const number = parseLaxNumber(value);
      return number !== null && validateValue(shape, number) === null;
    }
    case 'boolean':
      return (
        toNumber(value) === 0 ||
        toNumber(value) === 1 ||
        (typeof value === 'string' && booleanTexts.has(value.toLowerCase()))
      );
    // A timestamp is valid for a date or a time.
    case 'text':
      return toNumber(value) !== null && /date|time/i.test(typeText);
    case 'list':
      return (
        Array.isArray(value) &&
        validateValue({ ...shape, item: anyShape }, value) === null &&
        value.every((item) => validateValue(shape.item, item) === null || isConvertible(shape.item, item, typeText))
      );
    default:
      return false;
  }
}
