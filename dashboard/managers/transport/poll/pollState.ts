/**
 * What is known of a reading's failures. It belongs to the query, not to one of those who read it: they all see the same
 * failure, and none of them asks before the wait is over.
 */
import { hashKey, type QueryClient } from '@tanstack/vue-query';
import { shallowReactive } from 'vue';

/** First and longest wait, in ms. */
export const firstWait = 2000;
export const longestWait = 30_000;

/**
 * After the `failures`-th failure in a row (1, 2, …): 2 s, 4 s, 8 s, 16 s, then 30 s, each up to 25 % shorter or longer
 * so that many pages don't come back at the same moment. `random` is in [0, 1). A server that named a time
 * (`Retry-After`, in ms) is never asked earlier.
 */
export function backOff(failures: number, random: number, retryAfter = 0): number {
  const wait = Math.min(longestWait, firstWait * 2 ** Math.max(0, failures - 1));
  const jittered = Math.min(longestWait, Math.max(firstWait, wait * (0.75 + random * 0.5)));
  return Math.round(Math.max(jittered, retryAfter));
}

export interface PollState {
  /** In a row; 0 after a good answer. */
  failures: number;
  /** Until something new is expected, in ms, where the answer tells; 0 where it doesn't. */
  wait: number;
  /** Why the last one failed, in words. */
  reason: string;
  /** The status of an answer that said no. */
  status: number | null;
  /** When the first failure in the row happened, ms since the epoch. */
  since: number;
  /** When it is asked next after a failure, ms since the epoch. */
  nextTry: number;
  /** How often each of those who read it wants it, in ms. */
  readonly intervals: Map<symbol, number>;
}

const states = new WeakMap<QueryClient, Map<string, PollState>>();

function statesOf(client: QueryClient): Map<string, PollState> {
  const known = states.get(client);
  if (known !== undefined) return known;
  const made = new Map<string, PollState>();
  states.set(client, made);
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'removed') made.delete(query.queryHash);
  });
  return made;
}

/** The one state of a key. */
export function pollStateOf(client: QueryClient, key: readonly unknown[]): PollState {
  const all = statesOf(client);
  const hash = hashKey(key);
  const known = all.get(hash);
  if (known !== undefined) return known;
  const state = shallowReactive<PollState>({
    failures: 0,
    wait: 0,
    reason: '',
    status: null,
    since: 0,
    nextTry: 0,
    intervals: new Map(),
  });
  all.set(hash, state);
  return state;
}

export function noteAnswer(state: PollState, wait: number): void {
  Object.assign(state, { failures: 0, wait });
}

export interface PollFailure {
  readonly reason: string;
  readonly status: number | null;
  /** How long the server asked to wait, in ms. */
  readonly retryAfter: number;
}

/** It is never asked sooner than the one who reads it most often would. */
export function noteFailure(state: PollState, failure: PollFailure): void {
  const failures = state.failures + 1;
  const requested = [...state.intervals.values()].filter((each) => each > 0);
  const interval = requested.length === 0 ? 0 : Math.min(...requested);
  const wait = Math.max(interval, backOff(failures, Math.random(), failure.retryAfter));
  const now = Date.now();
  Object.assign(state, {
    failures,
    wait,
    reason: failure.reason,
    status: failure.status,
    since: state.failures === 0 ? now : state.since,
    nextTry: now + wait,
  });
}
