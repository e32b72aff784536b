import { expect, it } from 'vitest';
import { rangeStart, isInRange } from './sinceFilter.ts';

const now = Date.UTC(2026, 10, 22);

it.each([
  ['without a limit has no start', 'all', null],
  ['of the last day starts 24 hours ago', 'day', Date.UTC(2026, 10, 21)],
  ['of the last week starts 7 days ago', 'week', Date.UTC(2026, 10, 15)],
  ['of the last month starts 30 days ago', 'month', Date.UTC(2026, 9, 23)],
] as const)('a range %s', (_title, since, start) => expect(rangeStart(since, now)).toBe(start));

it.each([
  ['contains an unknown time without a start', null, null, true],
  ['does not contain an unknown time with a start', null, 5, false],
  ['does not contain a time before its start', 4, 5, false],
  ['contains its start', 5, 5, true],
])('a range %s', (_title, at, start, expected) => expect(isInRange(at, start)).toBe(expected));
