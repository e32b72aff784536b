import { expect, it } from 'vitest';
import { groupsOf } from './suites.mjs';

const suite = (name: string, waits = false) => ({ name, waits });
const names = (...chosen: readonly ReturnType<typeof suite>[]) =>
  groupsOf(chosen).map((group) => group.map(({ name }) => name));

it.each([
  ['nothing', [], []],
  ['one after the other', [suite('a'), suite('b')], [['a'], ['b']]],
  ['one that waits beside the next', [suite('a', true), suite('b'), suite('c')], [['a', 'b'], ['c']]],
  ['two that wait', [suite('a', true), suite('b', true), suite('c')], [['a', 'b', 'c']]],
  ['one that waits for nobody, at the end', [suite('a'), suite('b', true)], [['a'], ['b']]],
])('runs %s', (_name, chosen, groups) => {
  expect(names(...chosen)).toEqual(groups);
});
