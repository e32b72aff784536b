import { describe, expect, it } from 'vitest';
import { mergeLabAddress, mergeLayers } from './sources.ts';
import type { Candidate } from '../parse/problem.ts';
import type { SettingName } from '../schema/table.ts';

function createCandidate(name: SettingName, text: string, prefixed = true): Candidate {
  const origin = { source: 'yaml', name, file: 'f', path: '/f', line: 1 } as const;
  return { name, isPrefixed: prefixed, raw: { style: 'text', text }, origin, column: 1 };
}
const getText = (candidate: Candidate | undefined) => (candidate?.raw.style === 'text' ? candidate.raw.text : null);

describe('mergeLayers', () => {
  it.each<[string, Candidate[][], string]>([
    ['the higher layer', [[createCandidate('verbose', 'low')], [createCandidate('verbose', 'high')]], 'high'],
    [
      'the higher layer in any spelling',
      [[createCandidate('verbose', 'low')], [createCandidate('verbose', 'high', false)]],
      'high',
    ],
    [
      'the prefixed key of a layer, when it comes first',
      [[createCandidate('verbose', 'yes'), createCandidate('verbose', 'no', false)]],
      'yes',
    ],
    [
      'the prefixed key of a layer, when it comes last',
      [[createCandidate('verbose', 'no', false), createCandidate('verbose', 'yes')]],
      'yes',
    ],
    [
      'the last of equal spellings',
      [[createCandidate('verbose', 'first'), createCandidate('verbose', 'last')]],
      'last',
    ],
  ])('uses %s', (_, layers, expected) => {
    expect(getText(mergeLayers(layers).get('verbose'))).toBe(expected);
  });

  it('returns nothing for settings without a value', () => {
    expect([...mergeLayers([[], []])]).toEqual([]);
  });
});

describe('mergeLabAddress', () => {
  it.each<[string, Candidate[][], string | null]>([
    ['no layer', [[createCandidate('verbose', 'x')]], null],
    ['the address of the lab manager', [[createCandidate('server_url', 'a')]], 'a'],
    ['a context file above it', [[createCandidate('server_url', 'a')], [createCandidate('lab_server_url', 'b')]], 'b'],
    [
      'the lab manager above a context file',
      [[createCandidate('lab_server_url', 'b')], [createCandidate('server_url', 'a')]],
      'a',
    ],
  ])('returns the value of %s', (_, layers, expected) => {
    expect(getText(mergeLabAddress(layers))).toBe(expected);
  });
});
