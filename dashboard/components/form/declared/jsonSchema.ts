/** Converts a JSON Schema to the shape of a value. The schema is read as data; nothing is compiled. */
import {
  anyShape,
  unionShape,
  integerShape,
  withLimits,
  realShape,
  textShape,
  makeValueType,
  type Limits,
  type Shape,
  type ValueType,
} from './shape.ts';
import { toNumber } from '#api/exactJson.ts';

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The maximum depth, because schemas may be recursive. */
const maxDepth = 8;

const asNumber = (value: unknown) => toNumber(value) ?? undefined;

/** Resolves a reference such as `#/$defs/Name`; `undefined` if it has no target. */
function resolveReference(reference: string, root: Schema): Schema | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let current: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    current = isSchema(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  }
  return isSchema(current) ? current : undefined;
}

function readLimits(schema: Schema): Limits {
  const limits: { -readonly [Name in keyof Limits]: Limits[Name] } = {};
  const readLimit = (name: keyof Limits, keyword: string) => {
    const value = asNumber(schema[keyword]);
    if (value !== undefined) limits[name] = value;
  };
  readLimit('minimum', 'minimum');
  readLimit('maximum', 'maximum');
  readLimit('above', 'exclusiveMinimum');
  readLimit('below', 'exclusiveMaximum');
  readLimit('multipleOf', 'multipleOf');
  return limits;
}

function readLengthLimits(schema: Schema, from: string, to: string): { min?: number; max?: number } {
  const [min, max] = [asNumber(schema[from]), asNumber(schema[to])];
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

function shapeOfType(type: unknown, schema: Schema, root: Schema, depth: number): Shape {
  switch (type) {
    case 'integer':
      return withLimits(integerShape, readLimits(schema));
    case 'number':
      return withLimits(realShape, readLimits(schema));
    case 'string':
      return schema['format'] === 'binary'
        ? { kind: 'file', several: false }
        : withLimits(textShape, {}, readLengthLimits(schema, 'minLength', 'maxLength'));
    case 'boolean':
      return { kind: 'boolean' };
    case 'array': {
      const item = isSchema(schema['items']) ? readSchema(schema['items'], root, depth + 1).shape : anyShape;
      return withLimits({ kind: 'list', item }, {}, readLengthLimits(schema, 'minItems', 'maxItems'));
    }
    case 'object':
      return { kind: 'json', expects: 'object' };
    default:
      return anyShape;
  }
}

function typeOfMembers(members: readonly unknown[], unit: string | null, root: Schema, depth: number): ValueType {
  const schemas = members.filter(isSchema);
  const nonNull = schemas.filter((member) => member['type'] !== 'null');
  const types = nonNull.map((member) => readSchema(member, root, depth + 1));
  const nullable = nonNull.length < schemas.length || types.some((type) => type.nullable);
  return makeValueType(unionShape(types.map(({ shape }) => shape)), nullable, unit ?? types[0]?.unit ?? null);
}

function readSchema(schema: Schema, root: Schema, depth: number): ValueType {
  if (depth > maxDepth) return makeValueType(anyShape);
  const unit = typeof schema['unit'] === 'string' ? schema['unit'] : null;
  const withUnit = (type: ValueType) => makeValueType(type.shape, type.nullable, unit ?? type.unit);
  if (typeof schema['$ref'] === 'string') {
    const referred = resolveReference(schema['$ref'], root);
    return referred === undefined
      ? makeValueType(anyShape, false, unit)
      : withUnit(readSchema(referred, root, depth + 1));
  }
  if (Array.isArray(schema['enum'])) {
    const options = schema['enum'].filter((option) => option !== null);
    return makeValueType({ kind: 'choice', options }, options.length < schema['enum'].length, unit);
  }
  if ('const' in schema) return makeValueType({ kind: 'choice', options: [schema['const']] }, false, unit);
  const members = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(members)) return typeOfMembers(members, unit, root, depth);
  const all = schema['allOf'];
  if (Array.isArray(all) && all.length === 1 && isSchema(all[0])) return withUnit(readSchema(all[0], root, depth + 1));
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  const nonNull = types.filter((type) => type !== 'null');
  return makeValueType(
    unionShape(nonNull.map((type) => shapeOfType(type, schema, root, depth))),
    nonNull.length < types.length,
    unit,
  );
}

/** Returns the type that a schema describes; any value if the form can't show what the schema uses. */
export function valueTypeFromSchema(schema: Schema, root: Schema = schema): ValueType {
  return readSchema(schema, root, 0);
}
