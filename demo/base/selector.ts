/**
 * The raw queries of the event and data managers, as the in-memory store of a local lab answers them: `$and`, `$or`,
 * comparisons, dotted names; an operator that it doesn't know filters nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import { InternalFailure } from './handling.ts';

type Query = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Query {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function field(document: unknown, name: string): unknown {
  let found: unknown = document;
  for (const part of name.split('.')) found = isObject(found) ? found[part] : undefined;
  return found ?? null;
}

/** Python compares numbers with numbers and texts with texts; anything else raises. */
function order(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : Number(left > right);
  throw new InternalFailure(`cannot compare ${typeof left} and ${typeof right}`);
}

function oneOf(value: unknown, list: unknown): boolean {
  if (!Array.isArray(list)) throw new InternalFailure('argument is not a list');
  return list.some((item) => isDeepStrictEqual(item, value));
}

function applies(value: unknown, operator: string, operand: unknown): boolean {
  switch (operator) {
    case '$eq':
      return isDeepStrictEqual(value, operand);
    case '$ne':
      return !isDeepStrictEqual(value, operand);
    case '$gt':
      return value !== null && order(value, operand) > 0;
    case '$gte':
      return value !== null && order(value, operand) >= 0;
    case '$lt':
      return value !== null && order(value, operand) < 0;
    case '$lte':
      return value !== null && order(value, operand) <= 0;
    case '$in':
      return oneOf(value, operand);
    case '$nin':
      return !oneOf(value, operand);
    case '$exists':
      return (value !== null) === operand;
    default:
      return true;
  }
}

function every(document: unknown, queries: unknown): boolean[] {
  if (!Array.isArray(queries)) throw new InternalFailure('argument is not a list');
  return queries.map((query) => matches(document, query));
}

/** Whether the document is one that the selector asks for; a selector that is no object is a bare 500. */
export function matches(document: unknown, selector: unknown): boolean {
  if (!isObject(selector)) throw new InternalFailure('the selector is not an object');
  return Object.entries(selector).every(([name, condition]) => {
    if (name === '$or') return every(document, condition).some(Boolean);
    if (name === '$and') return every(document, condition).every(Boolean);
    const value = field(document, name);
    if (!isObject(condition)) return isDeepStrictEqual(value, condition);
    return Object.entries(condition).every(([operator, operand]) => applies(value, operator, operand));
  });
}
