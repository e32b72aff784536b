/** An axis: its range, zooming and panning, and the ticks of a time axis with labels in local time. */
import { formatClock, formatClockSeconds } from '../../base/time.ts';

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

/** Bounds in ms since the epoch, or in the unit of the axis. */
export interface AxisRange {
  readonly from: number;
  readonly to: number;
}

/** The limits of the visible length; by default, from 0 to the whole range. */
interface ZoomLimits {
  readonly min?: number;
  readonly max?: number;
}

export function rangeLength({ from, to }: AxisRange): number {
  return to - from;
}

/** Returns the position of a value on the axis: 0 at its start, 1 at its end. */
export function relativePosition(value: number, range: AxisRange): number {
  return (value - range.from) / rangeLength(range);
}

/** Pans the range by `delta`, within `fullRange`. */
export function panRange(range: AxisRange, delta: number, fullRange: AxisRange): AxisRange {
  const from = Math.max(fullRange.from, Math.min(fullRange.to - rangeLength(range), range.from + delta));
  return { from, to: from + rangeLength(range) };
}

/** Moves the range by the least amount that makes `value` visible. */
export function panToInclude(range: AxisRange, value: number): AxisRange {
  const delta = value < range.from ? value - range.from : value > range.to ? value - range.to : 0;
  return { from: range.from + delta, to: range.to + delta };
}

/** Multiplies the length of the range by `factor`, within `fullRange`; `anchor` keeps its position if possible. */
export function zoomRange(
  range: AxisRange,
  factor: number,
  anchor: number,
  fullRange: AxisRange,
  { min = 0, max = rangeLength(fullRange) }: ZoomLimits = {},
): AxisRange {
  const length = Math.min(max, Math.max(min, rangeLength(range) * factor));
  const fraction = rangeLength(range) > 0 ? relativePosition(anchor, range) : 0.5;
  const from = anchor - fraction * length;
  return panRange({ from, to: from + length }, 0, fullRange);
}

/** Returns the value closest to `target` that lies in one of the ranges; `target` if there are no ranges. */
export function closestValue(ranges: readonly AxisRange[], target: number): number {
  const values = ranges.map(({ from, to }) => Math.max(from, Math.min(to, target)));
  return values.toSorted((a, b) => Math.abs(a - target) - Math.abs(b - target))[0] ?? target;
}

/**
 * Returns the change that a wheel event over an axis causes: Ctrl or Cmd zooms around the pointer, Shift or horizontal
 * scrolling pans. `null` if the page scrolls instead.
 */
export function getWheelChange(
  event: WheelEvent,
  range: AxisRange,
  box: Pick<DOMRect, 'left' | 'width'>,
): { readonly factor: number; readonly anchor: number } | { readonly delta: number } | null {
  if (event.ctrlKey || event.metaKey) {
    const wheelDelta = Math.max(-60, Math.min(60, event.deltaY));
    return {
      factor: Math.exp(wheelDelta / 200),
      anchor: range.from + ((event.clientX - box.left) / box.width) * rangeLength(range),
    };
  }
  if (!event.shiftKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return null;
  return { delta: ((event.deltaX || event.deltaY) / box.width) * rangeLength(range) };
}

interface Tick {
  /** ms since the epoch. */
  readonly at: number;
  readonly label: string;
}

/** Returns the smallest step, in ms, of which at most `limit` fit into `span` ms. */
export function chooseTickStep(span: number, limit: number): number {
  const minStep = span / Math.max(1, limit);
  return steps.find((step) => step >= minStep) ?? Math.ceil(minStep / (364 * day)) * 364 * day;
}

/**
 * Returns the ticks of a time range. Their step divides it into at most as many parts as labels fit, or into two if
 * fewer fit; ticks at both ends or days of unequal length can add a tick.
 * @param width width of the axis @param labelWidth width of the longest label with its margin, in the same unit
 */
export function computeTimeTicks({ from, to }: AxisRange, width: number, labelWidth = 90): Tick[] {
  if (!(to > from) || !Number.isFinite(to - from)) return [];
  const step = chooseTickStep(to - from, Math.max(2, Math.floor(width / labelWidth)));
  return listTickTimes(from, to, step).map((at) => ({ at, label: formatTickLabel(at, step, to) }));
}

/** Steps of an hour or more follow the local clock: ticks remain at 00:00 and 06:00 when summer time begins or ends. */
function listTickTimes(from: number, to: number, step: number): number[] {
  const times: number[] = [];
  if (step < hour) {
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) times.push(at);
    return times;
  }
  const start = new Date(from);
  const [year, month, date] = [start.getFullYear(), start.getMonth(), start.getDate()];
  // Counted from a fixed day, so that panning does not change the ticks.
  const days = Math.max(1, step / day);
  const first = Math.floor(Date.UTC(year, month, date) / day / days) * days;
  for (let number = first; ; number += days) {
    const utcDay = new Date(number * day);
    const [y, m, d] = [utcDay.getUTCFullYear(), utcDay.getUTCMonth(), utcDay.getUTCDate()];
    if (new Date(y, m, d).getTime() > to) return times;
    for (let hours = 0; hours < 24; hours += step / hour) {
      const at = new Date(y, m, d, hours).getTime();
      if (at >= from && at <= to && at !== times.at(-1)) times.push(at);
    }
  }
}

function formatTickLabel(at: number, step: number, to: number): string {
  const date = new Date(at);
  if (step < second) return formatClockSeconds(at, `.${Math.floor(date.getMilliseconds() / 100)}`);
  if (step < minute) return formatClockSeconds(at);
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
  return isMidnight ? formatDay(date, new Date(to)) : formatClock(at);
}

function formatDay(date: Date, reference: Date): string {
  const month = date.toLocaleDateString('en-US', { month: 'short' });
  const year = date.getFullYear() === reference.getFullYear() ? '' : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${month}${year}`;
}
