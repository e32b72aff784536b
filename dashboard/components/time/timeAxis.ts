/** The contents of a time axis with lanes: spans, the rows of a lane, keyboard order, the text of a bar. */
import type { StateAppearance } from '#api/states.ts';
import { occupyFreeRow } from '../../base/grouping.ts';
import { formatDuration, formatElapsed, formatTimeSeconds, type TimeRange } from '../../base/time.ts';

export interface Lane {
  readonly key: string;
  readonly label: string;
  readonly subtitle?: string;
}

export interface LaneSpan {
  readonly key: string;
  /** Key of its lane. */
  readonly lane: string;
  /** ms since the epoch; `end` is `null` while the span continues. */
  readonly start: number;
  readonly end: number | null;
  readonly appearance: StateAppearance;
  readonly label: string;
  /** Whether the span is a thin line (waiting) instead of a bar (running). */
  readonly thin?: boolean;
}

/** An event at one moment. */
export interface Mark {
  readonly at: number;
  readonly label: string;
  readonly appearance: StateAppearance;
}

/** A span with its row inside the lane, from 0: overlapping bars are in separate rows. */
interface PlacedSpan extends LaneSpan {
  readonly row: number;
}

/** The shortest visible range, in ms. */
export const minRange = 100;
/** The margin at both sides, as a fraction of the range. */
const margin = 0.02;

export function getSpanEnd(span: LaneSpan, now: number): number {
  return Math.max(span.start, span.end ?? now);
}

/** Returns the range of everything with a margin; `null` when there is no time to show. */
export function fitRange(spans: readonly LaneSpan[], marks: readonly Mark[], now: number): TimeRange | null {
  const times = [...spans.flatMap((span) => [span.start, getSpanEnd(span, now)]), ...marks.map(({ at }) => at)];
  const finite = times.filter((time) => Number.isFinite(time));
  if (finite.length === 0) return null;
  const from = finite.reduce((minTime, time) => Math.min(minTime, time));
  const to = finite.reduce((maxTime, time) => Math.max(maxTime, time));
  const padding = Math.max(minRange, (to - from) * margin);
  return { from: from - padding, to: to + padding };
}

/** Assigns rows to the spans of one lane, by time. Only bars get separate rows; waiting spans are behind them. */
export function assignRows(spans: readonly LaneSpan[], now: number): PlacedSpan[] {
  const ends: number[] = [];
  return spans
    .toSorted((a, b) => a.start - b.start || getSpanEnd(a, now) - getSpanEnd(b, now))
    .map((span) => {
      if (span.thin === true) return { ...span, row: 0 };
      return { ...span, row: occupyFreeRow(ends, span.start, getSpanEnd(span, now)) };
    });
}

/**
 * Returns the key of the span that a pressed key moves to: by time with ← and →, to the nearest in the next lane with ↑
 * and ↓, to the first or last with Home and End. `null` for other keys.
 */
export function findSpanToFocus(
  pressedKey: string,
  key: string,
  spans: readonly LaneSpan[],
  lanes: readonly Lane[],
): string | null {
  const ordered = spans.toSorted((a, b) => a.start - b.start || getLaneIndex(a, lanes) - getLaneIndex(b, lanes));
  const index = ordered.findIndex((span) => span.key === key);
  const current = ordered[index];
  switch (pressedKey) {
    case 'ArrowRight':
      return (ordered[index + 1] ?? current)?.key ?? null;
    case 'ArrowLeft':
      return (ordered[index - 1] ?? current)?.key ?? null;
    case 'Home':
      return ordered[0]?.key ?? null;
    case 'End':
      return ordered.at(-1)?.key ?? null;
    case 'ArrowUp':
    case 'ArrowDown':
      return current === undefined ? null : findNearest(current, ordered, lanes, pressedKey === 'ArrowUp' ? -1 : 1).key;
    default:
      return null;
  }
}

function findNearest(
  current: LaneSpan,
  spans: readonly LaneSpan[],
  lanes: readonly Lane[],
  direction: 1 | -1,
): LaneSpan {
  const start = getLaneIndex(current, lanes);
  for (let index = start + direction; index >= 0 && index < lanes.length; index += direction) {
    const [closest] = spans
      .filter((span) => getLaneIndex(span, lanes) === index)
      .toSorted((a, b) => Math.abs(a.start - current.start) - Math.abs(b.start - current.start));
    if (closest !== undefined) return closest;
  }
  return current;
}

function getLaneIndex(span: LaneSpan, lanes: readonly Lane[]): number {
  return lanes.findIndex(({ key }) => key === span.lane);
}

/** Returns the full text of a span: `Aspirate`, `Completed, 13:52:10 to 13:53:52, took 1 min 42 s`. */
export function describeSpan(span: LaneSpan, now: number): { readonly title: string; readonly details: string } {
  const durationMs = getSpanEnd(span, now) - span.start;
  const age = span.end === null ? formatElapsed(durationMs) : formatDuration(durationMs);
  const from = formatExactTime(span.start, now);
  const times =
    span.end === null
      ? [`since ${from}`, `${age} so far`]
      : [`${from} to ${formatExactTime(span.end, span.start)}`, span.thin === true ? `waited ${age}` : `took ${age}`];
  return { title: span.label, details: [span.appearance.label, ...times].join(', ') };
}

export function describeMark(mark: Mark, now: number): string {
  return `${mark.label}, ${formatExactTime(mark.at, now)}`;
}

/** Formats a time with seconds, and with the day if it isn't the day of `reference`. */
function formatExactTime(time: number, reference: number): string {
  return formatTimeSeconds(time, reference);
}

/** A span that belongs to an object, for instance a step to its workflow. */
export interface OwnedSpan extends LaneSpan {
  readonly owner: string;
  /** The number of spans that it represents. */
  readonly count: number;
}

/**
 * Merges spans that are too close to be distinguishable: consecutive spans of one owner in a lane with the same
 * appearance and gaps of at most `gap` ms.
 */
export function mergeSpans(spans: readonly OwnedSpan[], gap: number): OwnedSpan[] {
  const result: OwnedSpan[] = [];
  const last = new Map<string, number>();
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const index = last.get(span.lane);
    const previous = index === undefined ? undefined : result[index];
    const follows = previous?.end !== null && previous !== undefined && span.start - previous.end <= gap;
    if (index !== undefined && follows && previous.owner === span.owner && previous.appearance === span.appearance)
      result[index] = { ...previous, end: span.end, count: previous.count + span.count };
    else {
      last.set(span.lane, result.length);
      result.push(span);
    }
  }
  return result;
}
