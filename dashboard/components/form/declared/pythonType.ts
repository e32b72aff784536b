/** Converts a Python type annotation, as nodes declare their arguments, to the shape of a value. */
import { sameJson } from '../../../base/sameJson.ts';
import { readPython, type Argument, type PythonNode } from './pythonSyntax.ts';
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

const byName: Readonly<Record<string, Shape>> = {
  int: integer,
  integer,
  strictint: integer,
  positiveint: withLimits(integer, { above: 0 }),
  nonnegativeint: withLimits(integer, { minimum: 0 }),
  float: real,
  number: real,
  double: real,
  decimal: real,
  strictfloat: real,
  positivefloat: withLimits(real, { above: 0 }),
  nonnegativefloat: withLimits(real, { minimum: 0 }),
  str: text,
  string: text,
  strictstr: text,
  path: text,
  datetime: text,
  date: text,
  time: text,
  uuid: text,
  bool: { kind: 'boolean' },
  boolean: { kind: 'boolean' },
  strictbool: { kind: 'boolean' },
  dict: { kind: 'json', expects: 'object' },
  mapping: { kind: 'json', expects: 'object' },
  mutablemapping: { kind: 'json', expects: 'object' },
  object: { kind: 'json', expects: 'any' },
  any: anything,
  location: { kind: 'location' },
  locationargument: { kind: 'location' },
  file: { kind: 'file', several: false },
};

const lists = new Set(['list', 'sequence', 'mutablesequence', 'iterable', 'collection', 'set', 'frozenset', 'tuple']);

/** Names of limits in annotated-types and pydantic. */
const limitNames: Readonly<Record<string, keyof Limits>> = {
  ge: 'minimum',
  gt: 'above',
  le: 'maximum',
  lt: 'below',
  multiple_of: 'multipleOf',
};

interface Notes {
  limits: { -readonly [Name in keyof Limits]: Limits[Name] };
  length: { min?: number; max?: number };
  unit: string | null;
}

function note(notes: Notes, name: string, node: PythonNode): void {
  if (node.kind !== 'value') return;
  const { value } = node;
  if (name === 'unit' && typeof value === 'string') notes.unit = value;
  if (typeof value !== 'number') return;
  const limit = limitNames[name];
  if (limit !== undefined) notes.limits[limit] = value;
  if (name === 'min_length' || name === 'min_items') notes.length.min = value;
  if (name === 'max_length' || name === 'max_items') notes.length.max = value;
}

/** Reads the constraints of a call: `Ge(ge=0)`, `Ge(0)`, `Field(ge=0, le=10)`, `Interval(gt=0)`, `MinLen(1)`. */
function noteCall(notes: Notes, name: string, input: readonly Argument[]): void {
  const alone: Readonly<Record<string, string>> = {
    ge: 'ge',
    gt: 'gt',
    le: 'le',
    lt: 'lt',
    multipleof: 'multiple_of',
    minlen: 'min_length',
    maxlen: 'max_length',
  };
  for (const argument of input) {
    const as = argument.name ?? alone[name.toLowerCase()];
    if (as !== undefined) note(notes, as, argument.value);
  }
}

function shapeOfAnnotated([annotated, ...metadata]: readonly PythonNode[]): ValueType {
  if (annotated === undefined) return makeValueType(anything);
  const inner = typeOf(annotated);
  const notes: Notes = { limits: {}, length: {}, unit: inner.unit };
  for (const item of metadata) {
    if (item.kind === 'call') noteCall(notes, item.name, item.arguments);
    if (item.kind === 'value' && typeof item.value === 'string' && item.value.length <= 8) notes.unit = item.value;
  }
  return makeValueType(withLimits(inner.shape, notes.limits, notes.length), inner.nullable, notes.unit);
}

function union(members: readonly PythonNode[]): ValueType {
  const isNone = (node: PythonNode) =>
    (node.kind === 'value' && node.value === null) || (node.kind === 'name' && node.name === 'NoneType');
  const types = members.filter((node) => !isNone(node)).map(typeOf);
  const nullable = types.length < members.length || types.some((type) => type.nullable);
  return makeValueType(either(types.map(({ shape }) => shape)), nullable, types[0]?.unit ?? null);
}

function listOf(name: string, items: readonly PythonNode[]): Shape {
  if (name !== 'tuple') {
    const item = items[0] === undefined ? anything : typeOf(items[0]).shape;
    return item.kind === 'file' ? { kind: 'file', several: true } : { kind: 'list', item };
  }
  const open = items.length === 2 && items[1]?.kind === 'name' && items[1].name === '...';
  const shapes = (open ? items.slice(0, 1) : items).map((node) => typeOf(node).shape);
  const [first] = shapes;
  if (first === undefined || shapes.some((shape) => !sameJson(shape, first))) return { kind: 'json', expects: 'list' };
  return open
    ? { kind: 'list', item: first }
    : { kind: 'list', item: first, minItems: items.length, maxItems: items.length };
}

function shapeOfNamed(name: string, items: readonly PythonNode[]): ValueType {
  const lower = name.toLowerCase();
  if (lower === 'optional') return { ...union(items), nullable: true };
  if (lower === 'union') return union(items);
  if (lower === 'annotated') return shapeOfAnnotated(items);
  if (lower === 'literal') {
    const options = items.flatMap((node) => (node.kind === 'value' ? [node.value] : []));
    const choices = options.filter((option) => option !== null);
    return makeValueType({ kind: 'choice', options: choices }, choices.length < options.length);
  }
  if (lists.has(lower)) return makeValueType(listOf(lower, items));
  return makeValueType(byName[lower] ?? anything);
}

function typeOf(node: PythonNode): ValueType {
  switch (node.kind) {
    case 'either':
      return union(node.items);
    case 'name':
      return shapeOfNamed(node.name, node.items);
    case 'call': {
      // `conint(ge=0)`, `confloat(le=1)`, `constr(max_length=8)`
      const base = byName[node.name.toLowerCase().replace(/^con/, '')];
      if (base === undefined) return makeValueType(anything);
      const notes: Notes = { limits: {}, length: {}, unit: null };
      noteCall(notes, node.name, node.arguments);
      return makeValueType(withLimits(base, notes.limits, notes.length), false, notes.unit);
    }
    case 'value':
      return makeValueType(anything, node.value === null);
    case 'sequence':
      return makeValueType(anything);
  }
}

/** Returns the shape behind `Optional[int]` and similar types; any value if the annotation can't be parsed. */
export function shapeOfPython(annotation: string): ValueType {
  const tree = readPython(annotation);
  return tree === null ? makeValueType(anything) : typeOf(tree);
}
