/** Converts a JSON Schema to the shape of a value. The schema is read as data; nothing is compiled. */
import {
  anything,
  either,
  integer,
  withLimits,
  real,
  text,
  makeValueType,
  type Limits,
  type Shape,
  type ValueType,
} from './shape.ts';

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The maximum depth, because schemas may be recursive. */
const deepest = 8;

const numberOr = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** Resolves a reference such as `#/$defs/Name`; `undefined` if it has no target. */
function target(reference: string, root: Schema): Schema | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isSchema(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return isSchema(at) ? at : undefined;
}

function limitsOf(schema: Schema): Limits {
  const limits: { -readonly [Name in keyof Limits]: Limits[Name] } = {};
  const readLimit = (name: keyof Limits, keyword: string) => {
    const value = numberOr(schema[keyword]);
    if (value !== undefined) limits[name] = value;
  };
  readLimit('minimum', 'minimum');
  readLimit('maximum', 'maximum');
  readLimit('above', 'exclusiveMinimum');
  readLimit('below', 'exclusiveMaximum');
  readLimit('multipleOf', 'multipleOf');
  return limits;
}

function lengthOf(schema: Schema, from: string, to: string): { min?: number; max?: number } {
  const [min, max] = [numberOr(schema[from]), numberOr(schema[to])];
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

function shapeOfType(type: unknown, schema: Schema, root: Schema, depth: number): Shape {
  switch (type) {
    case 'integer':
      return withLimits(integer, limitsOf(schema));
    case 'number':
      return withLimits(real, limitsOf(schema));
    case 'string':
      return schema['format'] === 'binary'
        ? { kind: 'file', several: false }
        : withLimits(text, {}, lengthOf(schema, 'minLength', 'maxLength'));
    case 'boolean':
      return { kind: 'boolean' };
    case 'array': {
      const item = isSchema(schema['items']) ? readSchema(schema['items'], root, depth + 1).shape : anything;
      return withLimits({ kind: 'list', item }, {}, lengthOf(schema, 'minItems', 'maxItems'));
    }
    case 'object':
      return { kind: 'json', expects: 'object' };
    default:
      return anything;
  }
}

function shapeOfMembers(members: readonly unknown[], unit: string | null, root: Schema, depth: number): ValueType {
  const schemas = members.filter(isSchema);
  const some = schemas.filter((member) => member['type'] !== 'null');
  const types = some.map((member) => readSchema(member, root, depth + 1));
  const nullable = some.length < schemas.length || types.some((type) => type.nullable);
  return makeValueType(either(types.map(({ shape }) => shape)), nullable, unit ?? types[0]?.unit ?? null);
}

function readSchema(schema: Schema, root: Schema, depth: number): ValueType {
  if (depth > deepest) return makeValueType(anything);
  const unit = typeof schema['unit'] === 'string' ? schema['unit'] : null;
  if (typeof schema['$ref'] === 'string') {
    const referred = target(schema['$ref'], root);
    return referred === undefined ? makeValueType(anything) : readSchema(referred, root, depth + 1);
  }
  if (Array.isArray(schema['enum'])) {
    const options = schema['enum'].filter((option) => option !== null);
    return makeValueType({ kind: 'choice', options }, options.length < schema['enum'].length, unit);
  }
  if ('const' in schema) return makeValueType({ kind: 'choice', options: [schema['const']] }, false, unit);
  const members = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(members)) return shapeOfMembers(members, unit, root, depth);
  const all = schema['allOf'];
  if (Array.isArray(all) && all.length === 1 && isSchema(all[0])) return readSchema(all[0], root, depth + 1);
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  const some = types.filter((type) => type !== 'null');
  return makeValueType(
    either(some.map((type) => shapeOfType(type, schema, root, depth))),
    some.length < types.length,
    unit,
  );
}

/** Returns the shape that a schema describes; any value if the schema uses nothing that the form can show. */
export function shapeOfSchema(schema: Schema, root: Schema = schema): ValueType {
  return readSchema(schema, root, 0);
}
