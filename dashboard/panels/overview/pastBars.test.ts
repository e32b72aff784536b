import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../base/time.ts';
import { describeCoverage, toBars, describeBar, formatAvailability } from './pastBars.ts';
import { historyTexts as texts } from './texts.ts';

const hour = 3_600_000;
const begin = Date.UTC(2026, 0, 15);

it('toBars divides the window into equal bars, and describeBar describes their states', () => {
  const bars = toBars(['healthy', null, 'maintenance'], { from: begin, to: begin + 3 * hour });
  expect(bars.map(({ from, to, state }) => [(from - begin) / hour, (to - begin) / hour, state])).toEqual([
    [0, 1, 'healthy'],
    [1, 2, null],
    [2, 3, 'maintenance'],
  ]);
  expect(
    bars.map((bar) =>
      describeBar(bar, begin + 3 * hour)
        .split(' ')
        .at(-1),
    ),
  ).toEqual(['healthy', texts.notWatched.split(' ').at(-1), 'maintenance']);
});

describe('the availability', () => {
  it.each([
    [null, '–'],
    [100, '100 %'],
    [99.999, '99.99 %'],
    [0, '0.00 %'],
  ])('of %s is formatted as %s', (percent, expected) => expect(formatAvailability(percent)).toBe(expected));

  it('has a description of the counted time and of the excluded time', () => {
    expect(describeCoverage(86_400, 86_400)).toEqual({ text: 'of the whole time', hint: '' });
    expect(describeCoverage(43_200, 86_400)).toEqual({
      text: `of ${formatDuration(43_200_000)}`,
      hint: `${formatDuration(43_200_000)} of the ${formatDuration(86_400_000)} are not counted: the lab manager was stopped or asleep, the state was unknown, or there was maintenance.`,
    });
  });
});
