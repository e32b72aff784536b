import { describe, expect, it } from 'vitest';
import { backOff, firstWait, longestWait } from './pollState.ts';

describe('backOff', () => {
  it.each([
    [1, 2000],
    [2, 4000],
    [3, 8000],
    [4, 16_000],
    [5, 30_000],
    [1000, 30_000],
  ])('backOff waits after failure %i for %i ms in the middle of the jitter', (failures, wait) => {
    expect(backOff(failures, 0.5)).toBe(wait);
  });

  it('stays between two and thirty seconds with any jitter', () => {
    for (let failures = 1; failures < 40; failures += 1) {
      for (const random of [0, 0.3, 0.999]) {
        expect(backOff(failures, random)).toBeGreaterThanOrEqual(firstWait);
        expect(backOff(failures, random)).toBeLessThanOrEqual(longestWait);
      }
    }
  });

  it('spreads pages that failed together', () => {
    expect(backOff(3, 0)).toBe(6000);
    expect(backOff(3, 0.999)).toBe(9996);
  });

  it('never waits less than the server’s Retry-After', () => {
    expect(backOff(1, 0.5, 60_000)).toBe(60_000);
    expect(backOff(3, 0.5, 1000)).toBe(8000);
  });
});
