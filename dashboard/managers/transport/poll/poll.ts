/**
 * Live data: one poller per query, shared by all its components. It pauses while the page is hidden, backs off on
 * failures, and recovers by itself.
 */
import { getAge } from '#api/client/responseMetadata.ts';
import { CancelledError, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, onScopeDispose, shallowRef, toValue, watch, type MaybeRefOrGetter, type ComputedRef } from 'vue';
import { serviceTime, useClock } from '#dashboard/base/clock.ts';
import type { LiveQuery } from '#dashboard/components/feedback/liveQuery.ts';
import { toPollFailure } from '../failure.ts';
import { announcementMarginMs, recordSuccess, recordFailure, getPollState, type PollState } from './pollState.ts';
import { requireFreshReads } from '../relay/freshReads.ts';
import type { ManagerQueryKey } from './queryKey.ts';
import { shareStamped, recordStamp } from './readings.ts';

/**
 * Options of all queries: the lab's network may have no internet access, and the polling schedule determines the retries.
 * New subscribers of a failing query wait for its next retry.
 */
export const queryOptions = {
  networkMode: 'always',
  retry: false,
  retryOnMount: false,
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchOnReconnect: 'always',
  refetchIntervalInBackground: false,
} as const;

export interface Poll<Body> {
  readonly source: string;
  /** Identifies the query. Nothing is read while its address is `null`. */
  readonly key: MaybeRefOrGetter<ManagerQueryKey>;
  /** The refresh interval while a component on screen needs the data, in ms; 0 reads once. */
  readonly interval: MaybeRefOrGetter<number>;
  /** The age in ms before which neither a new subscriber nor the focused window reads the data again. Default: 0. */
  readonly minAgeMs?: MaybeRefOrGetter<number>;
  /** The time from `body` until new data is expected, in ms, if known; at most the interval. */
  readonly nextPollIn?: ((body: Body) => number) | undefined;
  /** @throws ManagerError with the reason as text */
  readonly read: (signal: AbortSignal) => Promise<Body>;
}

/** Whether the page has been visible: an app started in the tray, or a tab opened in the background, reads nothing. */
const wasVisible = shallowRef(false);
function trackVisibility(): void {
  if (document.visibilityState === 'hidden')
    document.addEventListener('visibilitychange', trackVisibility, { once: true });
  else wasVisible.value = true;
}

/** Processing and rendering a large response are two tasks, so that the page handles input between them. */
function yieldToMain(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Registers the interval of a subscriber while its component is mounted; the shortest one counts. */
function registerInterval(source: string, state: ComputedRef<PollState>, interval: ComputedRef<number>): void {
  const subscriber = Symbol(source);
  watch(
    [state, interval],
    ([current, requested], previous) => {
      previous[0]?.intervals.delete(subscriber);
      current.intervals.set(subscriber, requested);
    },
    { immediate: true, flush: 'sync' },
  );
  onScopeDispose(() => state.value.intervals.delete(subscriber));
}

export function usePoll<Body>(poll: Poll<Body>): LiveQuery<Body> {
  trackVisibility();
  const client = useQueryClient();
  const interval = computed(() => toValue(poll.interval));
  const key = computed(() => toValue(poll.key));
  const address = computed(() => key.value[2]);
  const state = computed(() => getPollState(client, key.value));
  registerInterval(poll.source, state, interval);

  const query = useQuery({
    queryKey: key,
    enabled: () => address.value !== null && wasVisible.value,
    // Responses are immutable, and deep reactivity for two hundred nodes costs more than rendering them.
    shallow: true,
    structuralSharing: shareStamped,
    staleTime: () => toValue(poll.minAgeMs ?? 0),
    queryFn: async ({ signal, queryKey }): Promise<Body> => {
      const requestedState = getPollState(client, queryKey);
      try {
        const body = await recordStamp(() => poll.read(signal));
        await yieldToMain();
        recordSuccess(requestedState, poll.nextPollIn?.(body) ?? 0);
        return body;
      } catch (error) {
        const failure = signal.aborted ? null : toPollFailure(error);
        if (failure !== null) recordFailure(requestedState, failure);
        throw error;
      }
    },
    // New subscribers of a failing query wait for its next retry.
    refetchOnMount: ({ queryKey }) => getPollState(client, queryKey).failures === 0,
    refetchInterval: ({ queryKey }) => nextReadIn(getPollState(client, queryKey), interval.value),
  });

  const clock = useClock();
  const failing = computed(() => state.value.failures > 0);
  const receivedAt = computed(() => receivedTime(query.dataUpdatedAt.value, query.data.value));
  return {
    source: poll.source,
    data: computed(() => query.data.value as Body | undefined),
    receivedAt,
    interval,
    failure: computed(() => (failing.value ? state.value.reason : null)),
    errorStatus: computed(() => (failing.value ? state.value.status : null)),
    failingSince: computed(() => (failing.value ? serviceTime(state.value.since) : null)),
    nextRetryAt: computed(() => (failing.value ? serviceTime(state.value.nextRetryAt) : null)),
    isFetching: computed(() => query.isFetching.value),
    stale: computed(() => failing.value || isLate(receivedAt.value, clock.value, interval.value)),
    address,
    retry: () => void query.refetch(),
    refresh: async () => {
      requireFreshReads();
      const { data } = await retryIfSuperseded(
        query.refetch({ throwOnError: true }),
        // Joins the latest request without cancelling it.
        () => query.refetch({ throwOnError: true, cancelRefetch: false }),
      );
      if (data === undefined) throw new DOMException('The read was cancelled', 'AbortError');
      return data as Body;
    },
  };
}

/** Returns when the data left the manager: for responses that the relay shares, earlier than this page received them. */
export function receivedTime(updatedAt: number, body: unknown): number | null {
  return updatedAt === 0 ? null : serviceTime(updatedAt - getAge(body));
}

/**
 * Resolves with the response of the request, or of the one that superseded it: a new request cancels the previous one,
 * and the library returns the response of the next, which may have been superseded in turn.
 */
async function retryIfSuperseded<Result>(request: Promise<Result>, retry: () => Promise<Result>): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof CancelledError) || error.silent !== true) throw error;
    return retryIfSuperseded(retry(), retry);
  }
}

/** Returns the wait until the next read in ms; `false`: no further read. */
function nextReadIn({ failures, wait, nextRetryAt, announcedAt }: PollState, interval: number): number | false {
  if (failures > 0) return Math.max(1, nextRetryAt - Date.now());
  if (interval === 0) return false;
  const delay = Math.min(interval, wait || interval);
  // The next announcement comes before the next read. If it does not, reads continue at their interval.
  return Date.now() - announcedAt < delay + announcementMarginMs ? delay + announcementMarginMs : delay;
}

/**
 * Returns whether the data is stale even if no request has failed (a hanging request, sleep, a stuck tab).
 * @param receivedAt ms since the epoch, as `now`; `null` without data
 */
function isLate(receivedAt: number | null, now: number, interval: number): boolean {
  if (interval === 0 || receivedAt === null) return false;
  return now - receivedAt > interval + Math.min(interval, maxMissedMs) + staleMarginMs;
}

/** The tolerance for a response besides the intervals, in ms. */
const staleMarginMs = 6000;
/** The maximum allowance for a missed read of a rarely read query, in ms. */
const maxMissedMs = 8000;
