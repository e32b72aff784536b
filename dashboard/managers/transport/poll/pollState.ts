/**
 * The failure state of a query. It belongs to the query rather than to a subscriber, so that all of them see the same
 * failure and none sends a request before the wait is over.
 */
import { hashKey, type QueryClient } from '@tanstack/vue-query';
import { shallowReactive } from 'vue';
import { doublingDelay } from '#api/time/pause.ts';

/** The first and the longest wait, in ms. */
export const minWaitMs = 2000;
export const maxWaitMs = 30_000;
/** How much later than the interval an announcement of the relay may arrive, in ms. */
export const announcementMarginMs = 1500;

/**
 * Returns the wait after the `failures`-th failure in a row (1, 2, …): 2 s, 4 s, 8 s, 16 s, then 30 s, each with a jitter
 * of up to 25 %, so that many pages don't retry at the same moment. The wait is never shorter than `retryAfter` (in ms).
 * `random` is in [0, 1).
 */
export function backoffDelay(failures: number, random: number, retryAfter = 0): number {
  const wait = doublingDelay(failures, minWaitMs, maxWaitMs);
  const jittered = Math.min(maxWaitMs, Math.max(minWaitMs, wait * (0.75 + random * 0.5)));
  return Math.round(Math.max(jittered, retryAfter));
}

export interface PollState {
  /** The number of failures in a row; 0 after a success. */
  failures: number;
  /** In ms: after a failure the wait until the retry, after a success the time until new data is expected; 0 if unknown. */
  wait: number;
  /** The reason of the last failure, as text. */
  reason: string;
  /** The status of an error response. */
  status: number | null;
  /** When the current series of failures began, ms since the epoch. */
  since: number;
  /** When the next retry is due, ms since the epoch. */
  nextRetryAt: number;
  /** When the relay last announced the current revision, ms since the epoch. */
  announcedAt: number;
  /** The refresh interval of each subscriber, in ms. */
  readonly intervals: Map<symbol, number>;
}

const states = new WeakMap<QueryClient, Map<string, PollState>>();

function getStates(client: QueryClient): Map<string, PollState> {
  const existing = states.get(client);
  if (existing !== undefined) return existing;
  const statesByKey = new Map<string, PollState>();
  states.set(client, statesByKey);
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'removed') statesByKey.delete(query.queryHash);
  });
  return statesByKey;
}

/** Returns the state of a key, the same object for every caller. */
export function getPollState(client: QueryClient, key: readonly unknown[]): PollState {
  const all = getStates(client);
  const hash = hashKey(key);
  const existing = all.get(hash);
  if (existing !== undefined) return existing;
  const state = shallowReactive<PollState>({
    failures: 0,
    wait: 0,
    reason: '',
    status: null,
    since: 0,
    nextRetryAt: 0,
    announcedAt: 0,
    intervals: new Map(),
  });
  all.set(hash, state);
  return state;
}

export function recordSuccess(state: PollState, wait: number): void {
  Object.assign(state, { failures: 0, wait });
}

export interface PollFailure {
  readonly reason: string;
  readonly status: number | null;
  /** The wait that the server requested, in ms. */
  readonly retryAfter: number;
}

/** The wait is not shorter than the shortest interval of a subscriber, up to the longest wait. */
export function recordFailure(state: PollState, failure: PollFailure): void {
  const failures = state.failures + 1;
  const intervals = [...state.intervals.values()].filter((interval) => interval > 0);
  const interval = intervals.length === 0 ? 0 : Math.min(...intervals);
  const wait = Math.max(Math.min(interval, maxWaitMs), backoffDelay(failures, Math.random(), failure.retryAfter));
  const now = Date.now();
  Object.assign(state, {
    failures,
    wait,
    reason: failure.reason,
    status: failure.status,
    since: state.failures === 0 ? now : state.since,
    nextRetryAt: now + wait,
  });
}

/** Reads failing queries at once, because their cause may be over; those that are not shown, when they are shown next. */
export function retryFailing(client: QueryClient, queryKey: readonly unknown[]): void {
  const isFailing = ({ queryKey: key }: { readonly queryKey: readonly unknown[] }): boolean => {
    return getPollState(client, key).failures > 0;
  };
  for (const query of client.getQueryCache().findAll({ queryKey, predicate: isFailing }))
    getPollState(client, query.queryKey).nextRetryAt = Date.now();
  void client.refetchQueries({ queryKey, type: 'active', predicate: isFailing });
}
