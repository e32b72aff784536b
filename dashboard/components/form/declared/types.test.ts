import { describe, expect, it } from 'vitest';
import { shapeOfSchema } from './jsonSchema.ts';
import { shapeOfPython } from './pythonType.ts';
import { anything, integer, withLimits, real, text, type Shape } from './shape.ts';
import { statedLimits, statedUnit } from './descriptionHints.ts';

const choice = (...options: unknown[]): Shape => ({ kind: 'choice', options });
const list = (item: Shape): Shape => ({ kind: 'list', item });
const object: Shape = { kind: 'json', expects: 'object' };

describe('the text of a Python type', () => {
  it.each<[string, Shape, boolean?]>([
    ['int', integer],
    ["<class 'int'>", integer],
    ['float', real],
    ['str', text],
    ['bool', { kind: 'boolean' }],
    ['dict', object],
    ['dict[str, float]', object],
    ['typing.Dict[str, typing.Any]', object],
    ['list', list(anything)],
    ['list[str]', list(text)],
    ['List[List[int]]', list(list(integer))],
    ['Optional[int]', integer, true],
    ['typing.Optional[float]', real, true],
    ['int | None', integer, true],
    ['Union[int, None]', integer, true],
    ['int | float', real],
    ['Union[str, int]', anything],
    ['Optional[list[str]]', list(text), true],
    ["Literal['a', 'b']", choice('a', 'b')],
    ["Literal['a', None]", choice('a'), true],
    ['Literal[1, 2.5, True]', choice(1, 2.5, true)],
    ["Literal['a'] | Literal['b']", choice('a', 'b')],
    ['tuple[float, float]', { kind: 'list', item: real, minItems: 2, maxItems: 2 }],
    ['tuple[int, ...]', list(integer)],
    ['tuple[int, str]', { kind: 'json', expects: 'list' }],
    ['Annotated[int, Ge(ge=0), Le(le=10)]', withLimits(integer, { minimum: 0, maximum: 10 })],
    ['Annotated[float, Gt(0), MultipleOf(0.5)]', withLimits(real, { above: 0, multipleOf: 0.5 })],
    ["Annotated[str, Field(max_length=8, description='a name')]", { kind: 'text', maxLength: 8 }],
    ['conint(ge=1, lt=4)', withLimits(integer, { minimum: 1, below: 4 })],
    ['Annotated[Optional[float], Ge(-1)]', withLimits(real, { minimum: -1 }), true],
    ['list[Path]', list(text)],
    ['LocationArgument', { kind: 'location' }],
    ['madsci.common.types.location_types.LocationArgument', { kind: 'location' }],
    ['PlateType', anything],
    ['', anything],
    ['list[', anything],
    ['int; import os', anything],
    ['Any', anything],
  ])('is read: %s', (source, shape, nullable = false) => {
    expect(shapeOfPython(source)).toMatchObject({ shape, nullable });
  });

  it('may contain a unit', () => {
    expect(shapeOfPython("Annotated[float, 'µL', Ge(0)]").unit).toBe('µL');
    expect(shapeOfPython("Annotated[float, 'how much is to be moved']").unit).toBeNull();
  });
});

describe('a JSON schema', () => {
  const $defs = { Speed: { type: 'integer', minimum: 1, maximum: 100 }, Loop: { anyOf: [{ $ref: '#/$defs/Loop' }] } };
  it.each<[object, Shape, boolean?]>([
    [{ type: 'integer', minimum: 0, exclusiveMaximum: 10 }, withLimits(integer, { minimum: 0, below: 10 })],
    [{ type: 'number', multipleOf: 0.1 }, withLimits(real, { multipleOf: 0.1 })],
    [
      { type: 'string', minLength: 1 },
      { kind: 'text', minLength: 1 },
    ],
    [{ type: ['string', 'null'] }, text, true],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, integer, true],
    [{ enum: ['slow', 'fast', null] }, choice('slow', 'fast'), true],
    [{ const: 3 }, choice(3)],
    [
      { type: 'array', items: { type: 'string' }, maxItems: 3 },
      { kind: 'list', item: text, maxItems: 3 },
    ],
    [{ type: 'array' }, list(anything)],
    [{ type: 'object', properties: {} }, object],
    [{ $ref: '#/$defs/Speed', $defs }, withLimits(integer, { minimum: 1, maximum: 100 })],
    [{ $ref: '#/$defs/Loop', $defs }, anything],
    [{ $ref: '#/$defs/Missing' }, anything],
    [{ allOf: [{ $ref: '#/$defs/Speed' }], $defs }, withLimits(integer, { minimum: 1, maximum: 100 })],
    [{}, anything],
  ])('is read: %o', (schema, shape, nullable = false) => {
    expect(shapeOfSchema(schema as Record<string, unknown>)).toMatchObject({ shape, nullable });
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
  ])('%j states the unit %j', (description, unit) => {
    expect(statedUnit(description)).toBe(unit);
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
  ])('%j states the range %o', (description, limits) => {
    expect(statedLimits(description)).toEqual(limits);
  });
});
