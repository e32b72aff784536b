/** The age of the oldest data on screen, anywhere on the page. */
import { onScopeDispose, shallowReactive, watchEffect } from 'vue';
import { formatAge, formatElapsed, formatTime } from '../../base/time.ts';
import type { LiveQuery } from './liveQuery.ts';
import { componentTexts, feedbackTexts } from '../texts.ts';

/** The parts of a query that determine its age. */
export type FreshnessSource = Pick<LiveQuery<unknown>, 'receivedAt' | 'interval' | 'stale' | 'failure'>;

/** The queries on screen, by the component that displays them. */
const queriesByComponent = shallowReactive(new Map<symbol, readonly FreshnessSource[]>());

/** Registers the queries that a component displays; their ages count until it is unmounted. */
export function useOnScreen(queries: () => readonly FreshnessSource[]): void {
  const component = Symbol('component');
  watchEffect(() => void queriesByComponent.set(component, queries()));
  onScopeDispose(() => queriesByComponent.delete(component));
}

/** Returns the queries of all components on screen. */
export function getQueriesOnScreen(): readonly FreshnessSource[] {
  return [...queriesByComponent.values()].flat();
}

export interface Age {
  /** When the oldest data was received, ms since the epoch; `null` if no data was received yet. */
  readonly at: number | null;
  /** Whether some of the data is stale. */
  readonly stale: boolean;
  /** Whether a query fails. */
  readonly failing: boolean;
}

/** Queries with at most this interval are always relevant; others only if they are overdue by more than this. */
const frequentIntervalMs = 5000;

/**
 * Returns the age of the oldest stale data; without stale data, of the oldest overdue or frequently read data. A query
 * without data counts only if there is no other: the component that displays it reports the missing data.
 */
export function computeAge(allQueries: readonly FreshnessSource[], now: number): Age {
  const withData = allQueries.filter(({ receivedAt }) => receivedAt.value !== null);
  const queries = withData.length > 0 ? withData : allQueries;
  const stale = queries.filter((live) => live.stale.value);
  const isRelevant = ({ interval, receivedAt }: FreshnessSource): boolean =>
    interval.value > 0 &&
    (interval.value <= frequentIntervalMs || now - (receivedAt.value ?? now) > interval.value + frequentIntervalMs);
  const relevant = queries.filter(isRelevant);
  const considered = stale.length > 0 ? stale : relevant.length > 0 ? relevant : queries;
  const receivedTimes = considered.flatMap(({ receivedAt }) => (receivedAt.value === null ? [] : [receivedAt.value]));
  return {
    at: receivedTimes.length === 0 ? null : Math.min(...receivedTimes),
    stale: stale.length > 0,
    failing: queries.some(({ failure }) => failure.value !== null),
  };
}

/** Below this age, the text is "just now". Most data is younger, so the text rarely changes. */
const justNowMs = 5000;

/** Returns `updated just now`, `updated 8 s ago`, `last seen 14:02`. */
export function describeAge(
  { at, stale, failing }: Age,
  now: number,
): { readonly lead: string; readonly text: string } {
  const texts = feedbackTexts.age;
  if (at === null) return { lead: '', text: failing ? texts.never : texts.waiting };
  if (stale) return { lead: '', text: texts.lastSeen(formatTime(at, now)) };
  return { lead: texts.updated, text: now - at < justNowMs ? texts.now : texts.ago(formatElapsed(now - at)) };
}

/** The start of a failure and its next retry. */
export interface OngoingFailure {
  /** ms since the epoch. */
  readonly since?: number | null | undefined;
  readonly nextRetryAt?: number | null | undefined;
  readonly trying?: boolean | undefined;
}

/** Returns `since 14:02, 3 min, next try in 8 s`; an empty string without details. */
export function formatRetryStatus({ since, nextRetryAt, trying }: OngoingFailure, now: number): string {
  const texts = componentTexts.error;
  const parts: string[] = [];
  if (since !== null && since !== undefined) parts.push(texts.since(formatTime(since, now), formatAge(now - since)));
  if (trying === true) parts.push(texts.trying);
  else if (nextRetryAt !== null && nextRetryAt !== undefined) {
    parts.push(nextRetryAt - now < 1000 ? texts.trying : texts.next(formatElapsed(nextRetryAt - now)));
  }
  return parts.join(', ');
}
