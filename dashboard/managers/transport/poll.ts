/**
 * Live data, and honest about it: one poller for each thing that is read, however many components read it. It rests
 * while the page is hidden, backs off while nobody answers, and comes back by itself.
 */
import { replaceEqualDeep, useQuery } from '@tanstack/vue-query';
import { computed, reactive, toValue, watch, type ComputedRef, type MaybeRefOrGetter } from 'vue';
import { useClock } from '../../base/clock.ts';
import type { Live } from '../../components/feedback/live.ts';
import { ManagerError } from '../../../api/managerError.ts';
import { failureTexts } from './texts.ts';
import { backOff } from './backOff.ts';
import { AnswerError } from './fetchBody.ts';
import type { Stamp } from './readings.ts';

/** How all queries behave: the lab's network may have no internet, and retries are the plan's business. */
export const queryOptions = {
  networkMode: 'always',
  retry: false,
  staleTime: 0,
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
  refetchIntervalInBackground: false,
} as const;

export interface Poll<Body> {
  readonly who: string;
  /** Tells this reading from others; the address is part of it. */
  readonly key: MaybeRefOrGetter<readonly unknown[]>;
  readonly address: ComputedRef<string | null>;
  /** Between two reads while something on screen needs it, in ms; 0 reads once. */
  readonly interval: MaybeRefOrGetter<number>;
  /** How long after `body` something new is expected, in ms, where that is known; the interval is the longest wait. */
  readonly news?: ((body: Body) => number) | undefined;
  /** @throws AnswerError or ManagerError with the reason in words */
  readonly read: (signal: AbortSignal) => Promise<Body>;
}

interface Failure {
  readonly reason: string;
  readonly status: number | null;
  readonly retryAfter: number;
}

/** What is said of an error on screen; `null` for one that is nobody's answer, such as a read that was called off. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof AnswerError) return { reason: error.message, status: null, retryAfter: error.retryAfter };
  if (!(error instanceof ManagerError) || error.kind === 'aborted') return null;
  const { kind, status, reason, retryAfterMs } = error;
  const words =
    kind !== 'http' || status === null || status === 200
      ? reason
      : status === 429
        ? failureTexts.busy
        : failureTexts.status(status, reason);
  return { reason: words, status: kind === 'http' ? status : null, retryAfter: retryAfterMs ?? 0 };
}

/** Reading a big answer and showing it are two tasks, so that the page can be drawn and pressed between them. */
function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

let moments = 0;
/** The page's own order of what it asked and heard: clocks may say the same of two, or go back. */
function moment(): number {
  moments += 1;
  return moments;
}
const stamps = new WeakMap<object, Stamp>();

/** When the body was asked for and received, by the object that a query gave; `null` for any other. */
export function stampOf(body: unknown): Stamp | null {
  return typeof body === 'object' && body !== null ? (stamps.get(body) ?? null) : null;
}

/** What has not changed stays the same object, and is as new as the answer that said so again. */
function shareStamped(before: unknown, after: unknown): unknown {
  const shared: unknown = replaceEqualDeep(before, after);
  const stamp = stampOf(after);
  if (stamp !== null && typeof shared === 'object' && shared !== null) stamps.set(shared, stamp);
  return shared;
}

/** Reads, and stamps what was read. */
export async function stamped<Body>(read: () => Promise<Body>): Promise<Body> {
  const asked = moment();
  const body = await read();
  if (typeof body === 'object' && body !== null) stamps.set(body, { asked, received: moment() });
  return body;
}

export function usePoll<Body>(poll: Poll<Body>): Live<Body> {
  const interval = computed(() => toValue(poll.interval));
  const course = reactive({ failures: 0, wait: 0, reason: '', status: null as number | null, since: 0, nextTry: 0 });
  const key = computed(() => [poll.address.value, ...toValue(poll.key)]);

  const query = useQuery({
    queryKey: key,
    enabled: () => poll.address.value !== null,
    // Nobody changes an answer, and asking a proxy for each part of two hundred nodes costs more than drawing them.
    shallow: true,
    structuralSharing: shareStamped,
    queryFn: async ({ signal }): Promise<Body> => {
      try {
        const body = await stamped(() => poll.read(signal));
        await breath();
        Object.assign(course, { failures: 0, wait: Math.min(interval.value, poll.news?.(body) ?? interval.value) });
        return body;
      } catch (error) {
        const failure = signal.aborted ? null : failureOf(error);
        if (failure !== null) {
          if (course.failures === 0) course.since = Date.now();
          course.failures += 1;
          course.wait = Math.max(interval.value, backOff(course.failures, Math.random(), failure.retryAfter));
          course.nextTry = Date.now() + course.wait;
          course.reason = failure.reason;
          course.status = failure.status;
        }
        throw error;
      }
    },
    refetchInterval: () => (interval.value === 0 && course.failures === 0 ? false : course.wait || interval.value),
  });
  // Another object, or the same at another address: what failed there says nothing of here.
  watch(
    () => JSON.stringify(key.value),
    () => Object.assign(course, { failures: 0, wait: interval.value }),
  );

  const clock = useClock();
  const failing = computed(() => course.failures > 0);
  const receivedAt = computed(() => (query.dataUpdatedAt.value === 0 ? null : query.dataUpdatedAt.value));
  return {
    who: poll.who,
    data: computed(() => query.data.value as Body | undefined),
    receivedAt,
    failure: computed(() => (failing.value ? course.reason : null)),
    refusedWith: computed(() => (failing.value ? course.status : null)),
    failingSince: computed(() => (failing.value ? course.since : null)),
    nextTry: computed(() => (failing.value ? course.nextTry : null)),
    fetching: computed(() => query.isFetching.value),
    // Two missed turns and the deadline: late enough to say so even when no request has failed (sleep, a stuck tab).
    stale: computed(
      () =>
        failing.value ||
        (interval.value > 0 &&
          receivedAt.value !== null &&
          clock.value - receivedAt.value > interval.value * 2 + lateAfter),
    ),
    address: poll.address,
    retry: () => void query.refetch(),
    refresh: async () => {
      const { data } = await query.refetch({ throwOnError: true });
      if (data === undefined) throw new DOMException('The reading was called off', 'AbortError');
      return data as Body;
    },
  };
}

/** What an answer may take besides the turns, in ms. */
const lateAfter = 6000;
