import { expect, it } from 'vitest';
import { formatNumber } from './countText.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [12_500, '12,500'],
  [-1500, '-1,500'],
  [2.5, '2.5'],
])('formatNumber formats %d as %s', (count, text) => {
  expect(formatNumber(count)).toBe(text);
});
