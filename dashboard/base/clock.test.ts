import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compareClocks, currentTime, pageAheadMs, serviceTime } from './clock.ts';

const now = Date.UTC(2026, 10, 23, 12);
const minute = 60_000;
beforeEach(() => void vi.useFakeTimers({ now }));
afterEach(() => {
  compareClocks(now, { sentAt: now, receivedAt: now });
  vi.useRealTimers();
});

/** Compares the clocks for a service response at the current time of this computer. */
const receiveServiceTime = (serviceNow: number, responseMs = 20) =>
  compareClocks(serviceNow, { sentAt: now - responseMs, receivedAt: now });

describe('this computer’s clock', () => {
  it.each([
    ['is correct', 0, 0],
    ['is 4 s ahead, which is within the tolerance', 4000, 0],
    ['is 37 min ahead', 37 * minute, 37 * minute],
    ['is 37 min behind', -37 * minute, -37 * minute],
  ])('gets the right correction when it %s', (_how, ahead, corrected) => {
    receiveServiceTime(now - ahead);
    expect(pageAheadMs.value).toBe(corrected);
    expect(currentTime()).toBe(now - corrected);
    expect(serviceTime(now - 1000)).toBe(now - 1000 - corrected);
  });

  it('the clock is not corrected by a slow response that is less precise than the difference', () => {
    // The middle of the request is 15 s after the service's time, and its precision is 20 s.
    receiveServiceTime(now - 35_000, 40_000);
    expect(pageAheadMs.value).toBe(0);
  });

  it('is no longer corrected after it was set', () => {
    receiveServiceTime(now - 37 * minute);
    receiveServiceTime(now);
    expect(pageAheadMs.value).toBe(0);
  });
});

const files = import.meta.glob<string>(['../**/*.ts', '../**/*.vue', '!../**/*.test.ts', '!../fixtures/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** These modules compare timers and times of this computer's own clock. */
const filesWithOwnClock = [
  'transport/poll/poll.ts',
  'transport/poll/pollState.ts',
  'transport/relay/announcements.ts',
  'transport/relay/changeStream.ts',
  'workcell/fastPolling.ts',
  'lab/labQueries.ts',
];

it('the clock is read only by clock.ts and the listed files', () => {
  const allowed = new Set(['./clock.ts', ...filesWithOwnClock.map((path) => `../managers/${path}`)]);
  expect(Object.keys(files).length).toBeGreaterThan(300);
  expect(Object.keys(files).filter((path) => !allowed.has(path) && /\bDate\.now\b/.test(files[path] ?? ''))).toEqual(
    [],
  );
});
