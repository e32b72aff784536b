import { describe, expect, it } from 'vitest';
import { managerAppearances } from '#api/states.ts';
import { fitRange, describeMark, assignRows, findSpanToFocus, describeSpan, type LaneSpan } from './timeAxis.ts';

const at = (hours: number, minutes = 0, seconds = 0, ms = 0): number =>
  new Date(2026, 10, 21, hours, minutes, seconds, ms).getTime();
const now = at(14, 5);
const appearance = managerAppearances.healthy;
const span = (key: string, lane: string, start: number, end: number | null, thin = false): LaneSpan => ({
  key,
  lane,
  start,
  end,
  appearance,
  label: key,
  thin,
});

describe('the range of the time axis', () => {
  it('extends to the current time while something is running, and is null without times', () => {
    const range = fitRange([span('a', 'x', at(14), null)], [{ at: at(13, 50), label: 'm', appearance }], now);
    expect(range).toEqual({ from: at(13, 50) - 18_000, to: now + 18_000 });
    expect(fitRange([], [], now)).toBeNull();
    expect(fitRange([span('a', 'x', Number.NaN, Number.NaN)], [], now)).toBeNull();
  });

  it('has a length even for a single moment', () => {
    expect(fitRange([span('a', 'x', now, now)], [], now)).toEqual({ from: now - 100, to: now + 100 });
  });
});

describe('assignRows', () => {
  it('puts overlapping bars below each other and waiting ones behind', () => {
    const spans = [
      span('c', 'x', 20, 30),
      span('a', 'x', 0, 20),
      span('b', 'x', 10, null),
      span('w', 'x', 0, 30, true),
      span('d', 'x', 25, 26),
    ];
    expect(assignRows(spans, 100).map(({ key, row }) => `${key}${row}`)).toEqual(['a0', 'w0', 'b1', 'c0', 'd2']);
  });
});

describe('findSpanToFocus', () => {
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
    ['ArrowDown', 'missing', null],
  ])('returns the span after a key: %s from %s leads to %s', (press, key, expected) => {
    expect(findSpanToFocus(press, key, spans, lanes)).toBe(expected);
  });
});

describe('texts of the time axis', () => {
  it.each<[string, LaneSpan, string]>([
    ['finished', span('a', 'x', at(13, 52, 10), at(13, 53, 52)), 'Healthy, 13:52:10 to 13:53:52, took 1 min 42 s'],
    ['running', span('a', 'x', at(14, 2), null), 'Healthy, since 14:02:00, 3 min so far'],
    ['waiting', span('a', 'x', at(14, 2), at(14, 2, 5), true), 'Healthy, 14:02:00 to 14:02:05, waited 5 s'],
    ['not within one day', span('a', 'x', at(-1), at(1)), 'Healthy, 20 Nov 23:00:00 to 21 Nov 01:00:00, took 2 h'],
  ])('describe a span that is %s', (_name, laneSpan, details) => {
    expect(describeSpan(laneSpan, now)).toEqual({ title: 'a', details });
  });

  it('describe a mark', () => {
    expect(describeMark({ at: at(14, 2), label: 'Paused', appearance }, now)).toBe('Paused, 14:02:00');
  });
});
