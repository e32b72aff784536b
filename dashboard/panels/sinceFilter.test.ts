import { expect, it } from 'vitest';
import { rangeStart, isInRange } from './sinceFilter.ts';

const now = Date.UTC(2026, 10, 22);

it.each([
  ['all', null],
  ['day', Date.UTC(2026, 10, 21)],
  ['week', Date.UTC(2026, 10, 15)],
  ['month', Date.UTC(2026, 9, 23)],
] as const)('rangeStart of %s is %s', (since, start) => expect(rangeStart(since, now)).toBe(start));

it.each([
  [null, null, true],
  [null, 5, false],
  [4, 5, false],
  [5, 5, true],
])('isInRange of the time %s with the start %s is %s', (at, start, expected) =>
  expect(isInRange(at, start)).toBe(expected),
);
