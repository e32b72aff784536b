import { describe, expect, it } from 'vitest';
import { nextPanel, nextScreenful, countScreenfuls, screenfulMs } from './kioskRotation.ts';

const panels = [
  { name: 'overview', kioskSeconds: 60 },
  { name: 'events', kioskSeconds: 0 },
  { name: 'lab', kioskSeconds: 20 },
];

describe('the rotation of panels', () => {
  it.each([
    ['overview', true, 'lab'],
    ['lab', true, 'overview'],
    ['events', true, 'overview'],
    ['notFound', true, 'overview'],
    ['lab', false, 'overview'],
    ['overview', false, 'overview'],
  ])('continues after %s (healthy: %s) with %s', (name, isHealthy, next) => {
    expect(nextPanel(panels, name, isHealthy)?.name).toBe(next);
  });

  it('has no next panel when it contains none', () => {
    expect(nextPanel([], 'overview', true)).toBeUndefined();
  });
});

describe('a panel on a wall screen', () => {
  it.each([
    [600, 1000, 1],
    [1000, 1000, 1],
    [1001, 1000, 1],
    [1500, 1000, 2],
    [5000, 1000, 6],
    [5000, 50, 1],
  ])('is divided: %i px on a screen of %i px become %i screenfuls', (content, view, count) => {
    expect(countScreenfuls({ content, view })).toBe(count);
    const tops = [0];
    for (let top = nextScreenful({ top: 0, view, content }); top !== null; top = nextScreenful({ top, view, content }))
      tops.push(top);
    expect(tops).toHaveLength(count);
    if (view <= 96) return;
    expect((tops.at(-1) ?? 0) + view).toBeGreaterThanOrEqual(content - 1);
    // Two consecutive screenfuls overlap by at least one row.
    expect(tops.slice(1).every((top, index) => top <= (tops[index] ?? 0) + view - 96)).toBe(true);
  });

  it.each([
    [60, 1, 60_000],
    [60, 3, 20_000],
    [60, 10, 12_000],
    [20, 4, 12_000],
    [5, 4, 5000],
  ])('has its time divided: of %i s with %i screenfuls, each gets %i ms', (seconds, screens, ms) => {
    expect(screenfulMs(seconds, screens)).toBe(ms);
  });
});
