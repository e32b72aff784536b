import { expect, it } from 'vitest';
import { groupsOf } from './suites.mjs';

const suite = (name: string, waits = false) => ({ name, waits });
const names = (...chosen: readonly ReturnType<typeof suite>[]) =>
  groupsOf(chosen).map((group) => group.map(({ name }) => name));

it.each([
  ['no suite', [], []],
  ['one after the other', [suite('a'), suite('b')], [['a'], ['b']]],
  ['a waiting suite runs beside the next one', [suite('a', true), suite('b'), suite('c')], [['a', 'b'], ['c']]],
  ['two waiting suites run beside the next one', [suite('a', true), suite('b', true), suite('c')], [['a', 'b', 'c']]],
  ['a waiting suite at the end runs alone', [suite('a'), suite('b', true)], [['a'], ['b']]],
])('the suites run in the expected groups: %s', (_name, chosen, groups) => {
  expect(names(...chosen)).toEqual(groups);
});
