/** The shape of a value, from a Python type, a JSON schema or a workflow's parameter. */
import { sameJson } from '#api/sameJson.ts';

/** Bounds of a number; `above` and `below` are exclusive. */
export interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly above?: number;
  readonly below?: number;
  readonly multipleOf?: number;
}

export type Shape =
  | { readonly kind: 'number'; readonly integer: boolean; readonly limits: Limits }
  | {
      readonly kind: 'text';
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly isName?: boolean;
      /** Whether the text stands for a value of any type, as `readScalar` reads it. */
      readonly isScalar?: boolean;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly unknown[] }
  | { readonly kind: 'list'; readonly item: Shape; readonly minItems?: number; readonly maxItems?: number }
  | { readonly kind: 'json'; readonly expects: 'object' | 'list' | 'any' }
  | { readonly kind: 'location' }
  | { readonly kind: 'file'; readonly several: boolean };

/** A shape, and whether null (Python's None) is also valid. */
export interface ValueType {
  readonly shape: Shape;
  readonly nullable: boolean;
  /** The unit in the type's annotation, such as `Annotated[float, 'µL']`. */
  readonly unit: string | null;
}

export const anyShape: Shape = { kind: 'json', expects: 'any' };
export const integerShape: Shape = { kind: 'number', integer: true, limits: {} };
export const realShape: Shape = { kind: 'number', integer: false, limits: {} };
export const textShape: Shape = { kind: 'text' };
/** A text that people must be able to see: blanks alone are invalid. */
export const nameShape: Shape = { kind: 'text', isName: true };

export function makeValueType(shape: Shape, nullable = false, unit: string | null = null): ValueType {
  return { shape, nullable, unit };
}

/** Returns the shape with additional limits; those of a list or text apply to its length. */
export function withLimits(shape: Shape, limits: Limits, length: { min?: number; max?: number } = {}): Shape {
  switch (shape.kind) {
    case 'number':
      return { ...shape, limits: { ...shape.limits, ...limits } };
    case 'text':
      return {
        ...shape,
        ...(length.min === undefined ? {} : { minLength: length.min }),
        ...(length.max === undefined ? {} : { maxLength: length.max }),
      };
    case 'list':
      return {
        ...shape,
        ...(length.min === undefined ? {} : { minItems: length.min }),
        ...(length.max === undefined ? {} : { maxItems: length.max }),
      };
    default:
      return shape;
  }
}

/** Returns the shape that accepts the values of all the given shapes: the wider number, all choices, or any JSON. */
export function unionShape(shapes: readonly Shape[]): Shape {
  const [first, ...rest] = shapes;
  if (first === undefined) return anyShape;
  if (rest.every((shape) => sameJson(shape, first))) return first;
  if (shapes.every((shape) => shape.kind === 'number')) {
    const areIntegers = shapes.every((shape) => shape.kind === 'number' && shape.integer);
    return { kind: 'number', integer: areIntegers, limits: {} };
  }
  if (shapes.every((shape) => shape.kind === 'choice'))
    return { kind: 'choice', options: shapes.flatMap((shape) => (shape.kind === 'choice' ? shape.options : [])) };
  return anyShape;
}
