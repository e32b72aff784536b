/** The number of events over time by level: the bars above the log. */
import type { TimeRange } from '../../base/time.ts';
import type { EventRow } from '../../managers/event/eventRow.ts';

export const levelGroups = ['low', 'warning', 'error'] as const;
export type LevelGroup = (typeof levelGroups)[number];

function getLevelGroup(level: number): LevelGroup {
  return level >= 40 ? 'error' : level >= 30 ? 'warning' : 'low';
}

export interface HistogramBar {
  /** ms since the epoch; `to` is the start of the next bar. */
  readonly from: number;
  readonly to: number;
  readonly counts: Readonly<Record<LevelGroup, number>>;
  readonly total: number;
}

export interface Histogram {
  readonly bars: readonly HistogramBar[];
  /** Events in the fullest bar; at least 1. */
  readonly maxCount: number;
}

/** Bar widths of common units of time, in ms: from a second to a week. */
const widths = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 604_800,
].map((seconds) => seconds * 1000);

/** Returns the smallest bar width in ms with at most `maxBars` bars in the span. */
export function chooseBarWidth({ from, to }: TimeRange, maxBars: number): number {
  const minBarMs = (to - from) / maxBars;
  return widths.find((width) => width >= minBarMs) ?? Math.ceil(minBarMs / 604_800_000) * 604_800_000;
}

/** Returns the span of all rows with a time; `null` if none has one. */
export function getTimeSpan(rows: readonly EventRow[]): TimeRange | null {
  let from = Infinity;
  let to = -Infinity;
  for (const { at } of rows) {
    if (at === null) continue;
    if (at < from) from = at;
    if (at > to) to = at;
  }
  return from <= to ? { from, to } : null;
}

/** The Monday of the first week of the epoch in UTC. */
const firstMonday = 4 * 86_400_000;

/** Returns the last start of a bar before `at`. Bars of an hour or more begin at full local hours, days and weeks. */
function findBarStart(at: number, width: number): number {
  const localOffset = width < 3_600_000 ? 0 : firstMonday + new Date(at).getTimezoneOffset() * 60_000;
  return Math.floor((at - localOffset) / width) * width + localOffset;
}

/** Returns at most about `maxBars` bars that cover the span. */
export function createHistogram(rows: readonly EventRow[], span: TimeRange, maxBars: number): Histogram {
  const width = chooseBarWidth(span, maxBars);
  const first = findBarStart(span.from, width);
  const counts = Array.from({ length: Math.max(1, Math.floor((span.to - first) / width) + 1) }, () => ({
    low: 0,
    warning: 0,
    error: 0,
  }));
  for (const { at, level } of rows) {
    if (at === null) continue;
    const count = counts[Math.floor((at - first) / width)];
    if (count !== undefined) count[getLevelGroup(level)] += 1;
  }
  const bars = counts.map((count, index) => ({
    from: first + index * width,
    to: first + (index + 1) * width,
    counts: count,
    total: count.low + count.warning + count.error,
  }));
  return { bars, maxCount: Math.max(1, ...bars.map(({ total }) => total)) };
}

/** Returns the share of errors among a bar's events, between 0 and 1; `null` for an empty bar. */
export function getErrorShare({ counts, total }: Pick<HistogramBar, 'counts' | 'total'>): number | null {
  return total === 0 ? null : counts.error / total;
}

/** Returns the bar with the highest error rate, on a tie the one with more events; `null` if there are no errors. */
export function findWorstBar(bars: readonly HistogramBar[]): HistogramBar | null {
  const barsWithErrors = bars.filter(({ counts }) => counts.error > 0);
  const order = (a: HistogramBar, b: HistogramBar) =>
    (getErrorShare(b) ?? 0) - (getErrorShare(a) ?? 0) || b.total - a.total;
  return barsWithErrors.toSorted(order)[0] ?? null;
}

/** Returns the fraction of rows that are errors, between 0 and 1. */
export function getErrorShareOfRows(rows: readonly EventRow[]): number {
  if (rows.length === 0) return 0;
  return rows.filter(({ level }) => getLevelGroup(level) === 'error').length / rows.length;
}
