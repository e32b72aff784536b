import { expect, it } from 'vitest';
import { resolveEndTime } from './endTimes.ts';

it('resolveEndTime returns the time in one or four hours, 8:00 the next morning, or the given time', () => {
  const now = new Date(2026, 10, 21, 23, 30).getTime();
  expect(resolveEndTime('hour', now)).toBe(now + 3_600_000);
  expect(resolveEndTime('four-hours', now)).toBe(now + 4 * 3_600_000);
  expect(resolveEndTime('tomorrow', now)).toBe(new Date(2026, 10, 22, 8).getTime());
  expect(resolveEndTime(now + 5, now)).toBe(now + 5);
  expect(resolveEndTime(null, now)).toBeNull();
});
