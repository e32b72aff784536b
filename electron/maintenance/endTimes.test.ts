import { expect, it } from 'vitest';
import { endOf } from './endTimes.ts';

it('endOf returns one hour, four hours, eight in the morning or the given time', () => {
  const now = new Date(2026, 10, 21, 23, 30).getTime();
  expect(endOf('hour', now)).toBe(now + 3_600_000);
  expect(endOf('four-hours', now)).toBe(now + 4 * 3_600_000);
  expect(endOf('tomorrow', now)).toBe(new Date(2026, 10, 22, 8).getTime());
  expect(endOf(now + 5, now)).toBe(now + 5);
  expect(endOf(null, now)).toBeNull();
});
