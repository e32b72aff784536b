/**
 * Live data, and honest about it: one poller for each entry of the plan, however many components read it. It rests
 * while the page is hidden, backs off while nobody answers, and comes back by itself.
 */
import { createSharedComposable, useNow } from '@vueuse/core';
import { useQuery } from '@tanstack/vue-query';
import { computed, reactive, type ComputedRef } from 'vue';
import { serviceAddress } from '../app/base.ts';
import { backOff } from './backOff.ts';
import { AnswerError, fetchBody } from './fetchBody.ts';
import { plans, type Plan } from './plan.ts';

/** How all queries behave: the lab's network may have no internet, and retries are the plan's business. */
export const queryOptions = {
  networkMode: 'always',
  retry: false,
  staleTime: 0,
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
  refetchIntervalInBackground: false,
} as const;

export interface Live<Body> {
  /** The last good answer. */
  readonly data: ComputedRef<Body | undefined>;
  /** When it came, ms since the epoch; `null` before the first. */
  readonly receivedAt: ComputedRef<number | null>;
  /** Why the last request failed, in words; `null` when it didn't. */
  readonly failure: ComputedRef<string | null>;
  /** When the first failure in a row happened. */
  readonly failingSince: ComputedRef<number | null>;
  /** When it is asked next, after a failure. */
  readonly nextTry: ComputedRef<number | null>;
  readonly fetching: ComputedRef<boolean>;
  /** Whether what is shown may no longer be so. */
  readonly stale: ComputedRef<boolean>;
  readonly address: string;
  readonly retry: () => void;
}

/** The page's clock, for ages: one tick a second for all. */
export const useClock = createSharedComposable(() => {
  const now = useNow({ interval: 1000 });
  return computed(() => now.value.getTime());
});

function useLive<Body>(plan: Plan<Body>): Live<Body> {
  const address = serviceAddress(plan.path);
  const course = reactive({ failures: 0, wait: plan.interval, reason: '', since: 0, nextTry: 0 });

  const query = useQuery({
    queryKey: [plan.path],
    queryFn: async ({ signal }): Promise<Body> => {
      try {
        const body = await fetchBody(address, plan.schema, signal);
        Object.assign(course, { failures: 0, wait: Math.min(plan.interval, plan.news?.(body) ?? plan.interval) });
        return body;
      } catch (error) {
        if (error instanceof AnswerError) {
          if (course.failures === 0) course.since = Date.now();
          course.failures += 1;
          course.wait = Math.max(plan.interval, backOff(course.failures, Math.random(), error.retryAfter));
          course.nextTry = Date.now() + course.wait;
          course.reason = error.message;
        }
        throw error;
      }
    },
    refetchInterval: () => course.wait,
  });

  const clock = useClock();
  const failing = computed(() => course.failures > 0);
  const receivedAt = computed(() => (query.dataUpdatedAt.value === 0 ? null : query.dataUpdatedAt.value));
  return {
    data: computed(() => query.data.value as Body | undefined),
    receivedAt,
    failure: computed(() => (failing.value ? course.reason : null)),
    failingSince: computed(() => (failing.value ? course.since : null)),
    nextTry: computed(() => (failing.value ? course.nextTry : null)),
    fetching: computed(() => query.isFetching.value),
    // Two missed turns and the deadline: late enough to say so even when no request has failed (sleep, a stuck tab).
    stale: computed(
      () => failing.value || (receivedAt.value !== null && clock.value - receivedAt.value > plan.interval * 2 + 6000),
    ),
    address,
    retry: () => void query.refetch(),
  };
}

export const useLabHistory = createSharedComposable(() => useLive(plans.labHistory));
export const useContext = createSharedComposable(() => useLive(plans.context));
export const useSettings = createSharedComposable(() => useLive(plans.settings));
export const useServiceHealth = createSharedComposable(() => useLive(plans.health));
