import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../managers/event/eventRow.ts';
import {
  chooseBarWidth,
  getErrorShare,
  getErrorShareOfRows,
  createHistogram,
  getTimeSpan,
  findWorstBar,
} from './histogram.ts';

const row = (at: number | null, level = 20): EventRow => ({
  id: String(at),
  at,
  stamp: '',
  level,
  type: '',
  message: '',
  source: '',
  subjects: [],
});

describe('the histogram of events', () => {
  it('counts events by level in bars of a round width', () => {
    const rows = [row(0), row(400, 30), row(1200, 40), row(1300, 50), row(9000, 10), row(null, 50)];
    const { bars, maxCount } = createHistogram(rows, { from: 0, to: 9000 }, 10);
    expect(bars).toHaveLength(10);
    expect(bars[0]).toMatchObject({ from: 0, to: 1000, counts: { low: 1, warning: 1, error: 0 }, total: 2 });
    expect(bars[1]).toMatchObject({ counts: { low: 0, warning: 0, error: 2 } });
    expect(maxCount).toBe(2);
  });

  it('counts every event and has at most two more bars than requested', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.integer({ min: 0, max: 4e12 }), level: fc.constantFrom(10, 20, 30, 40) }), {
          minLength: 1,
          maxLength: 50,
        }),
        fc.integer({ min: 5, max: 120 }),
        (events, maxBars) => {
          const rows = events.map(({ at, level }) => row(at, level));
          const span = getTimeSpan(rows);
          if (span === null) throw new Error('Rows with times have a span');
          const { bars } = createHistogram(rows, span, maxBars);
          expect(bars.reduce((sum, { total }) => sum + total, 0)).toBe(rows.length);
          expect(bars.length).toBeLessThanOrEqual(maxBars + 2);
        },
      ),
    );
  });

  it.each([
    ['hours', { from: new Date(2026, 0, 14, 7, 40), to: new Date(2026, 0, 15, 8) }, new Date(2026, 0, 14, 7)],
    ['days', { from: new Date(2026, 0, 14, 7, 40), to: new Date(2026, 1, 10) }, new Date(2026, 0, 14)],
    ['weeks from Monday', { from: new Date(2026, 0, 14, 7, 40), to: new Date(2026, 5, 1) }, new Date(2026, 0, 12)],
  ])('has bars of local %s', (_unit, { from, to }, start) => {
    const { bars } = createHistogram([], { from: from.getTime(), to: to.getTime() }, 30);
    expect(new Date(bars[0]?.from ?? 0)).toEqual(start);
  });

  it('has no range without times, and one bar for a single time', () => {
    expect(getTimeSpan([row(null)])).toBeNull();
    expect(createHistogram([row(5)], { from: 5, to: 5 }, 60).bars).toHaveLength(1);
  });

  it('has wider bars for a longer range', () => {
    expect(chooseBarWidth({ from: 0, to: 60_000 }, 60)).toBe(1000);
    expect(chooseBarWidth({ from: 0, to: 86_400_000 }, 60)).toBe(1_800_000);
    expect(chooseBarWidth({ from: 0, to: 4e12 }, 60) % 604_800_000).toBe(0);
  });

  it('has a share of errors, which is 0 without events', () => {
    expect(getErrorShareOfRows([row(1), row(2, 40), row(3, 50), row(4, 30)])).toBe(0.5);
    expect(getErrorShareOfRows([])).toBe(0);
  });
});

it('findWorstBar returns the bar with the highest error rate and, on a tie, more events; null without errors', () => {
  const bar = (from: number, low: number, error: number) => ({
    from,
    to: from + 1,
    counts: { low, warning: 0, error },
    total: low + error,
  });
  expect([bar(0, 3, 1), bar(1, 0, 0), bar(2, 4, 0)].map(getErrorShare)).toEqual([0.25, null, 0]);
  expect(findWorstBar([bar(0, 3, 1), bar(1, 1, 1), bar(2, 5, 5), bar(3, 0, 0)])?.from).toBe(2);
  expect(findWorstBar([bar(0, 3, 0)])).toBeNull();
});
