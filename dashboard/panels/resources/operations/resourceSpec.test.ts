import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceTemplate } from '#api/managers/resourceTypes.ts';
import { stringifyExactJson } from '#api/exactJson.ts';
import { formatScalar } from './parseInput.ts';
import { readJson, readScalar } from '#dashboard/components/form/jsonText.ts';
import { success } from '#dashboard/components/form/numberText.ts';
import { isUsableTemplate, buildOverrides, createSpecBody, getValueAt } from './resourceSpec.ts';

const template = {
  template_name: 'rack',
  resource_name: 'rack_template',
  base_type: 'stack',
  default_values: {
    resource_class: 'storage',
    attributes: { unit: 'ml', nested: { a: 1 } },
    parent_id: 'elsewhere',
    children: [
      { resource_id: 'C', parent_id: 'R', key: '0', resource_name: 'lid', children: { x: { resource_id: 'X' } } },
    ],
  },
} as unknown as ResourceTemplate;

describe('a resource from a template', () => {
  it('has the template’s values, its own name and ID, and its own children', () => {
    const body = createSpecBody({ template, values: { 'attributes.lot': 'L7' } }, { id: 'I', name: 'rack_1' });
    expect(body).toEqual({
      base_type: 'stack',
      template_name: 'rack',
      resource_id: 'I',
      resource_name: 'rack_1',
      resource_class: 'storage',
      attributes: { unit: 'ml', nested: { a: 1 }, lot: 'L7' },
      children: [{ resource_name: 'lid', children: { x: {} } }],
    });
  });

  it('has values at nested paths in addition to the template’s values', () => {
    const defaults = template.default_values ?? {};
    const overrides = buildOverrides(defaults, { 'attributes.nested.b': 2, 'attributes.lot': 1, capacity: 4 });
    expect(overrides).toEqual({ attributes: { unit: 'ml', nested: { a: 1, b: 2 }, lot: 1 }, capacity: 4 });
    expect(getValueAt(overrides, 'attributes.nested.b')).toBe(2);
    expect(getValueAt(overrides, 'attributes.none.b')).toBeUndefined();
  });

  it.each([
    ['rack', true],
    ['Rack', false],
    ['', false],
  ])('can be created with the template name %s: %s', (template_name, isUsable) => {
    expect(isUsableTemplate({ template_name })).toBe(isUsable);
  });
});

const readValue = (text: string): unknown => {
  const result = readScalar(text);
  return result.ok ? result.value : result.problem;
};

describe('readScalar', () => {
  it.each([
    ['12', 12],
    ['-0.5', -0.5],
    ['0012', '0012'],
    ['-007', '-007'],
    ['007.5', '007.5'],
    ['1.', '1.'],
    ['.5', '.5'],
    ['+5', '+5'],
    ['1.2.3', '1.2.3'],
    ['12:30', '12:30'],
    ['2026-11-28', '2026-11-28'],
    ['-', '-'],
    ['1.1', 1.1],
    ['"1.10"', '1.10'],
    ['true', true],
    [' null ', null],
    ['"null"', 'null'],
    ['nothing', 'nothing'],
    ['"a" and "b"', '"a" and "b"'],
    ['[draft] x', '[draft] x'],
    ['{"a": 1}', { a: 1 }],
    ['{a', '{a'],
    ['A 1', 'A 1'],
  ])('reads %s as %j', (text, value) => {
    expect(readScalar(text)).toEqual(success(value));
  });

  it.each([
    '2.0',
    '1.10',
    '-0.0',
    '1e5',
    '0.0000001',
    '9007199254740993',
    '1764304800123456790',
    '12345678901234567890',
  ])('reads %s as a number with all its digits', (text) => {
    expect(stringifyExactJson({ value: readValue(` ${text} `) })).toBe(`{"value":${text}}`);
    expect(formatScalar(readValue(text))).toBe(text);
  });

  it.each([
    '1e400',
    '-1e400',
    'NaN',
    'Infinity',
    '-Infinity',
    '-0',
    '1e-400',
    '[-0]',
    '{"a":NaN}',
    '{"a":1,"a":2}',
    '{a}',
  ])('refuses %s with the reason that a JSON text has, and how to store it as text', (text) => {
    const asJson = readJson(text);
    expect(readScalar(text)).toEqual({ ok: false, problem: expect.stringContaining(asJson.ok ? '?' : asJson.problem) });
    expect(readScalar(JSON.stringify(text))).toEqual(success(text));
  });

  it('is the inverse of formatScalar', () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc
        .double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
        .map((number) => Number(number.toFixed(3)) + 0),
      fc.boolean(),
      fc.constantFrom(null, 'null', 'NaN', '-0', '1e400', '{"a":1,"a":2}', '[a]'),
      fc.dictionary(fc.string(), fc.integer()),
    );
    fc.assert(
      fc.property(value, (original) => {
        if (original !== '') expect(readValue(formatScalar(original))).toEqual(original);
      }),
    );
  });
});
