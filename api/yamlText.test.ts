import { describe, expect, it, vi } from 'vitest';
import { parseYaml, yamlLimits } from './yamlText.ts';

const read = (text: string, merge = false) => {
  const { document, placeOf, toData } = parseYaml(text, { uniqueKeys: true, merge });
  const [error] = document.errors;
  return error === undefined ? toData() : { ...placeOf(error.pos[0]), code: error.code, message: error.message };
};

const excess = (message: string | RegExp) => ({
  code: 'RESOURCE_EXHAUSTION',
  message: (typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message)) as unknown,
});

describe('parseYaml', () => {
  it('compares no key of a mapping with all others', () => {
    // The library's check calls it once for each key.
    const search = vi.spyOn(Array.prototype, 'some');
    const data = read(Array.from({ length: 1000 }, (_, index) => `key${index}: ${index}`).join('\n'));
    const { length } = search.mock.calls;
    search.mockRestore();
    expect(Object.keys(data as object)).toHaveLength(1000);
    expect(length).toBeLessThan(100);
  });

  it.each([
    ['a: 1\nb: 2\na: 3', 3, 1, 'a'],
    ['- {x: 1, "x": 2}', 1, 10, 'x'],
    ['1: a\n"1": b', 2, 1, '1'],
  ])('reports the duplicate key of %j with its place', (text, line, column, key) => {
    expect(read(text)).toMatchObject({
      line,
      column,
      code: 'DUPLICATE_KEY',
      message: expect.stringContaining(`"${key}"`),
    });
    expect(parseYaml(text, { uniqueKeys: false }).document.errors).toEqual([]);
  });

  it.each([
    ['brackets', `a:\n  ${'['.repeat(300_000)}`, 2, 103, 'nested too deeply: use at most 100 levels'],
    ['block lists', '- '.repeat(10_000), 1, 503, 'nested too deeply'],
    ['characters', `# ${'x'.repeat(yamlLimits.length)}`, 1, 1_000_001, /longer than 1000000 characters: split it$/],
    ['tokens', `[${'1,'.repeat(yamlLimits.tokens)}]`, 1, undefined, /more than 200000 words and symbols: split it$/],
  ])('refuses too many %s before it parses them', (_limit, text, line, column, message) => {
    expect(read(text)).toMatchObject({ line, ...(column !== undefined && { column }), ...excess(message) });
  });

  it.each([
    ['a cycle', 'a: &a [*a]', 1, 8, 'the alias *a is part of its own value'],
    ['too many', `a: &a 1\nb: [${'*a,'.repeat(1001)}]`, 2, 3005, 'more than 1000 aliases'],
    [
      'values that multiply',
      `a: &a [${'x,'.repeat(99)}]\nb: &b [${'*a,'.repeat(99)}]\nc: &c [${'*b,'.repeat(99)}]`,
      3,
      undefined,
      'longer than 1000000 characters with the values of its aliases',
    ],
  ])('refuses aliases with %s', (_name, text, line, column, message) => {
    expect(read(text)).toMatchObject({ line, ...(column !== undefined && { column }), ...excess(message) });
  });

  it('resolves aliases and merges within the limits', () => {
    expect(read('a: &a {x: 1}\nb: *a\nc: {<<: *a, y: 2}', true)).toEqual({
      a: { x: 1 },
      b: { x: 1 },
      c: { x: 1, y: 2 },
    });
  });

  it('returns at most 100 errors', () => {
    expect(parseYaml(`[${','.repeat(1000)}]`, { uniqueKeys: true }).document.errors).toHaveLength(yamlLimits.problems);
  });
});
