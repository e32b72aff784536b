import { describe, expect, it } from 'vitest';
import { valueTypeFromSchema } from './jsonSchema.ts';
import { valueTypeFromPython } from './pythonType.ts';
import { anyShape, integerShape, withLimits, realShape, textShape, type Shape } from './shape.ts';
import { extractLimits, extractUnit } from './descriptionHints.ts';

const choice = (...options: unknown[]): Shape => ({ kind: 'choice', options });
const list = (item: Shape): Shape => ({ kind: 'list', item });
const objectShape: Shape = { kind: 'json', expects: 'object' };

describe('a Python type annotation', () => {
  it.each<[string, Shape, boolean?]>([
    ['int', integerShape],
    ["<class 'int'>", integerShape],
    ['float', realShape],
    ['str', textShape],
    ['bool', { kind: 'boolean' }],
    ['dict', objectShape],
    ['dict[str, float]', objectShape],
    ['typing.Dict[str, typing.Any]', objectShape],
    ['list', list(anyShape)],
    ['list[str]', list(textShape)],
    ['List[List[int]]', list(list(integerShape))],
    ['Optional[int]', integerShape, true],
    ['typing.Optional[float]', realShape, true],
    ['int | None', integerShape, true],
    ['Union[int, None]', integerShape, true],
    ['int | float', realShape],
    ['Union[str, int]', anyShape],
    ['Optional[list[str]]', list(textShape), true],
    ["Literal['a', 'b']", choice('a', 'b')],
    ["Literal['a', None]", choice('a'), true],
    ['Literal[1, 2.5, True]', choice(1, 2.5, true)],
    ["Literal['a'] | Literal['b']", choice('a', 'b')],
    ['tuple[float, float]', { kind: 'list', item: realShape, minItems: 2, maxItems: 2 }],
    ['tuple[int, ...]', list(integerShape)],
    ['tuple[int, str]', { kind: 'json', expects: 'list' }],
    ['Annotated[int, Ge(ge=0), Le(le=10)]', withLimits(integerShape, { minimum: 0, maximum: 10 })],
    ['Annotated[float, Gt(0), MultipleOf(0.5)]', withLimits(realShape, { above: 0, multipleOf: 0.5 })],
    ["Annotated[str, Field(max_length=8, description='a name')]", { kind: 'text', maxLength: 8 }],
    ['conint(ge=1, lt=4)', withLimits(integerShape, { minimum: 1, below: 4 })],
    ['Annotated[Optional[float], Ge(-1)]', withLimits(realShape, { minimum: -1 }), true],
    ['list[Path]', list(textShape)],
    ['LocationArgument', { kind: 'location' }],
    ['madsci.common.types.location_types.LocationArgument', { kind: 'location' }],
    ['PlateType', anyShape],
    ['', anyShape],
    ['list[', anyShape],
    ['int; import os', anyShape],
    ['Any', anyShape],
  ])('becomes a shape: %s', (source, shape, nullable = false) => {
    expect(valueTypeFromPython(source)).toMatchObject({ shape, nullable });
  });

  it('may contain a unit of at most 8 characters', () => {
    expect(valueTypeFromPython("Annotated[float, 'µL', Ge(0)]").unit).toBe('µL');
    expect(valueTypeFromPython("Annotated[float, 'how much is to be moved']").unit).toBeNull();
  });
});

describe('a JSON schema', () => {
  const $defs = { Speed: { type: 'integer', minimum: 1, maximum: 100 }, Loop: { anyOf: [{ $ref: '#/$defs/Loop' }] } };
  it.each<[object, Shape, boolean?]>([
    [{ type: 'integer', minimum: 0, exclusiveMaximum: 10 }, withLimits(integerShape, { minimum: 0, below: 10 })],
    [{ type: 'number', multipleOf: 0.1 }, withLimits(realShape, { multipleOf: 0.1 })],
    [
      { type: 'string', minLength: 1 },
      { kind: 'text', minLength: 1 },
    ],
    [{ type: ['string', 'null'] }, textShape, true],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, integerShape, true],
    [{ enum: ['slow', 'fast', null] }, choice('slow', 'fast'), true],
    [{ const: 3 }, choice(3)],
    [
      { type: 'array', items: { type: 'string' }, maxItems: 3 },
      { kind: 'list', item: textShape, maxItems: 3 },
    ],
    [{ type: 'array' }, list(anyShape)],
    [{ type: 'object', properties: {} }, objectShape],
    [{ $ref: '#/$defs/Speed', $defs }, withLimits(integerShape, { minimum: 1, maximum: 100 })],
    [{ $ref: '#/$defs/Loop', $defs }, anyShape],
    [{ $ref: '#/$defs/Missing' }, anyShape],
    [{ allOf: [{ $ref: '#/$defs/Speed' }], $defs }, withLimits(integerShape, { minimum: 1, maximum: 100 })],
    [{}, anyShape],
  ])('becomes a shape: %o', (schema, shape, nullable = false) => {
    expect(valueTypeFromSchema(schema as Record<string, unknown>)).toMatchObject({ shape, nullable });
  });

  it.each([
    [{ $ref: '#/$defs/Volume', unit: 'ml' }, 'ml'],
    [{ allOf: [{ $ref: '#/$defs/Volume' }], unit: 'ml' }, 'ml'],
    [{ $ref: '#/$defs/Volume' }, 'µl'],
    [{ $ref: '#/$defs/Missing', unit: 'ml' }, 'ml'],
  ])('has the unit next to a reference, or else that of its target: %o', (schema, unit) => {
    const Volume = { type: 'number', unit: 'µl' };
    expect(valueTypeFromSchema({ ...schema, $defs: { Volume } }).unit).toBe(unit);
  });
});

describe('a description', () => {
  it.each([
    ['nm', 'nm'],
    ['µL', 'µL'],
    ['Percent', '%'],
    ['Volume to move (ul)', 'µL'],
    ['Volume [mL], 0.1 to 5', 'mL'],
    ['How long, in seconds', 's'],
    ['Temperature in °C, at most 95', '°C'],
    ['Wavelength, 340-800 nm', 'nm'],
    ['Speed (mm/s)', 'mm/s'],
    ['second number', null],
    ['In which row', null],
    ['The command, in words', null],
    ['', null],
  ])('states a unit or none: %j states %j', (description, unit) => {
    expect(extractUnit(description)).toBe(unit);
  });

  it.each([
    ['0 to 100', { minimum: 0, maximum: 100 }],
    ['Wavelength, 340-800 nm', { minimum: 340, maximum: 800 }],
    ['340 nm – 800 nm', { minimum: 340, maximum: 800 }],
    ['between -5 and 95 °C', { minimum: -5, maximum: 95 }],
    ['at least 1, at most 12', { minimum: 1, maximum: 12 }],
    ['max. 1000', { maximum: 1000 }],
    ['≥ 0.5', { minimum: 0.5 }],
    ['second number', {}],
  ])('states the limits of a value: %j states %o', (description, limits) => {
    expect(extractLimits(description)).toEqual(limits);
  });
});
