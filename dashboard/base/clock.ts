/** The page's clock, for ages and durations: the service's time, from the measured offset of this computer's clock. */
import { createSharedComposable, useNow } from '@vueuse/core';
import { computed, readonly, ref } from 'vue';

/** The minimum difference that is corrected, in ms. A smaller one has no effect on displayed times. */
const minDifferenceMs = 5000;
const aheadMs = ref(0);

/**
 * The offset of this computer's clock from the service's, in ms; positive: ahead, negative: behind, 0: equal or unknown.
 */
export const pageAheadMs = readonly(aheadMs);

/**
 * The current time in ms since the epoch, by the service's clock. Use it instead of `Date.now()` for all times that are
 * displayed or sent.
 */
export function currentTime(): number {
  return Date.now() - aheadMs.value;
}

/** Converts a time of this computer's clock to the service's time. */
export function serviceTime(at: number): number {
  return at - aheadMs.value;
}

/**
 * Compares this computer's clock with the service's.
 * @param servedAt the service's time in its response, in ms since the epoch
 * @param times when the request was sent and the response received, by this computer's clock
 */
export function compareClocks(
  servedAt: number,
  { sentAt, receivedAt }: { readonly sentAt: number; readonly receivedAt: number },
): void {
  const difference = (sentAt + receivedAt) / 2 - servedAt;
  const precision = Math.max(0, receivedAt - sentAt) / 2;
  // A slow response isn't precise enough for a correction.
  if (Math.abs(difference - aheadMs.value) <= precision + 1000) return;
  aheadMs.value = Math.abs(difference) - precision < minDifferenceMs ? 0 : Math.round(difference / 1000) * 1000;
}

/** `currentTime()` as a ref, updated once a second and shared by all components. */
export const useClock = createSharedComposable(() => {
  const now = useNow({ interval: 1000 });
  return computed(() => serviceTime(now.value.getTime()));
});

/** The start of the current minute, in ms since the epoch, for displays without seconds: updates once a minute. */
export const useMinuteClock = createSharedComposable(() => {
  const now = useClock();
  return computed(() => Math.floor(now.value / 60_000) * 60_000);
});
