/** The selectors of the event and data managers, as the in-memory store of a local lab evaluates them. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../api/client/wire.ts';
import { InternalFailure } from './handlers.ts';
import { toNumber } from '../../api/exactJson.ts';

/** Returns the value at a dotted path; null if missing. */
function valueAtPath(document: unknown, name: string): unknown {
  let value: unknown = document;
  for (const part of name.split('.')) value = isObject(value) ? value[part] : undefined;
  return value ?? null;
}

/** Returns a number below, above or equal to 0, as `<`, `>` and `===` compare; NaN for values without an order. */
function compareValues(left: unknown, right: unknown): number {
  const [leftNumber, rightNumber] = [toNumber(left), toNumber(right)];
  if (leftNumber !== null && rightNumber !== null) return leftNumber - rightNumber;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right);
  return Number.NaN;
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isOneOf = (value: unknown, list: unknown) => toList(list).some((item) => isDeepStrictEqual(item, value));

function matchesOperator(value: unknown, operator: string, operand: unknown): boolean {
  switch (operator) {
    case '$ne':
      return !isDeepStrictEqual(value, operand);
    case '$gte':
      return compareValues(value, operand) >= 0;
    case '$lte':
      return compareValues(value, operand) <= 0;
    case '$in':
      return isOneOf(value, operand);
    default:
      // The in-memory store ignores operators that it does not implement, such as `$regex`.
      return true;
  }
}

/** Returns whether the selector matches the document. @throws InternalFailure for a selector that is not an object */
export function matches(document: unknown, selector: unknown): boolean {
  if (!isObject(selector)) throw new InternalFailure('the selector is not an object');
  return Object.entries(selector).every(([name, condition]) => {
    if (name === '$or') return toList(condition).some((query) => matches(document, query));
    if (name === '$and') return toList(condition).every((query) => matches(document, query));
    const value = valueAtPath(document, name);
    if (!isObject(condition)) return isDeepStrictEqual(value, condition);
    return Object.entries(condition).every(([operator, operand]) => matchesOperator(value, operator, operand));
  });
}
