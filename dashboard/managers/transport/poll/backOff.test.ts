import { describe, expect, it } from 'vitest';
import { QueryClient } from '@tanstack/vue-query';
import { backoffDelay, minWaitMs, maxWaitMs, recordFailure, getPollState } from './pollState.ts';

describe('backoffDelay', () => {
  it.each([
    [1, 2000],
    [2, 4000],
    [3, 8000],
    [4, 16_000],
    [5, 30_000],
    [1000, 30_000],
  ])('returns for failure %i in the middle of the jitter: %i ms', (failures, wait) => {
    expect(backoffDelay(failures, 0.5)).toBe(wait);
  });

  it('stays between two and thirty seconds with any jitter', () => {
    for (let failures = 1; failures < 40; failures += 1) {
      for (const random of [0, 0.3, 0.999]) {
        expect(backoffDelay(failures, random)).toBeGreaterThanOrEqual(minWaitMs);
        expect(backoffDelay(failures, random)).toBeLessThanOrEqual(maxWaitMs);
      }
    }
  });

  it('spreads pages that failed together', () => {
    expect(backoffDelay(3, 0)).toBe(6000);
    expect(backoffDelay(3, 0.999)).toBe(9996);
  });

  it('never waits less than the server’s Retry-After', () => {
    expect(backoffDelay(1, 0.5, 60_000)).toBe(60_000);
    expect(backoffDelay(3, 0.5, 1000)).toBe(8000);
  });
});

it.each([
  ['a query that is read every five minutes is retried within the longest wait', 300_000, maxWaitMs],
  ['a query that is read every ten seconds is not retried sooner', 10_000, 10_000],
])('%s', (_title, interval, wait) => {
  const state = getPollState(new QueryClient(), ['experiments', interval]);
  state.intervals.set(Symbol('reader'), interval);
  recordFailure(state, { reason: 'no connection', status: null, retryAfter: 0 });
  expect(state.wait).toBe(wait);
});
