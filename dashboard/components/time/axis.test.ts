import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  closestValue,
  panToInclude,
  panRange,
  relativePosition,
  chooseTickStep,
  computeTimeTicks,
  getWheelChange,
  zoomRange,
} from './axis.ts';

const at = (hours: number, minutes = 0, seconds = 0, ms = 0): number =>
  new Date(2026, 10, 21, hours, minutes, seconds, ms).getTime();
/** The width of an axis with room for six labels. */
const sixTicks = 540;
const labels = (from: number, to: number): string[] =>
  computeTimeTicks({ from, to }, sixTicks).map(({ label }) => label);

it('closestValue returns the closest value within a bar, or the value itself without bars', () => {
  const bars = [
    { from: 0, to: 10 },
    { from: 90, to: 95 },
  ];
  expect([closestValue(bars, 40), closestValue(bars, 60), closestValue(bars, 5), closestValue([], 40)]).toEqual([
    10, 90, 5, 40,
  ]);
});

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
  ])('have a step that fits the range: %i ms have the step %i ms', (length, step) => {
    expect(chooseTickStep(length, 6)).toBe(step);
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
  ])('show %s', (_name, from, to, expected) => {
    expect(labels(from, to)).toEqual(expected);
  });

  it('show the year when it changes', () => {
    const shown = labels(new Date(2026, 11, 30, 12).getTime(), new Date(2027, 0, 2, 12).getTime());
    expect(shown.filter((label) => label.includes(' '))).toEqual(['31 Dec 2026', '1 Jan', '2 Jan']);
  });

  it('stay at the same times when the axis moves', () => {
    const first = new Set(computeTimeTicks({ from: at(0), to: at(24 * 40) }, sixTicks).map((tick) => tick.at));
    const later = computeTimeTicks({ from: at(30), to: at(24 * 40 + 30) }, sixTicks).map((tick) => tick.at);
    expect(later.filter((time) => time <= at(24 * 40)).every((time) => first.has(time))).toBe(true);
  });

  it('are empty without a range', () => {
    expect(computeTimeTicks({ from: at(14), to: at(14) }, sixTicks)).toEqual([]);
    expect(computeTimeTicks({ from: at(14), to: Number.NaN }, sixTicks)).toEqual([]);
  });
});

describe('panning and zooming', () => {
  const fullRange = { from: 0, to: 1000 };
  it.each([
    ['halves the range around its middle', fullRange, 0.5, 500, { from: 250, to: 750 }],
    ['keeps the start when it zooms at the start', fullRange, 0.5, 0, { from: 0, to: 500 }],
    ['keeps the position of the value it zooms at', { from: 250, to: 750 }, 0.5, 750, { from: 500, to: 750 }],
    ['stays within the full range', { from: 800, to: 1000 }, 2, 1000, { from: 600, to: 1000 }],
    ['shows at most the full range', { from: 125, to: 625 }, 4, 250, fullRange],
  ])('%s', (_title, range, factor, value, after) => {
    expect(zoomRange(range, factor, value, fullRange)).toEqual(after);
  });

  it('limits the zoom to a minimum and a maximum length', () => {
    expect(zoomRange(fullRange, 0.001, 500, fullRange, { min: 100 })).toEqual({ from: 450, to: 550 });
    expect(zoomRange({ from: 450, to: 550 }, 9, 500, fullRange, { max: 400 })).toEqual({ from: 300, to: 700 });
  });

  it('keeps the zoom centre visible and stays within the full range', () => {
    fc.assert(
      fc.property(
        fc.nat(990),
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0.1, max: 4, noNaN: true }),
        (from, width, factor) => {
          const range = { from, to: Math.min(1000, from + width) };
          const centre = (range.from + range.to) / 2;
          const after = zoomRange(range, factor, centre, fullRange);
          expect(after.from).toBeGreaterThanOrEqual(-1e-9);
          expect(after.to).toBeLessThanOrEqual(1000 + 1e-9);
          expect(centre).toBeGreaterThanOrEqual(after.from - 1e-9);
          expect(centre).toBeLessThanOrEqual(after.to + 1e-9);
        },
      ),
    );
  });

  it('pans to the ends of the full range and no further', () => {
    expect(panRange({ from: 100, to: 300 }, 50, fullRange)).toEqual({ from: 150, to: 350 });
    expect(panRange({ from: 100, to: 300 }, 5000, fullRange)).toEqual({ from: 800, to: 1000 });
    expect(panRange({ from: 100, to: 300 }, -5000, fullRange)).toEqual({ from: 0, to: 200 });
    expect(relativePosition(250, fullRange)).toBe(0.25);
  });

  it.each([
    [50, { from: 40, to: 60 }],
    [70, { from: 50, to: 70 }],
    [10, { from: 10, to: 30 }],
  ])('pans only as far as necessary to show %d', (value, after) =>
    expect(panToInclude({ from: 40, to: 60 }, value)).toEqual(after),
  );
});

describe('a wheel event', () => {
  const turn = (event: Partial<WheelEvent>) =>
    getWheelChange(
      { ctrlKey: false, metaKey: false, shiftKey: false, deltaX: 0, deltaY: 0, clientX: 150, ...event } as WheelEvent,
      { from: 0, to: 1000 },
      { left: 100, width: 200 },
    );
  it.each([
    ['scrolls the page without a modifier key', { deltaY: 100 }, null],
    ['pans the axis with Shift', { shiftKey: true, deltaY: 20 }, { delta: 100 }],
    ['pans the axis when the wheel scrolls sideways', { deltaX: -20 }, { delta: -100 }],
    ['zooms around the pointer with Ctrl', { ctrlKey: true, deltaY: -40 }, { factor: Math.exp(-0.2), anchor: 250 }],
    ['limits the zoom of one event', { metaKey: true, deltaY: 900 }, { factor: Math.exp(0.3), anchor: 250 }],
  ])('%s', (_title, event, change) => expect(turn(event)).toEqual(change));
});
