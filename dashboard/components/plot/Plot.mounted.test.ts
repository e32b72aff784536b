/** Checks a plot by the path that its canvas receives, because a document without a screen has no pixels. */
import { beforeEach, expect, it, vi } from 'vitest';
import { recordCanvas, type DrawnCanvas, type Point } from '../../fixtures/recordCanvas.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import Plot from './Plot.vue';

let canvas: DrawnCanvas;
beforeEach(() => {
  canvas = recordCanvas();
});

const time = Date.UTC(2026, 10, 23, 12);
const hour = 3_600_000;
const series = [{ name: 'Quantity', values: [10, 4, 8] }];
const x = { name: 'time', values: [time, time + hour, time + 2 * hour] };
/** The longest path is the line of the series. */
const line = (): readonly Point[] => canvas.paths.toSorted((a, b) => b.length - a.length)[0] ?? [];
const isStep = (points: readonly Point[]): boolean =>
  points.every(([atX, atY], index) => {
    const [beforeX, beforeY] = points[index - 1] ?? [atX, atY];
    return atX === beforeX || atY === beforeY;
  });

it('a stepped plot draws each value until the next one', async () => {
  mountComponent(Plot, { x, series, name: 'Quantity', isTimeAxis: true, stepped: true });
  await vi.waitFor(() => expect(line().length).toBeGreaterThanOrEqual(5));
  expect(isStep(line())).toBe(true);
});

it('a plot draws straight lines between measured values', async () => {
  mountComponent(Plot, { x, series, name: 'OD', isTimeAxis: true });
  await vi.waitFor(() => expect(line().length).toBeGreaterThanOrEqual(3));
  expect(isStep(line())).toBe(false);
});

it('a plot of a single moment has times and no years on its axis', async () => {
  mountComponent(Plot, {
    x: { name: 'time', values: [time, time] },
    series: [{ name: 'a', values: [1, 2] }],
    name: 'a',
    isTimeAxis: true,
  });
  await vi.waitFor(() => expect(canvas.texts.length).toBeGreaterThan(0));
  expect(canvas.texts.filter((text) => /\d{4}$/.test(text))).toEqual([]);
  expect(canvas.texts.some((text) => /^\d{1,2}:\d{2}/.test(text))).toBe(true);
});

it('the lines in the legend of a plot differ by colour or dashes', async () => {
  const names = ['run 1', 'run 2', 'run 3', 'run 4', 'run 5', 'run 6'];
  mountComponent(Plot, { series: names.map((name) => ({ name, values: [1, 2, 3] })), name: 'OD' });
  const lines = [...document.querySelectorAll<SVGLineElement>('.key line')];
  const styles = lines.map(
    (lineElement) => `${lineElement.style.stroke} ${lineElement.getAttribute('stroke-dasharray')}`,
  );
  expect(new Set(styles).size).toBe(names.length);
  expect(new Set(lines.slice(0, 5).map((lineElement) => lineElement.style.stroke)).size).toBe(5);
});
