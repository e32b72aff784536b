import { describe, expect, it } from 'vitest';
import { managerLooks } from '../../../api/states.ts';
import { stepOf, ticksOf } from './ticks.ts';
import { fitted, markWords, moved, percent, placed, spanAfter, spanWords, zoomed, type LaneSpan } from './timeAxis.ts';

const at = (hours: number, minutes = 0, seconds = 0, ms = 0): number =>
  new Date(2026, 10, 21, hours, minutes, seconds, ms).getTime();
const now = at(14, 5);
const look = managerLooks.healthy;
const span = (key: string, lane: string, start: number, end: number | null, thin = false): LaneSpan => ({
  key,
  lane,
  start,
  end,
  look,
  label: key,
  thin,
});
const labels = (from: number, to: number, most = 6): string[] => ticksOf(from, to, most).map(({ label }) => label);

describe('ticks of the time axis', () => {
  it.each([
    [500, 100],
    [5_000, 1_000],
    [16 * 60_000, 5 * 60_000],
    [3_600_000, 10 * 60_000],
    [86_400_000, 6 * 3_600_000],
    [10 * 86_400_000, 2 * 86_400_000],
    [400 * 86_400_000, 91 * 86_400_000],
    [9_000 * 86_400_000, 5 * 364 * 86_400_000],
  ])('count %i ms in steps of %i', (length, step) => {
    expect(stepOf(length, 6)).toBe(step);
  });

  it.each<[string, number, number, string[]]>([
    ['minutes', at(13, 51), at(14, 9), ['13:55', '14:00', '14:05']],
    ['seconds', at(14, 0, 1), at(14, 0, 9), ['14:00:02', '14:00:04', '14:00:06', '14:00:08']],
    [
      'parts of a second',
      at(14, 0, 0, 50),
      at(14, 0, 0, 450),
      ['14:00:00.1', '14:00:00.2', '14:00:00.3', '14:00:00.4'],
    ],
    ['hours, with the day at midnight', at(18), at(34), ['18:00', '21:00', '22 Nov', '03:00', '06:00', '09:00']],
    ['days', at(12), at(12 + 24 * 4), ['22 Nov', '23 Nov', '24 Nov', '25 Nov']],
  ])('label %s', (_name, from, to, expected) => {
    expect(labels(from, to)).toEqual(expected);
  });

  it('show the year when it changes', () => {
    const shown = labels(new Date(2026, 11, 30, 12).getTime(), new Date(2027, 0, 2, 12).getTime());
    expect(shown.filter((label) => label.includes(' '))).toEqual(['31 Dec 2026', '1 Jan', '2 Jan']);
  });

  it('stay at the same times when the axis moves', () => {
    const first = new Set(ticksOf(at(0), at(24 * 40), 6).map((tick) => tick.at));
    const later = ticksOf(at(30), at(24 * 40 + 30), 6).map((tick) => tick.at);
    expect(later.filter((time) => time <= at(24 * 40)).every((time) => first.has(time))).toBe(true);
  });

  it('are empty without a range', () => {
    expect(ticksOf(now, now, 6)).toEqual([]);
    expect(ticksOf(now, Number.NaN, 6)).toEqual([]);
  });
});

describe('the range of the time axis', () => {
  it('extends to the current time while something is running', () => {
    const range = fitted([span('a', 'x', at(14), null)], [{ at: at(13, 50), label: 'm', look }], now);
    expect(range).toEqual({ from: at(13, 50) - 18_000, to: now + 18_000 });
    expect(fitted([], [], now)).toBeNull();
    expect(fitted([span('a', 'x', Number.NaN, Number.NaN)], [], now)).toBeNull();
  });

  it('has a length even for a single moment', () => {
    expect(fitted([span('a', 'x', now, now)], [], now)).toEqual({ from: now - 100, to: now + 100 });
  });

  const whole = { from: 0, to: 1000 };
  it('zooms around a time, between a tenth of a second and everything', () => {
    expect(zoomed(whole, 0.5, 250, whole)).toEqual({ from: 125, to: 625 });
    expect(zoomed({ from: 125, to: 625 }, 4, 250, whole)).toEqual(whole);
    expect(zoomed(whole, 0.001, 500, whole)).toEqual({ from: 450, to: 550 });
  });

  it('moves to the ends and no further', () => {
    expect(moved({ from: 100, to: 300 }, 50, whole)).toEqual({ from: 150, to: 350 });
    expect(moved({ from: 100, to: 300 }, 5000, whole)).toEqual({ from: 800, to: 1000 });
    expect(moved({ from: 100, to: 300 }, -5000, whole)).toEqual({ from: 0, to: 200 });
    expect(percent(250, whole)).toBe(25);
  });
});

describe('placed', () => {
  it('puts overlapping bars below each other and waiting ones behind', () => {
    const spans = [
      span('c', 'x', 20, 30),
      span('a', 'x', 0, 20),
      span('b', 'x', 10, null),
      span('w', 'x', 0, 30, true),
      span('d', 'x', 25, 26),
    ];
    expect(placed(spans, 100).map(({ key, row }) => `${key}${row}`)).toEqual(['a0', 'w0', 'b1', 'c0', 'd2']);
  });
});

describe('spanAfter', () => {
  const lanes = ['x', 'y', 'z'].map((key) => ({ key, label: key }));
  const spans = [span('a', 'x', 0, 10), span('b', 'z', 10, 20), span('c', 'x', 20, 30), span('d', 'z', 100, 110)];
  it.each([
    ['ArrowRight', 'a', 'b'],
    ['ArrowRight', 'd', 'd'],
    ['ArrowLeft', 'c', 'b'],
    ['ArrowLeft', 'a', 'a'],
    ['ArrowDown', 'a', 'b'],
    ['ArrowDown', 'b', 'b'],
    ['ArrowUp', 'd', 'c'],
    ['Home', 'c', 'a'],
    ['End', 'a', 'd'],
    ['x', 'a', null],
    ['ArrowDown', 'gone', null],
  ])('spanAfter %s from %s returns %s', (press, key, to) => {
    expect(spanAfter(press, key, spans, lanes)).toBe(to);
  });
});

describe('texts of the time axis', () => {
  it.each<[string, LaneSpan, string]>([
    ['finished', span('a', 'x', at(13, 52, 10), at(13, 53, 52)), 'Healthy, 13:52:10 to 13:53:52, took 1 min 42 s'],
    ['running', span('a', 'x', at(14, 2), null), 'Healthy, since 14:02:00, 3 min so far'],
    ['waiting', span('a', 'x', at(14, 2), at(14, 2, 5), true), 'Healthy, 14:02:00 to 14:02:05, waited 5 s'],
    ['over midnight', span('a', 'x', at(-1), at(1)), 'Healthy, 20 Nov 23:00:00 to 21 Nov 01:00:00, took 2 h'],
  ])('describe a span that is %s', (_name, one, more) => {
    expect(spanWords(one, now)).toEqual({ title: 'a', more });
  });

  it('describe a mark', () => {
    expect(markWords({ at: at(14, 2), label: 'Paused', look }, now)).toBe('Paused, 14:02:00');
  });
});
