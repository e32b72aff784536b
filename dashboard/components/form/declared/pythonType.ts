/** Converts a Python type annotation, as nodes declare their arguments, to the shape of a value. */
import { sameJson } from '#api/sameJson.ts';
import { parseAnnotation, type Argument, type PythonNode } from './pythonSyntax.ts';
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

const shapesByName: Readonly<Record<string, Shape>> = {
  int: integerShape,
  integer: integerShape,
  strictint: integerShape,
  positiveint: withLimits(integerShape, { above: 0 }),
  nonnegativeint: withLimits(integerShape, { minimum: 0 }),
  float: realShape,
  number: realShape,
  double: realShape,
  decimal: realShape,
  strictfloat: realShape,
  positivefloat: withLimits(realShape, { above: 0 }),
  nonnegativefloat: withLimits(realShape, { minimum: 0 }),
  str: textShape,
  string: textShape,
  strictstr: textShape,
  path: textShape,
  datetime: textShape,
  date: textShape,
  time: textShape,
  uuid: textShape,
  bool: { kind: 'boolean' },
  boolean: { kind: 'boolean' },
  strictbool: { kind: 'boolean' },
  dict: { kind: 'json', expects: 'object' },
  mapping: { kind: 'json', expects: 'object' },
  mutablemapping: { kind: 'json', expects: 'object' },
  object: { kind: 'json', expects: 'any' },
  any: anyShape,
  location: { kind: 'location' },
  locationargument: { kind: 'location' },
  file: { kind: 'file', several: false },
};

const listTypes = new Set([
  'list',
  'sequence',
  'mutablesequence',
  'iterable',
  'collection',
  'set',
  'frozenset',
  'tuple',
]);

/** Names of limits in annotated-types and pydantic. */
const limitNames: Readonly<Record<string, keyof Limits>> = {
  ge: 'minimum',
  gt: 'above',
  le: 'maximum',
  lt: 'below',
  multiple_of: 'multipleOf',
};

interface Constraints {
  limits: { -readonly [Name in keyof Limits]: Limits[Name] };
  length: { min?: number; max?: number };
  unit: string | null;
}

function addConstraint(constraints: Constraints, name: string, node: PythonNode): void {
  if (node.kind !== 'value') return;
  const { value } = node;
  if (name === 'unit' && typeof value === 'string') constraints.unit = value;
  if (typeof value !== 'number') return;
  const limit = limitNames[name];
  if (limit !== undefined) constraints.limits[limit] = value;
  if (name === 'min_length' || name === 'min_items') constraints.length.min = value;
  if (name === 'max_length' || name === 'max_items') constraints.length.max = value;
}

/** Adds the constraints of a call: `Ge(ge=0)`, `Ge(0)`, `Field(ge=0, le=10)`, `Interval(gt=0)`, `MinLen(1)`. */
function addCallConstraints(constraints: Constraints, name: string, input: readonly Argument[]): void {
  const positionalNames: Readonly<Record<string, string>> = {
    ge: 'ge',
    gt: 'gt',
    le: 'le',
    lt: 'lt',
    multipleof: 'multiple_of',
    minlen: 'min_length',
    maxlen: 'max_length',
  };
  for (const argument of input) {
    const constraintName = argument.name ?? positionalNames[name.toLowerCase()];
    if (constraintName !== undefined) addConstraint(constraints, constraintName, argument.value);
  }
}

function typeOfAnnotated([annotated, ...metadata]: readonly PythonNode[]): ValueType {
  if (annotated === undefined) return makeValueType(anyShape);
  const inner = toValueType(annotated);
  const constraints: Constraints = { limits: {}, length: {}, unit: inner.unit };
  for (const item of metadata) {
    if (item.kind === 'call') addCallConstraints(constraints, item.name, item.arguments);
    if (item.kind === 'value' && typeof item.value === 'string' && item.value.length <= 8)
      constraints.unit = item.value;
  }
  return makeValueType(
    withLimits(inner.shape, constraints.limits, constraints.length),
    inner.nullable,
    constraints.unit,
  );
}

function typeOfUnion(members: readonly PythonNode[]): ValueType {
  const isNone = (node: PythonNode) =>
    (node.kind === 'value' && node.value === null) || (node.kind === 'name' && node.name === 'NoneType');
  const types = members.filter((node) => !isNone(node)).map(toValueType);
  const nullable = types.length < members.length || types.some((type) => type.nullable);
  return makeValueType(unionShape(types.map(({ shape }) => shape)), nullable, types[0]?.unit ?? null);
}

function shapeOfList(name: string, items: readonly PythonNode[]): Shape {
  if (name !== 'tuple') {
    const item = items[0] === undefined ? anyShape : toValueType(items[0]).shape;
    return item.kind === 'file' ? { kind: 'file', several: true } : { kind: 'list', item };
  }
  const isVariadic = items.length === 2 && items[1]?.kind === 'name' && items[1].name === '...';
  const shapes = (isVariadic ? items.slice(0, 1) : items).map((node) => toValueType(node).shape);
  const [first] = shapes;
  if (first === undefined || shapes.some((shape) => !sameJson(shape, first))) return { kind: 'json', expects: 'list' };
  return isVariadic
    ? { kind: 'list', item: first }
    : { kind: 'list', item: first, minItems: items.length, maxItems: items.length };
}

function typeOfNamed(name: string, items: readonly PythonNode[]): ValueType {
  const lower = name.toLowerCase();
  if (lower === 'optional') return { ...typeOfUnion(items), nullable: true };
  if (lower === 'union') return typeOfUnion(items);
  if (lower === 'annotated') return typeOfAnnotated(items);
  if (lower === 'literal') {
    const options = items.flatMap((node) => (node.kind === 'value' ? [node.value] : []));
    const choices = options.filter((option) => option !== null);
    return makeValueType({ kind: 'choice', options: choices }, choices.length < options.length);
  }
  if (listTypes.has(lower)) return makeValueType(shapeOfList(lower, items));
  return makeValueType(shapesByName[lower] ?? anyShape);
}

function toValueType(node: PythonNode): ValueType {
  switch (node.kind) {
    case 'either':
      return typeOfUnion(node.items);
    case 'name':
      return typeOfNamed(node.name, node.items);
    case 'call': {
      // `conint(ge=0)`, `confloat(le=1)`, `constr(max_length=8)`
      const base = shapesByName[node.name.toLowerCase().replace(/^con/, '')];
      if (base === undefined) return makeValueType(anyShape);
      const constraints: Constraints = { limits: {}, length: {}, unit: null };
      addCallConstraints(constraints, node.name, node.arguments);
      return makeValueType(withLimits(base, constraints.limits, constraints.length), false, constraints.unit);
    }
    case 'value':
      return makeValueType(anyShape, node.value === null);
    case 'sequence':
      return makeValueType(anyShape);
  }
}

/** Returns the type of an annotation such as `Optional[int]`; any value if the annotation can't be parsed. */
export function valueTypeFromPython(annotation: string): ValueType {
  const tree = parseAnnotation(annotation);
  return tree === null ? makeValueType(anyShape) : toValueType(tree);
}
