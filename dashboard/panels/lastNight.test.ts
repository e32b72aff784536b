import { expect, it } from 'vitest';
import { lastNight } from './sinceFilter.ts';

const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();

it.each([
  ['in the morning', new Date(2026, 10, 22, 9, 30)],
  ['before 08:00', new Date(2026, 10, 22, 3)],
  ['in the evening', new Date(2026, 10, 22, 23)],
])('last night is from 18:00 yesterday to 08:00 today when it is selected %s', (_when, time) => {
  expect(lastNight(time.getTime())).toEqual({ from: at(21, 18), to: at(22, 8) });
});
