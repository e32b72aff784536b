/**
 * Live data, and honest about it: one poller for each thing that is read, however many components read it. It rests
 * while the page is hidden, backs off while nobody answers, and comes back by itself.
 */
import { CancelledError, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, onScopeDispose, toValue, watch, type MaybeRefOrGetter, type ComputedRef } from 'vue';
import { serviceTime, useClock } from '../../../base/clock.ts';
import type { Live } from '../../../components/feedback/live.ts';
import { pollFailureOf } from '../failure.ts';
import { noteAnswer, noteFailure, pollStateOf, type PollState } from './pollState.ts';
import type { ManagerQueryKey } from './queryKey.ts';
import { shareStamped, stamped } from '../time/stamps.ts';

/**
 * How all queries behave: the lab's network may have no internet, and when something is asked again is the polling
 * schedule's business. Who begins to read what is failing waits like everybody else.
 */
export const queryOptions = {
  networkMode: 'always',
  retry: false,
  retryOnMount: false,
  staleTime: 0,
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
  refetchIntervalInBackground: false,
} as const;

export interface Poll<Body> {
  readonly who: string;
  /** Tells this reading from others. Nothing is read while the address in it is `null`. */
  readonly key: MaybeRefOrGetter<ManagerQueryKey>;
  /** Between two reads while something on screen needs it, in ms; 0 reads once. */
  readonly interval: MaybeRefOrGetter<number>;
  /** How long after `body` something new is expected, in ms, where that is known; the interval is the longest wait. */
  readonly nextPollIn?: ((body: Body) => number) | undefined;
  /** @throws ManagerError with the reason in words */
  readonly read: (signal: AbortSignal) => Promise<Body>;
}

/** Taking in a big answer and drawing it are two tasks, so that the page can be pressed between them. */
function yieldToMain(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Puts the interval among those of this reading's readers while the component lives: the shortest one counts. */
function announceInterval(who: string, state: ComputedRef<PollState>, interval: ComputedRef<number>): void {
  const reader = Symbol(who);
  watch(
    [state, interval],
    ([now, requested], before) => {
      before[0]?.intervals.delete(reader);
      now.intervals.set(reader, requested);
    },
    { immediate: true, flush: 'sync' },
  );
  onScopeDispose(() => state.value.intervals.delete(reader));
}

export function usePoll<Body>(poll: Poll<Body>): Live<Body> {
  const client = useQueryClient();
  const interval = computed(() => toValue(poll.interval));
  const key = computed(() => toValue(poll.key));
  const address = computed(() => key.value[2]);
  const state = computed(() => pollStateOf(client, key.value));
  announceInterval(poll.who, state, interval);

  const query = useQuery({
    queryKey: key,
    enabled: () => address.value !== null,
    // Nobody changes an answer, and asking a proxy for each part of two hundred nodes costs more than drawing them.
    shallow: true,
    structuralSharing: shareStamped,
    queryFn: async ({ signal, queryKey }): Promise<Body> => {
      const requested = pollStateOf(client, queryKey);
      try {
        const body = await stamped(() => poll.read(signal));
        await yieldToMain();
        noteAnswer(requested, poll.nextPollIn?.(body) ?? 0);
        return body;
      } catch (error) {
        const failure = signal.aborted ? null : pollFailureOf(error);
        if (failure !== null) noteFailure(requested, failure);
        throw error;
      }
    },
    // Who comes to read what is failing waits for the time at which it is asked again.
    refetchOnMount: ({ queryKey }) => pollStateOf(client, queryKey).failures === 0,
    refetchInterval: ({ queryKey }) => nextReadIn(pollStateOf(client, queryKey), interval.value),
  });

  const clock = useClock();
  const failing = computed(() => state.value.failures > 0);
  const receivedAt = computed(() => (query.dataUpdatedAt.value === 0 ? null : serviceTime(query.dataUpdatedAt.value)));
  return {
    who: poll.who,
    data: computed(() => query.data.value as Body | undefined),
    receivedAt,
    interval,
    failure: computed(() => (failing.value ? state.value.reason : null)),
    refusedWith: computed(() => (failing.value ? state.value.status : null)),
    failingSince: computed(() => (failing.value ? serviceTime(state.value.since) : null)),
    nextTry: computed(() => (failing.value ? serviceTime(state.value.nextTry) : null)),
    fetching: computed(() => query.isFetching.value),
    // Late enough to say so even when no request has failed (a request that hangs, sleep, a stuck tab).
    stale: computed(
      () =>
        failing.value ||
        (interval.value > 0 && receivedAt.value !== null && isLate(clock.value - receivedAt.value, interval.value)),
    ),
    address,
    retry: () => void query.refetch(),
    refresh: async () => {
      const { data } = await retryIfSuperseded(
        query.refetch({ throwOnError: true }),
        // Of whoever asked last, without ending that question.
        () => query.refetch({ throwOnError: true, cancelRefetch: false }),
      );
      if (data === undefined) throw new DOMException('The reading was called off', 'AbortError');
      return data as Body;
    },
  };
}

/**
 * What was asked, or what overtook it: a question ends the one before, and the library hands out the answer of the one
 * after it, which may have been overtaken in turn.
 */
async function retryIfSuperseded<Result>(request: Promise<Result>, again: () => Promise<Result>): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof CancelledError) || error.silent !== true) throw error;
    return retryIfSuperseded(again(), again);
  }
}

/** In ms from now; `false`: not again. */
function nextReadIn({ failures, wait, nextTry }: PollState, interval: number): number | false {
  if (failures > 0) return Math.max(1, nextTry - Date.now());
  return interval === 0 ? false : Math.min(interval, wait || interval);
}

/** @param age of what was read, in ms */
function isLate(age: number, interval: number): boolean {
  return age > interval + Math.min(interval, maxMissedMs) + lateAfter;
}

/** What an answer may take besides the turns, in ms. */
const lateAfter = 6000;
/** Of what is read seldom no whole turn is missed before it is said, in ms. */
const maxMissedMs = 8000;
