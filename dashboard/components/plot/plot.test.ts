import { describe, expect, it } from 'vitest';
import { linePath, nearestIndex, niceScale, partOf, rangeOf } from './plot.ts';

describe('the scale of a plot', () => {
  it.each([
    [0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [0.03, 1.27, [0, 0.5, 1, 1.5]],
    [-3, 12, [-5, 0, 5, 10, 15]],
    [0.1, 0.3, [0.1, 0.15, 0.2, 0.25, 0.3]],
    [1e-7, 5e-7, [1e-7, 2e-7, 3e-7, 4e-7, 5e-7]],
  ])('from %f to %f counts as people do', (least, most, ticks) => {
    expect(niceScale(least, most, 5).ticks).toEqual(ticks);
  });

  it('has room around a value that never changes', () => {
    const { from, to } = niceScale(5, 5, 4);
    expect(from).toBeLessThan(5);
    expect(to).toBeGreaterThan(5);
    expect(niceScale(0, 0, 4).ticks.length).toBeGreaterThan(1);
  });

  it('stands where there is nothing', () => {
    expect(niceScale(Infinity, -Infinity, 5)).toEqual({ from: 0, to: 1, ticks: [0, 1] });
    expect(rangeOf([])).toEqual({ least: Infinity, most: -Infinity });
  });
});

describe('its line', () => {
  const scale = { from: 0, to: 10, ticks: [] };
  it('goes through all points, upwards', () => {
    expect(linePath([0, 5, 10], [0, 10, 5], scale, scale, 100, 50)).toBe('M0.0 50.0L50.0 0.0L100.0 25.0');
    expect(linePath([], [], scale, scale, 100, 50)).toBe('');
  });
  it('finds the point nearest to the pointer', () => {
    expect(nearestIndex([0, 4, 10], scale, 0.5)).toBe(1);
    expect(nearestIndex([0, 4, 10], scale, 0.9)).toBe(2);
    expect(partOf(3, { from: 3, to: 3 })).toBe(0.5);
    expect(rangeOf([[1, 5], [-2]])).toEqual({ least: -2, most: 5 });
  });
});
