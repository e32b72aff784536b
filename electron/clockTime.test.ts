import { expect, it } from 'vitest';
import { clockTime } from './clockTime.ts';

it('gives the date when it isn’t today’s', () => {
  const now = new Date(2026, 0, 15, 13, 5).getTime();
  expect(clockTime(now, now)).toBe('13:05');
  expect(clockTime(new Date(2026, 0, 14, 9, 7).getTime(), now)).toBe('14 Jan 09:07');
});
