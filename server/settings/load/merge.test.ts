import { describe, expect, it } from 'vitest';
import { mergeLabAddress, mergeLayers } from './sources.ts';
import type { Candidate } from '../parse/problem.ts';
import type { SettingName } from '../schema/table.ts';

function found(name: SettingName, text: string, prefixed = true): Candidate {
  const origin = { source: 'yaml', name, file: 'f', path: '/f', line: 1 } as const;
  return { name, isPrefixed: prefixed, raw: { style: 'text', text }, origin, column: 1 };
}
const textOf = (candidate: Candidate | undefined) => (candidate?.raw.style === 'text' ? candidate.raw.text : null);

describe('mergeLayers', () => {
  it.each<[string, Candidate[][], string]>([
    ['the higher layer', [[found('verbose', 'low')], [found('verbose', 'high')]], 'high'],
    ['the higher layer in any spelling', [[found('verbose', 'low')], [found('verbose', 'high', false)]], 'high'],
    [
      'the prefixed key of a layer, when it comes first',
      [[found('verbose', 'yes'), found('verbose', 'no', false)]],
      'yes',
    ],
    [
      'the prefixed key of a layer, when it comes last',
      [[found('verbose', 'no', false), found('verbose', 'yes')]],
      'yes',
    ],
    ['the last of equal spellings', [[found('verbose', 'first'), found('verbose', 'last')]], 'last'],
  ])('uses %s', (_, layers, expected) => {
    expect(textOf(mergeLayers(layers).get('verbose'))).toBe(expected);
  });

  it('returns nothing for settings without a value', () => {
    expect([...mergeLayers([[], []])]).toEqual([]);
  });
});

describe('mergeLabAddress', () => {
  it.each<[string, Candidate[][], string | null]>([
    ['no layer', [[found('verbose', 'x')]], null],
    ['the address of the lab manager', [[found('server_url', 'a')]], 'a'],
    ['a context file above it', [[found('server_url', 'a')], [found('lab_server_url', 'b')]], 'b'],
    ['the lab manager above a context file', [[found('lab_server_url', 'b')], [found('server_url', 'a')]], 'a'],
  ])('returns the value of %s', (_, layers, expected) => {
    expect(textOf(mergeLabAddress(layers))).toBe(expected);
  });
});
