import { expect, it } from 'vitest';
import { hasGaps } from './recurrence.ts';

it.each([
  [['Sun'], 6 * 24 * 60, true],
  [['Sun'], 7 * 24 * 60, false],
  [['Mon', 'Thu'], 2 * 24 * 60, true],
  [['Mon', 'Thu'], 3 * 24 * 60, false],
  [['Sat', 'Sun'], 20 * 60, true],
  [['Sat', 'Sun'], 24 * 60, false],
] as const)('hasGaps of %j for %d minutes is %s', (days, minutes, expected) =>
  expect(hasGaps({ days: [...days], at: '00:00', minutes })).toBe(expected),
);
