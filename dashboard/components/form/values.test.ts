import { describe, expect, it } from 'vitest';
import {
  createEntries,
  entryFromValue,
  editEntry,
  createEntry,
  createItem,
  readEntry,
  readField,
  readForm,
} from './entry.ts';
import { fieldsOfAction, fieldsOfParameters, formatLimits, exceedsDescribedLimits, type FormField } from './field.ts';
import { formatFileSize, readNumber } from './numberText.ts';
import { schemaFormTexts } from './texts.ts';
import { validateValue } from './validate.ts';
import { readJson } from './jsonText.ts';
import { packEntries, unpackEntries } from './formStorage.ts';
import { valueTypeFromPython } from './declared/pythonType.ts';
import { anyShape } from './declared/shape.ts';

describe('readNumber', () => {
  it.each([
    ['3', 3],
    [' -2.5 ', -2.5],
    ['−4', -4],
    ['1e3', 1000],
    ['.5', 0.5],
    ['0', 0],
    ['1,000,000', 1_000_000],
    ['1,234.5', 1234.5],
    ['1.234,5', 1234.5],
    ['1 000', 1000],
    ['12\u202f345.5', 12_345.5],
    ["1'000'000", 1_000_000],
    ['1,5', 1.5],
    ['0,125', 0.125],
    ['-12,50', -12.5],
  ])('converts %j to %d', (text, value) => expect(readNumber(text)).toEqual({ ok: true, value }));

  it.each([
    ['', /not 0/],
    ['1,000', /Write 1\.000 for the fraction, 1000 for the whole number/],
    ['1,00,000', /without commas/],
    ['10’00', /without separators/],
    ['10 00', /without separators/],
    ["1 000'000", /without separators/],
    ['NaN', /can’t be sent/],
    ['1e999', /can’t be sent/],
    ['0x10', /not a number/],
    ['five', /“five” is not a number/],
    ['9007199254740993', /too large/],
  ])('returns a problem for %j', (text, problem) => {
    expect(readNumber(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });
});

describe('readJson', () => {
  it.each([
    ['{"a": 1,}', 'Character 9: remove the comma before “}”, or add a value.'],
    ["{'a': 1}", 'Character 2: enclose text in double quotes ("), not single quotes.'],
    ['[1,\n True]', 'Line 2, character 2: in JSON, write true, not True.'],
    ['[1, 2', 'Character 6: the text ends before the value is complete.'],
    ['{"a": {"b": [1]', 'Character 16: the text ends before the value is complete.'],
    ['A1', /“A1” is neither a number/],
    ['{"a" 1}', /^Character 6: “1” isn’t allowed here/],
  ])('returns a problem with position and reason for %j', (text, problem) => {
    expect(readJson(text)).toEqual({
      ok: false,
      problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
    });
  });
  it('returns the parsed value', () =>
    expect(readJson('{"a": [1, null]}')).toEqual({ ok: true, value: { a: [1, null] } }));
});

describe('validateValue', () => {
  it.each([
    ['int', 3, null],
    ['int', 3.5, '3.5 is not a whole number.'],
    ['int', '3', 'It must be a whole number, not a text.'],
    ['Annotated[int, Ge(0), Le(10)]', 11, '11 is out of range: 0 to 10.'],
    ['Annotated[float, MultipleOf(0.1)]', 0.3, null],
    ['Annotated[float, Gt(0)]', 0, '0 is out of range: more than 0.'],
    ["Literal['a','b']", 'c', 'It must be one of a, b.'],
    ['list[int]', [1, 'x'], 'Item 2: It must be a whole number, not a text.'],
    ['tuple[int, int]', [1], 'Exactly 2 items.'],
    ['dict', [], 'It must be a JSON object, not a list.'],
    ['bool', 1, 'It must be true or false, not a number.'],
    ['Thing', { any: 1 }, null],
  ])('returns for $1 as $0: $2', (type, value, problem) =>
    expect(validateValue(valueTypeFromPython(type).shape, value)).toBe(problem),
  );
});

const argument = (name: string, type: string, overrides: object = {}) => ({
  name,
  argument_type: type,
  required: true,
  default: null,
  ...overrides,
});
const action = {
  args: {
    volume: argument('volume', 'float', { description: 'µL, 1 to 200' }),
    well: argument('well', 'str', { required: false, default: 'A1' }),
    mix: argument('mix', 'Optional[bool]', { required: false }),
    cycles: argument('cycles', 'Optional[int]', { required: false, default: 3 }),
    plan: argument('plan', 'dict', { required: false, json_schema: { type: 'array', items: { type: 'integer' } } }),
  },
  locations: { plate: argument('plate', 'location') },
  files: { protocol: argument('protocol', 'file'), extra: argument('extra', 'list[Path]', { required: false }) },
};
const fields = fieldsOfAction(action);
const field = (name: string): FormField => fields.find((candidate) => candidate.name === name)!;
const key = (name: string) => `${field(name).section}.${name}`;

describe('the fields of an action', () => {
  it('have type, unit, range and default', () => {
    expect(field('volume')).toMatchObject({
      unit: 'µL',
      required: true,
      describedLimits: { minimum: 1, maximum: 200 },
    });
    expect(formatLimits(field('volume'))).toBe('1 to 200');
    expect(exceedsDescribedLimits(field('volume'), 500)).toBe(true);
    expect(field('well')).toMatchObject({ default: 'A1', unit: null, required: false });
    expect(field('plan').shape).toMatchObject({ kind: 'list' });
    expect(field('plate')).toMatchObject({ section: 'locations', shape: { kind: 'location' } });
    expect(field('extra').shape).toEqual({ kind: 'file', several: true });
  });

  it('are read without the empty ones, and the missing ones are listed', () => {
    const { value, valid, problems } = readForm(fields, {});
    expect(value).toEqual({ args: {}, locations: {}, files: {} });
    expect(valid).toBe(false);
    expect(problems.map(({ name }) => name)).toEqual(['volume', 'plate', 'protocol']);
  });

  it('are read with their values', () => {
    const file = new File(['x'], 'run.py');
    const outcome = readForm(
      fields,
      createEntries(
        fields,
        { fields: [], entries: {} },
        {
          args: { volume: 12.5, mix: false, cycles: null, plan: [1, 2] },
          locations: { plate: 'deck_1' },
          files: { protocol: file },
        },
      ),
    );
    expect(outcome).toMatchObject({
      valid: true,
      value: { args: { volume: 12.5, mix: false, cycles: null, plan: [1, 2] } },
    });
    expect(outcome.value.args).not.toHaveProperty('well');
    expect(outcome.value.files['protocol']).toBe(file);
  });
});

describe('the entry of a field', () => {
  const type = (text: string) => valueTypeFromPython(text).shape;

  it('distinguishes untouched from empty', () => {
    const number = editEntry(type('int'), createItem(), { text: '' });
    expect(number.state).toBe('untouched');
    expect(readField({ ...field('cycles'), default: null }, number)).toEqual({ ok: true, value: undefined });
    const emptied = editEntry(type('str'), createEntry(field('well')), { text: '' });
    expect(readField(field('well'), emptied)).toEqual({ ok: true, value: '' });
    const list = editEntry(type('list[int]'), createEntry(field('plan')), { items: [] });
    expect(readField(field('plan'), list)).toEqual({ ok: true, value: [] });
    expect(editEntry({ kind: 'boolean' }, createItem(), { flag: null }).state).toBe('untouched');
  });

  it('does not read an empty item of a list of numbers as 0', () => {
    const entry = editEntry(type('list[int]'), createItem(), { items: [createItem()] });
    expect(readEntry(type('list[int]'), entry)).toEqual({
      ok: false,
      problem: expect.stringMatching(/Item 1: .*not 0/),
    });
  });

  it('accepts null only for optional fields', () => {
    const none = { ...createItem(), state: 'none' as const };
    expect(readField(field('cycles'), none)).toEqual({ ok: true, value: null });
    expect(readField(field('volume'), none).ok).toBe(false);
  });

  it.each(['int', 'str', 'bool', "Literal['a', 2]", 'list[float]', 'dict', 'Any'])(
    'displays a value of %s and returns it unchanged',
    (typeName) => {
      const values: Record<string, unknown> = {
        int: 4,
        str: ' kept ',
        bool: false,
        "Literal['a', 2]": 2,
        'list[float]': [0.5, 2],
        dict: { a: [1] },
        Any: 'A1',
      };
      expect(readEntry(type(typeName), entryFromValue(type(typeName), values[typeName], 'given'))).toEqual({
        ok: true,
        value: values[typeName],
      });
    },
  );

  const editedEntries = createEntries(
    fields,
    { fields: [], entries: {} },
    { args: { volume: 7, plan: [1] }, files: { protocol: new File([], 'a') } },
  );

  it('stays if its field is unchanged, and is reset if the field’s type changes', () => {
    const fewer = fields.filter(({ name }) => name !== 'mix');
    expect(createEntries(fewer, { fields, entries: editedEntries })[key('volume')]).toBe(editedEntries[key('volume')]);
    const changedFields = fields.map((formField) =>
      formField.name === 'volume' ? { ...formField, shape: anyShape } : formField,
    );
    expect(createEntries(changedFields, { fields, entries: editedEntries })[key('volume')]?.text).toBe('');
  });

  it('is stored without its files', () => {
    const stored = unpackEntries(JSON.parse(JSON.stringify(packEntries(editedEntries))));
    const restored = readForm(fields, createEntries(fields, { fields, entries: stored }));
    expect(restored.value.args).toEqual({ volume: 7, plan: [1] });
    expect(restored.problems.map(({ name }) => name)).toEqual(['plate', 'protocol']);
    expect(unpackEntries('broken')).toEqual({});
    expect(unpackEntries({ a: { given: 'maybe' }, b: null })).toEqual({});
  });
});

describe('the fields of a workflow', () => {
  const parameters = {
    json_inputs: [{ key: 'points', default: 40 }, { key: 'where' }, { key: 'free', default: null, description: 'nm' }],
    file_inputs: [{ key: 'protocol' }],
  };
  it('have the types of their uses, else of their defaults', () => {
    const uses = { where: { shape: { kind: 'location' as const }, typeText: null, unit: null, nullable: false } };
    expect(
      fieldsOfParameters(parameters, uses).map(({ section, name, shape, required }) => [
        section,
        name,
        shape.kind,
        required,
      ]),
    ).toEqual([
      ['args', 'points', 'number', false],
      ['args', 'where', 'location', true],
      ['args', 'free', 'json', true],
      ['files', 'protocol', 'file', true],
    ]);
  });
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1234, '1.2 kB'],
  [123_456, '123 kB'],
  [5_000_000, '5 MB'],
  [999_499, '999 kB'],
  [999_950, '1 MB'],
])('formatFileSize of %d bytes is %s', (bytes, expected) => expect(formatFileSize(bytes)).toBe(expected));

describe('a field for an ID', () => {
  const id = '01M7YEZGAZMTTE3RWYNVGA29Z5';
  const [idField] = fieldsOfAction({
    args: {
      resource_id: { name: 'resource_id', argument_type: 'str', required: true, default: null, description: '' },
    },
  });

  it.each([
    ['resource', 'resources', false],
    ['source_resource_id', 'resources', true],
    ['location_id', 'locationIds', true],
    ['node_id', 'nodeIds', true],
    ['experiment_ids', 'experiments', true],
    ['workflow_id', 'workflows', true],
    ['plate_name', null, false],
  ])('is recognized by its name: %s refers to %s, and is for an ID: %s', (name, refersTo, isId) => {
    const args = { [name]: { name, argument_type: 'str', required: true, default: null, description: '' } };
    expect(fieldsOfAction({ args })[0]).toMatchObject({ refersTo, isId });
  });

  it('accepts only an ID', () => {
    const read = (text: string) => readField(idField!, editEntry(idField!.shape, createEntry(idField!), { text }));
    expect(read(id)).toEqual({ ok: true, value: id });
    expect(read('tip_rack_1')).toEqual({ ok: false, problem: schemaFormTexts.problems.notId('tip_rack_1') });
  });
});
