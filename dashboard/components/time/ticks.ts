/** Where a time axis has its marks, and what stands there: local time, 24 h. Pure. */
import { clock, clockSeconds } from '../../base/time.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Steps that people count in. */
const steps = [
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((count) => count * day),
];

interface Tick {
  /** ms since the epoch. */
  readonly at: number;
  readonly label: string;
}

/** The least step in ms with at most `most` ticks over `span` ms. */
export function stepOf(span: number, most: number): number {
  const least = span / Math.max(1, most);
  return steps.find((step) => step >= least) ?? Math.ceil(least / (364 * day)) * 364 * day;
}

/** Ticks from `from` to `to`, both ms since the epoch, `most` at most (one more where days are of unequal length). */
export function ticksOf(from: number, to: number, most: number): Tick[] {
  if (!(to > from) || !Number.isFinite(to - from)) return [];
  const step = stepOf(to - from, most);
  return placesOf(from, to, step).map((at) => ({ at, label: tickLabel(at, step, to) }));
}

/** From an hour on they stand on the local clock: 00:00 and 06:00 stay so when summer time begins or ends. */
function placesOf(from: number, to: number, step: number): number[] {
  const places: number[] = [];
  if (step < hour) {
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) places.push(at);
    return places;
  }
  const start = new Date(from);
  const [year, month, date] = [start.getFullYear(), start.getMonth(), start.getDate()];
  // Counted from a fixed day, so that the marks stay when the axis moves on.
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
