import { expect, it } from 'vitest';
import { rangeStart, isInRange } from './sinceFilter.ts';

const now = Date.UTC(2026, 10, 22);

it.each([
  ['all', null],
  ['day', Date.UTC(2026, 10, 21)],
  ['week', Date.UTC(2026, 10, 15)],
  ['month', Date.UTC(2026, 9, 23)],
] as const)('the period %s begins at %s', (since, begin) => expect(rangeStart(since, now)).toBe(begin));

it.each([
  [null, null, true],
  [null, 5, false],
  [4, 5, false],
  [5, 5, true],
])('the time %s is in the period since %s: %s', (at, begin, isIn) => expect(isInRange(at, begin)).toBe(isIn));
