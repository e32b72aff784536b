import { expect, it } from 'vitest';
import { choiceUntil } from './endTimes.ts';

it('lasts one hour, four, or until eight in the morning', () => {
  const now = new Date(2026, 10, 21, 23, 30).getTime();
  expect(choiceUntil('hour', now)).toBe(now + 3_600_000);
  expect(choiceUntil('four-hours', now)).toBe(now + 4 * 3_600_000);
  expect(choiceUntil('tomorrow', now)).toBe(new Date(2026, 10, 22, 8).getTime());
});
