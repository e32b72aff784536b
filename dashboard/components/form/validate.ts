/** Validates a value against a shape, for forms and for the check of workflow definitions. */
import { sameJson } from '#api/sameJson.ts';
import { readScalar } from './jsonText.ts';
import { schemaFormTexts } from './texts.ts';
import type { Limits, Shape } from './declared/shape.ts';
import { formatJson, toNumber } from '#api/exactJson.ts';

const texts = schemaFormTexts;

/** Returns the limits as text: `0 to 10`; empty if there are none. */
export function formatLimitRange({ minimum, maximum, above, below, multipleOf }: Limits): string {
  const limits: string[] = [];
  if (minimum !== undefined && maximum !== undefined) limits.push(`${minimum} to ${maximum}`);
  else if (minimum !== undefined) limits.push(`at least ${minimum}`);
  else if (maximum !== undefined) limits.push(`at most ${maximum}`);
  if (above !== undefined) limits.push(`more than ${above}`);
  if (below !== undefined) limits.push(`less than ${below}`);
  if (multipleOf !== undefined) limits.push(`a multiple of ${multipleOf}`);
  return limits.join(', ');
}

/** Returns whether a number is within its limits. */
export function isWithinLimits(value: number, { minimum, maximum, above, below, multipleOf }: Limits): boolean {
  if (minimum !== undefined && value < minimum) return false;
  if (maximum !== undefined && value > maximum) return false;
  if (above !== undefined && value <= above) return false;
  if (below !== undefined && value >= below) return false;
  if (multipleOf === undefined || multipleOf === 0) return true;
  const multiples = value / multipleOf;
  return Math.abs(multiples - Math.round(multiples)) < 1e-9 * Math.max(1, Math.abs(multiples));
}

function describeKind(value: unknown): string {
  if (value === null || value === undefined) return texts.kinds.null;
  if (Array.isArray(value)) return texts.kinds.list;
  const kind = toNumber(value) === null ? typeof value : 'number';
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? texts.kinds[kind] : texts.kinds.object;
}

/** Returns the name of a shape. */
export function describeShape(shape: Shape): string {
  switch (shape.kind) {
    case 'number':
      return shape.integer ? 'whole number' : 'number';
    case 'text':
      return 'text';
    case 'boolean':
      return 'true or false';
    case 'choice':
      return 'choice';
    case 'list':
      return `list of ${describeShape(shape.item)}`;
    case 'json':
      return { object: 'JSON object', list: 'JSON list', any: 'any JSON value' }[shape.expects];
    case 'location':
      return 'location';
    case 'file':
      return shape.several ? 'files' : 'file';
  }
}

function checkLength(count: number, min = 0, max = Number.POSITIVE_INFINITY): 'few' | 'many' | null {
  if (count < min) return 'few';
  return count > max ? 'many' : null;
}

function findListProblem(shape: Extract<Shape, { kind: 'list' }>, value: readonly unknown[]): string | null {
  const { minItems, maxItems } = shape;
  const length = checkLength(value.length, minItems, maxItems);
  if (length !== null && minItems !== undefined && minItems === maxItems) return `Exactly ${minItems} items.`;
  if (length === 'few') return `At least ${minItems ?? 0} items.`;
  if (length === 'many') return `At most ${maxItems ?? 0} items.`;
  for (const [index, item] of value.entries()) {
    const problem = validateValue(shape.item, item);
    if (problem !== null) return texts.problems.item(index + 1, problem);
  }
  return null;
}

function findTextProblem(shape: Extract<Shape, { kind: 'text' }>, value: string): string | null {
  if (shape.isName === true && value.trim() === '') return 'Required: blanks alone are not enough.';
  const scalar = shape.isScalar === true ? readScalar(value) : null;
  if (scalar?.ok === false) return scalar.problem;
  switch (checkLength(value.length, shape.minLength, shape.maxLength)) {
    case 'few':
      return `At least ${shape.minLength ?? 0} characters.`;
    case 'many':
      return `At most ${shape.maxLength ?? 0} characters.`;
    case null:
      return null;
  }
}

/** Returns what is wrong with the value; `null` when it is valid. The caller decides whether null itself is allowed. */
export function validateValue(shape: Shape, value: unknown): string | null {
  const wrongType = () => texts.problems.expectedType(describeShape(shape), describeKind(value));
  switch (shape.kind) {
    case 'number': {
      const number = toNumber(value);
      if (number === null) return wrongType();
      if (shape.integer && !Number.isInteger(number)) return `${formatJson(value)} is not a whole number.`;
      return isWithinLimits(number, shape.limits)
        ? null
        : `${formatJson(value)} is out of range: ${formatLimitRange(shape.limits)}.`;
    }
    case 'text':
      return typeof value === 'string' && toNumber(value) === null ? findTextProblem(shape, value) : wrongType();
    case 'boolean':
      return typeof value === 'boolean' ? null : wrongType();
    case 'choice': {
      if (shape.options.some((option) => sameJson(option, value))) return null;
      return `It must be one of ${shape.options.map((option) => formatJson(option)).join(', ')}.`;
    }
    case 'list':
      return Array.isArray(value) ? findListProblem(shape, value) : wrongType();
    case 'json':
      if (shape.expects === 'any') return null;
      if (shape.expects === 'list') return Array.isArray(value) ? null : wrongType();
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : wrongType();
    case 'location':
      return typeof value === 'string' || (typeof value === 'object' && value !== null) ? null : wrongType();
    case 'file':
      return null;
  }
}
