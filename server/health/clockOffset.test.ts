import { describe, expect, it } from 'vitest';
import { ClockEstimate, clockOffset } from './clockOffset.ts';

describe('clockOffset', () => {
  it('is relative to the midpoint of the exchange, with its precision, and null without a plausible date', () => {
    const date = 'Sun, 22 Nov 2026 12:00:10 GMT';
    const sentAt = Date.parse(date) - 10_000;
    const times = { sentAt, receivedAt: sentAt + 1000 };
    expect(clockOffset(date, times)).toEqual({ seconds: 10.5, precision: 1.5 });
    expect(clockOffset(undefined, times)).toBeNull();
    expect(clockOffset('yesterday', times)).toBeNull();
    expect(clockOffset('Fri, 01 Jan 9999 00:00:00 GMT', times)).toBeNull();
  });
});

describe('the estimate over many measurements', () => {
  const estimateAhead = (...measurements: readonly (readonly [seconds: number, precision: number])[]) => {
    const estimate = new ClockEstimate();
    for (const [seconds, precision] of measurements) estimate.add({ seconds, precision });
    return estimate.aheadSeconds;
  };

  it.each<[string, readonly (readonly [number, number])[], number | null]>([
    ['is unknown before the first measurement', [], null],
    ['is zero for a clock that is correct', [[0.4, 0.6]], 0],
    ['is zero for a difference under 5 s', [[4.9, 0.6]], 0],
    ['is zero when only a slow response makes it look large', [[30, 28]], 0],
    ['is whole seconds for a clock that is ahead', [[600.3, 0.6]], 600],
    ['is negative for a clock that is behind', [[-2220.2, 0.6]], -2220],
    [
      'is refined by more precise responses',
      [
        [630, 28],
        [610.2, 0.6],
      ],
      610,
    ],
    [
      'stays unchanged while responses agree with it',
      [
        [600.3, 0.6],
        [599.9, 0.6],
        [600.6, 0.6],
      ],
      600,
    ],
    [
      'follows a clock that was set',
      [
        [600.3, 0.6],
        [0.2, 0.6],
      ],
      0,
    ],
  ])('%s', (_what, measurements, expected) => {
    expect(estimateAhead(...measurements)).toBe(expected);
  });
});

it.each([5.8, 6.2, 60.3])(
  'the estimate of a clock that is %d s ahead changes at most once in six hours with uvicorn’s cached dates',
  (ahead) => {
    const estimate = new ClockEstimate();
    let count = 0;
    let last: number | null = null;
    for (let at = 0; at < 6 * 3_600_000; at += 5037) {
      // The server renews the header once a second, at its own offset.
      const remote = at + ahead * 1000;
      const date = new Date(Math.floor((Math.floor((remote - 370) / 1000) * 1000 + 370) / 1000) * 1000).toUTCString();
      const offset = clockOffset(date, { sentAt: at, receivedAt: at + 12 });
      if (offset !== null) estimate.add(offset);
      if (estimate.aheadSeconds !== last) count += 1;
      last = estimate.aheadSeconds;
    }
    expect(count).toBeLessThanOrEqual(2);
    expect(Math.abs((last ?? 0) - ahead)).toBeLessThan(6.5);
  },
);
