import { expect, it } from 'vitest';
import { groupSuites } from './suites.mjs';

const alone = (name: string): { name: string; lane?: string } => ({ name });
const waiting = (name: string) => ({ name, lane: 'waiting' });
const busy = (name: string) => ({ name, lane: 'busy' });
const names = (...chosen: readonly ReturnType<typeof alone>[]) =>
  groupSuites(chosen).map((lanes) => lanes.map((lane) => lane.map(({ name }) => name)));

it.each([
  ['no suite', [], []],
  ['suites without a lane', [alone('a'), alone('b')], [[['a']], [['b']]]],
  [
    'two lanes, then a suite without one',
    [waiting('a'), busy('b'), waiting('c'), busy('d'), alone('e')],
    [
      [
        ['a', 'c'],
        ['b', 'd'],
      ],
      [['e']],
    ],
  ],
  ['one lane after a suite without one', [alone('a'), waiting('b'), waiting('c')], [[['a']], [['b', 'c']]]],
])('the suites run in the expected groups: %s', (_name, chosen, groups) => {
  expect(names(...chosen)).toEqual(groups);
});
