import { describe, expect, it, vi } from 'vitest';
import {
  DuplicateKeyError,
  exactText,
  exactValue,
  parseExactJson,
  stringifyExactJson,
  toNumber,
  withRoundedNumbers,
} from './exactJson.ts';
import { hostileJson, hostileFloatsJson } from './fixtures/hostileNumbers.ts';
import { sameJson, sameValue } from './sameJson.ts';

describe('parseExactJson and stringifyExactJson', () => {
  it.each([
    hostileJson,
    hostileFloatsJson,
    '{"t_ns":1764304800123456789,"ratio":1.0,"code":340123450000000018}',
    '[1e400,-0,-0.0,1E5,1e-07,0.1000000000000000055,NaN,Infinity,-Infinity,0,-1,0.5,1e+21,0.0000001]',
    '"1.0"',
    '{"a \\" : 1.0,":["1.0","NaN",", 1.0,"]}',
    '1.0',
    '{"1.0":{"NaN":[]}}',
  ])('returns %s unchanged', (text) => {
    expect(stringifyExactJson(parseExactJson(text))).toBe(text);
  });

  it('keeps the digits of a long list', () => {
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index, name: 'plate' })));
    expect(stringifyExactJson(parseExactJson(text))).toBe(text);
    const unsafe = text.replace('"index":7,', '"index":7.0,');
    expect(stringifyExactJson(parseExactJson(unsafe))).toBe(unsafe);
  });

  it('returns ordinary numbers for all others', () => {
    expect(parseExactJson('[0,-1,0.25,1.5,9007199254740991,123456789.25]')).toEqual([
      0, -1, 0.25, 1.5, 9_007_199_254_740_991, 123_456_789.25,
    ]);
  });

  it.each(['{"a":1,"a":1}', '[{"b":{"a":1},"a":{}},{"a":1,"\\u0061":2}]'])(
    'refuses the duplicate key of %s',
    (text) => {
      // Also in a long list without numbers that need their text.
      for (const whole of [text, `[${'"plate", '.repeat(20_000)}${text}]`]) {
        expect(() => parseExactJson(whole)).toThrow(DuplicateKeyError);
        expect(() => parseExactJson(whole)).toThrow('"a"');
      }
    },
  );

  it.each(['{"a\\\\":1,"a\\"":2}', '{"a" :"b:","c"\n:["d:",":",{}]}', '{"\\\\\\"":": ","__proto__":{"\u2028":1}}'])(
    'reads the keys of %s',
    (text) => {
      expect(parseExactJson(text)).toEqual(JSON.parse(text));
    },
  );

  it('refuses a text that is nested too deeply', () => {
    const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(stringifyExactJson(parseExactJson(nest(500)))).toBe(nest(500));
    for (const levels of [501, 300_000])
      expect(() => parseExactJson(nest(levels))).toThrow('nested more than 500 levels deep');
  });

  it('reads a string with millions of escapes', () => {
    const text = `[1.0,"${String.raw`\n`.repeat(5_000_000)}"]`;
    expect((parseExactJson(text) as string[])[1]).toHaveLength(5_000_000);
  });

  it('searches each quote of a string without its end once', () => {
    const search = vi.spyOn(String.prototype, 'indexOf');
    expect(() => parseExactJson(`[1.0,"${String.raw`\"`.repeat(1000)}`)).toThrow(SyntaxError);
    const { length } = search.mock.calls;
    search.mockRestore();
    expect(length).toBeLessThan(1100);
  });

  it.each(['{1.0:2}', '[1.0.0]', '[01.0]', '[1.]', '[.5]', '[+1.0]', '[1.0 2.0]', '[--1.0]', 'nan', '[1.0,]', ''])(
    'refuses %j',
    (text) => {
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
    },
  );

  it('survives copies, messages between threads and storage', () => {
    const value = parseExactJson(hostileJson);
    for (const copy of [structuredClone(value), { ...(value as object) }, JSON.parse(JSON.stringify(value)) as unknown])
      expect(stringifyExactJson(copy)).toBe(hostileJson);
  });
});

it('parseExactJson finds every number whose text JavaScript changes in texts of any length', () => {
  const long = ' '.repeat(100_001);
  for (const number of [
    '1.0',
    '10.50',
    '1e5',
    '1E-7',
    '-0',
    '-0.0',
    '1e400',
    'NaN',
    '-Infinity',
    '0.0000001',
    '0.12345678901234567',
    '12345678901234567',
    '1234567890.1234567',
  ])
    expect(stringifyExactJson(parseExactJson(`[${long}${number},1]`))).toBe(`[${number},1]`);
});

it('toNumber rounds, exactText keeps the digits', () => {
  const value = exactValue('1764304800123456789');
  expect(toNumber(value)).toBe(1_764_304_800_123_456_800);
  expect(exactText(value)).toBe('1764304800123456789');
  expect(toNumber(exactValue('1.5'))).toBe(1.5);
  expect(exactValue('1.5')).toBe(1.5);
  expect(toNumber('1.0')).toBeNull();
  expect(exactText('1.0')).toBeNull();
  expect(withRoundedNumbers({ a: [value, 'x', null, 2] })).toEqual({ a: [1_764_304_800_123_456_800, 'x', null, 2] });
});

it.each([
  ['1.0', '1', true],
  ['10.50', '10.5', true],
  ['1e-07', '0.0000001', true],
  ['0.1000000000000000055', '0.1', true],
  ['1764304800123456789', '1764304800123456788', false],
  ['"1.0"', '1.0', false],
])('sameJson of %s and %s is %s, as a manager stores them', (a, b, expected) => {
  expect(sameJson({ a: parseExactJson(a) }, { a: parseExactJson(b) })).toBe(expected);
  expect(sameValue({ a: parseExactJson(a) }, { a: parseExactJson(b) })).toBe(expected);
});
