/** An axis: its range, zooming and panning, and the ticks of a time axis with labels in local time. Pure. */
import { clock, clockSeconds } from '../../base/time.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Tick steps, in ms. */
const steps = [
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((count) => count * day),
];

/** In ms since the epoch, or in the unit of the axis. */
export interface AxisRange {
  readonly from: number;
  readonly to: number;
}

/** The limits of the visible range; `min` is 0 and `max` everything by default. */
interface ZoomLimits {
  readonly min?: number;
  readonly max?: number;
}

export function lengthOf({ from, to }: AxisRange): number {
  return to - from;
}

/** Returns the position of a value on the axis: 0 at its start, 1 at its end. */
export function partOf(value: number, range: AxisRange): number {
  return (value - range.from) / lengthOf(range);
}

/** Pans the range by `by`, within `whole`. */
export function panRange(range: AxisRange, by: number, whole: AxisRange): AxisRange {
  const from = Math.max(whole.from, Math.min(whole.to - lengthOf(range), range.from + by));
  return { from, to: from + lengthOf(range) };
}

/** Moves the range by the least amount that makes `value` visible. */
export function movedTo(range: AxisRange, value: number): AxisRange {
  const by = value < range.from ? value - range.from : value > range.to ? value - range.to : 0;
  return { from: range.from + by, to: range.to + by };
}

/** Zooms by `factor` (0.5: half as much) within `whole`; the value `at` keeps its position. */
export function zoomRange(
  range: AxisRange,
  factor: number,
  at: number,
  whole: AxisRange,
  { min = 0, max = lengthOf(whole) }: ZoomLimits = {},
): AxisRange {
  const length = Math.min(max, Math.max(min, lengthOf(range) * factor));
  const part = lengthOf(range) > 0 ? partOf(at, range) : 0.5;
  const from = at - part * length;
  return panRange({ from, to: from + length }, 0, whole);
}

/** Returns the value closest to `at` that lies in one of the ranges; `at` without a range. */
export function closestIn(ranges: readonly AxisRange[], at: number): number {
  const values = ranges.map(({ from, to }) => Math.max(from, Math.min(to, at)));
  return values.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0] ?? at;
}

/**
 * Returns the range after a wheel event over an axis: Ctrl zooms around the pointer, Shift or a horizontal turn pans.
 * `null`: the page scrolls.
 */
export function wheelChange(
  event: WheelEvent,
  range: AxisRange,
  box: Pick<DOMRect, 'left' | 'width'>,
): { readonly factor: number; readonly at: number } | { readonly by: number } | null {
  if (event.ctrlKey || event.metaKey) {
    const turn = Math.max(-60, Math.min(60, event.deltaY));
    return {
      factor: Math.exp(turn / 200),
      at: range.from + ((event.clientX - box.left) / box.width) * lengthOf(range),
    };
  }
  if (!event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return null;
  return { by: ((event.deltaX || event.deltaY) / box.width) * lengthOf(range) };
}

interface Tick {
  /** ms since the epoch. */
  readonly at: number;
  readonly label: string;
}

/** Returns the smallest step in ms that gives at most `limit` ticks over `span` ms. */
export function stepOf(span: number, limit: number): number {
  const minStep = span / Math.max(1, limit);
  return steps.find((step) => step >= minStep) ?? Math.ceil(minStep / (364 * day)) * 364 * day;
}

/**
 * Returns the ticks of a time range, as many as fit and at least two (one more if days have unequal lengths).
 * @param width width of the axis @param labelWidth width of the longest label with its margin, in the same unit
 */
export function ticksOf({ from, to }: AxisRange, width: number, labelWidth = 90): Tick[] {
  if (!(to > from) || !Number.isFinite(to - from)) return [];
  const step = stepOf(to - from, Math.max(2, Math.floor(width / labelWidth)));
  return placesOf(from, to, step).map((at) => ({ at, label: tickLabel(at, step, to) }));
}

/** Steps from one hour on follow the local clock: 00:00 and 06:00 stay so when summer time begins or ends. */
function placesOf(from: number, to: number, step: number): number[] {
  const places: number[] = [];
  if (step < hour) {
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) places.push(at);
    return places;
  }
  const start = new Date(from);
  const [year, month, date] = [start.getFullYear(), start.getMonth(), start.getDate()];
  // Counted from a fixed day, so that the marks stay when the axis moves.
  const days = Math.max(1, step / day);
  const first = Math.floor(Date.UTC(year, month, date) / day / days) * days;
  for (let number = first; ; number += days) {
    const begin = new Date(number * day);
    const [y, m, d] = [begin.getUTCFullYear(), begin.getUTCMonth(), begin.getUTCDate()];
    if (new Date(y, m, d).getTime() > to) return places;
    for (let hours = 0; hours < 24; hours += step / hour) {
      const at = new Date(y, m, d, hours).getTime();
      if (at >= from && at <= to && at !== places.at(-1)) places.push(at);
    }
  }
}

function tickLabel(at: number, step: number, to: number): string {
  const date = new Date(at);
  if (step < second) return clockSeconds(at, `.${Math.floor(date.getMilliseconds() / 100)}`);
  if (step < minute) return clockSeconds(at);
  const midnight = date.getHours() === 0 && date.getMinutes() === 0;
  return midnight ? dayOf(date, new Date(to)) : clock(at);
}

function dayOf(date: Date, other: Date): string {
  const month = date.toLocaleDateString('en-US', { month: 'short' });
  const year = date.getFullYear() === other.getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${month}${year}`;
}
