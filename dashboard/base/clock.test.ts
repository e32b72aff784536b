import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compareClocks, currentTime, pageAheadMs, serviceTime } from './clock.ts';

const now = Date.UTC(2026, 10, 23, 12);
const minute = 60_000;
beforeEach(() => void vi.useFakeTimers({ now }));
afterEach(() => {
  compareClocks(now, { sentAt: now, receivedAt: now });
  vi.useRealTimers();
});

/** The service answered with its time while this computer's clock showed `now`. */
const served = (serviceNow: number, answerMs = 20) =>
  compareClocks(serviceNow, { sentAt: now - answerMs, receivedAt: now });

describe('this computer’s clock', () => {
  it.each([
    ['agrees', 0, 0],
    ['is 4 s ahead, which nobody notices', 4000, 0],
    ['is 37 min ahead', 37 * minute, 37 * minute],
    ['is 37 min behind', -37 * minute, -37 * minute],
  ])('is corrected where it %s', (_how, ahead, corrected) => {
    served(now - ahead);
    expect(pageAheadMs.value).toBe(corrected);
    expect(currentTime()).toBe(now - corrected);
    expect(serviceTime(now - 1000)).toBe(now - 1000 - corrected);
  });

  it('is not corrected by an answer that took longer than the difference', () => {
    served(now - 20_000, 40_000);
    expect(pageAheadMs.value).toBe(0);
  });

  it('is right again once it was set', () => {
    served(now - 37 * minute);
    served(now);
    expect(pageAheadMs.value).toBe(0);
  });
});

it('is the only clock of the pages, but for timers', () => {
  const timers = ['base/clock.ts', 'managers/transport/poll/poll.ts', 'managers/transport/poll/pollState.ts'];
  const others = [...timers, 'managers/workcell/followUp.ts', 'managers/lab/labQueries.ts'];
  const root = new URL('../', import.meta.url);
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.(ts|vue)$/.test(path) &&
      !/\.test\.ts$|^fixtures/.test(path) &&
      !others.includes(path.replaceAll('\\', '/')) &&
      /\bDate\.now\b/.test(readFileSync(new URL(path, root), 'utf8')),
  );
  expect(found).toEqual([]);
});
