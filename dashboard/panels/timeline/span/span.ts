/** The visible time span: a choice that follows the clock, or a range from moving or zooming. */
import type { TimeRange } from '#dashboard/base/time.ts';
import { panRange, zoomRange } from '#dashboard/components/time/axis.ts';
import { lastNight } from '../../sinceFilter.ts';
import { type LocationQuery, type LocationQueryRaw, useRoute } from 'vue-router';
import { useQueryPatch } from '#dashboard/components/page/pageQuery.ts';
import { useTimeoutFn } from '@vueuse/core';
import { computed, ref, watch, type ComputedRef, type Ref } from 'vue';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The shortest and the longest span, in ms. */
export const minSpanMs = 10 * minute;
export const maxSpanMs = 30 * day;
/** The maximum age of the span, in ms. */
const maxAgeMs = 366 * day;

/** The longest span that starts with the data by itself, in ms. */
export const maxLatestMs = day;

/** The values of `span` in the query string; `last-visit`: since the previous visit to the Overview; `latest` fits the data. */
export const spanKeys = ['latest', '10m', '1h', '8h', 'night', '24h', '7d', '30d', 'last-visit'] as const;
export type SpanKey = (typeof spanKeys)[number];
const lengthsMs: Readonly<Partial<Record<SpanKey, number>>> = {
  '10m': minSpanMs,
  '1h': hour,
  '8h': 8 * hour,
  '24h': day,
  '7d': 7 * day,
  '30d': maxSpanMs,
};
const defaultSpan: SpanKey = 'latest';

/** `key` is `null` for a custom range. */
interface SelectedSpan {
  readonly key: SpanKey | null;
  readonly range: TimeRange;
}

/** The starts of spans that begin with an event, in ms since the epoch; `null` if unknown. */
interface SpanStarts {
  /** Time of the last visit. */
  readonly lastVisit: number | null;
  /** The first moment of the data of the last `maxLatestMs`. */
  readonly latest: number | null;
}

export function rangeForKey(key: SpanKey, now: number, starts: SpanStarts): TimeRange {
  if (key === 'night') return lastNight(now);
  const start = key === 'last-visit' ? starts.lastVisit : key === 'latest' ? starts.latest : null;
  const maxLength = key === 'latest' ? maxLatestMs : maxSpanMs;
  const length = start === null ? (lengthsMs[key] ?? day) : Math.min(maxLength, Math.max(minSpanMs, now - start));
  return { from: now - length, to: now };
}

/** Timestamps in ms since the epoch; shorter numbers are rejected. */
const isTime = (value: unknown): boolean => typeof value === 'string' && /^\d{9,15}$/.test(value);

export function spanFromQuery(query: LocationQuery, now: number, starts: SpanStarts): SelectedSpan {
  const { from, to, span } = query;
  if (isTime(from) && isTime(to) && Number(to) > Number(from)) {
    const queryRange = { from: Number(from), to: Number(to) };
    return { key: null, range: zoomBy(queryRange, 1, queryRange.to, now) };
  }
  const spanKey =
    spanKeys.find((key) => key === span && (key !== 'last-visit' || starts.lastVisit !== null)) ?? defaultSpan;
  return { key: spanKey, range: rangeForKey(spanKey, now, starts) };
}

/** The query strings of a choice and of a range. */
function keyToQuery(key: SpanKey): LocationQueryRaw {
  return { span: key === defaultSpan ? undefined : key, from: undefined, to: undefined };
}
function rangeToQuery({ from, to }: TimeRange): LocationQueryRaw {
  return { span: undefined, from: String(Math.round(from)), to: String(Math.round(to)) };
}

/** The range within which the user can navigate. */
function navigableRange(now: number): TimeRange {
  return { from: now - maxAgeMs, to: now + maxSpanMs };
}

/** Returns the range between two times, with a margin. */
export function zoomTo({ from, to }: TimeRange, now: number): TimeRange {
  const middle = (from + to) / 2;
  const length = Math.max(1, to - from) * 1.2;
  return zoomBy({ from: middle - length / 2, to: middle + length / 2 }, 1, middle, now);
}

/** A `factor` under 1 zooms in. The time at `at` keeps its position. */
export function zoomBy(range: TimeRange, factor: number, at: number, now: number): TimeRange {
  return zoomRange(range, factor, at, navigableRange(now), { min: minSpanMs, max: maxSpanMs });
}

/** Zooms by a button or a key: around now while it is visible, because most work is close to it, else around the middle. */
export function zoomStep(range: TimeRange, factor: number, now: number): TimeRange {
  const { from, to } = range;
  return zoomBy(range, factor, now >= from && now <= to ? now : (from + to) / 2, now);
}

export function panBy(range: TimeRange, deltaMs: number, now: number): TimeRange {
  return panRange(range, deltaMs, navigableRange(now));
}

/** The same length, ending at now or beginning at a time. */
export function endAtNow({ from, to }: TimeRange, now: number): TimeRange {
  return { from: now - (to - from), to: now };
}
export function startAt({ from, to }: TimeRange, time: number): TimeRange {
  return { from: time, to: time + (to - from) };
}

/** Debounce of address changes in ms: browsers reject more than a hundred changes in 30 s. */
const debounceMs = 300;
/** The number of steps in a span. A span that follows the clock moves in whole steps. */
const stepsPerSpan = 2000;

interface ShownSpan {
  readonly range: ComputedRef<TimeRange>;
  /** The selected choice; `null` after moving or zooming. */
  readonly key: ComputedRef<SpanKey | null>;
  readonly choose: (key: SpanKey) => void;
  readonly show: (range: TimeRange) => void;
}

/** @param now the lab's time */
export function useSpan(now: Ref<number>, starts: Ref<SpanStarts>): ShownSpan {
  const route = useRoute();
  const change = useQueryPatch();
  const customRange = ref<TimeRange | null>(null);
  const { start, stop } = useTimeoutFn(
    () => {
      if (customRange.value !== null) change(rangeToQuery(customRange.value));
    },
    debounceMs,
    { immediate: false },
  );
  // Navigation to another span, by a link or the back button.
  watch(
    () => [route.query['span'], route.query['from'], route.query['to']].join(),
    () => {
      stop();
      customRange.value = null;
    },
  );
  const selectedSpan = computed(() => {
    const { range, key } = spanFromQuery(route.query, now.value, starts.value);
    const step = Math.max(1000, (range.to - range.from) / stepsPerSpan);
    // A span that follows the clock moves in visible steps, and never ends before now.
    return {
      key,
      range: key === null ? range : spanFromQuery(route.query, Math.ceil(now.value / step) * step, starts.value).range,
    };
  });
  // Keeps the object while its bounds are equal.
  const range = computed<TimeRange>((previous) => {
    const next = customRange.value ?? selectedSpan.value.range;
    return previous?.from === next.from && previous.to === next.to ? previous : next;
  });
  return {
    range,
    key: computed(() => (customRange.value === null ? selectedSpan.value.key : null)),
    choose: (key) => {
      stop();
      customRange.value = null;
      change(keyToQuery(key));
    },
    show: (next) => {
      customRange.value = next;
      start();
    },
  };
}
