import { describe, expect, it } from 'vitest';
import type { HistoryMinute } from '../../../api/lab/lab.ts';
import type { ManagerState } from '../../../api/states.ts';
import { barCount, barsOf, barText, stripText } from './strip.ts';

const now = new Date(2026, 10, 21, 14, 5, 30).getTime();

/** Minutes up to now, oldest first; `stateOf` receives the minutes ago, `null` = not watched. */
function minutes(stateOf: (ago: number) => ManagerState | null): HistoryMinute[] {
  return Array.from({ length: 120 }, (_, index) => 119 - index).flatMap((ago) => {
    const state = stateOf(ago);
    const at = new Date(Math.floor(now / 60_000) * 60_000 - ago * 60_000).toISOString();
    const answered = state !== 'unreachable';
    return state === null
      ? []
      : [{ at, state, latency_ms: answered ? 4 : null, max_latency_ms: answered ? 9 : null, checks: 12 }];
  });
}

/** A minute with an arbitrary text as its time. */
function odd(at: string): HistoryMinute {
  return { at, state: 'healthy', latency_ms: 1, max_latency_ms: 1, checks: 1 };
}

describe('barsOf', () => {
  it('returns sixty bars of two minutes, the last one containing the current time', () => {
    const bars = barsOf(
      minutes(() => 'healthy'),
      now,
    );
    expect(bars).toHaveLength(barCount);
    expect(bars.at(-1)?.from).toBe(new Date(2026, 10, 21, 14, 4).getTime());
    expect(bars.every(({ state }) => state === 'healthy')).toBe(true);
    expect(bars[30]).toMatchObject({ longest: 9, checks: 24 });
  });

  it('returns the worst state of each bar, or null where nothing was recorded', () => {
    const bars = barsOf(
      minutes((ago) => (ago > 100 ? null : ago === 1 ? 'unreachable' : 'healthy')),
      now,
    );
    expect(bars[0]?.state).toBeNull();
    expect(bars.at(-1)?.state).toBe('unreachable');
    expect(bars.at(-2)?.state).toBe('healthy');
  });

  it('ignores entries that are outside the range, in the future or without a valid time', () => {
    const bars = barsOf([odd('nonsense'), odd('2020-01-01T00:00:00Z'), odd('2030-01-01T00:00:00Z')], now);
    expect(bars.every(({ state }) => state === null)).toBe(true);
  });
});

describe('stripWords', () => {
  it.each([
    ['an empty history', [], 'not watched yet'],
    ['a healthy history', minutes(() => 'healthy'), 'healthy throughout'],
    [
      'a single fault',
      minutes((ago) => (ago <= 3 && ago > 0 ? 'unreachable' : 'healthy')),
      'healthy except 14:02–14:05 unreachable',
    ],
    [
      'a history without a healthy check',
      minutes((ago) => (ago < 5 ? 'unreachable' : null)),
      '14:01–14:06 unreachable',
    ],
    [
      'many faults',
      minutes((ago) => (ago % 20 === 5 ? 'slow' : 'healthy')),
      'healthy except 13:00–13:01 slow, 13:20–13:21 slow, 13:40–13:41 slow, 14:00–14:01 slow, and 2 more',
    ],
  ])('describes %s', (_name, list, expected) => {
    expect(stripText(list)).toBe(expected);
  });
});

describe('barWords', () => {
  it('describes state, longest response time and number of checks', () => {
    const bars = barsOf(
      minutes((ago) => (ago > 100 ? null : 'healthy')),
      now,
    );
    expect(barText(bars.at(-1)!)).toBe('14:04–14:06 healthy, longest answer 9 ms, checked 24 times');
    expect(barText(bars[0]!)).toBe('12:06–12:08 not watched');
  });
});
