/** The page's clock, for ages and durations: the service's time, as far as this computer's clock is known to differ from it. */
import { createSharedComposable, useNow } from '@vueuse/core';
import { computed, readonly, ref } from 'vue';

/** A smaller difference is not corrected, in ms: nothing that a person reads is wrong by it. */
const minDifferenceMs = 5000;
const ahead = ref(0);

/** How far this computer's clock is ahead of the service's, in ms; negative: behind, 0: they agree, or nothing is known. */
export const pageAheadMs = readonly(ahead);

/** Now, in ms since the epoch, by the service's clock. Use it in place of `Date.now()` for all times that are shown or sent. */
export function currentTime(): number {
  return Date.now() - ahead.value;
}

/** The service's time of what happened at a moment of this computer's clock. */
export function serviceTime(at: number): number {
  return at - ahead.value;
}

/**
 * Compares this computer's clock with the service's.
 * @param served the service's time in its answer, in ms since the epoch
 * @param times when the request was sent and the answer received, by this computer's clock
 */
export function compareClocks(
  served: number,
  { sentAt, receivedAt }: { readonly sentAt: number; readonly receivedAt: number },
): void {
  const difference = (sentAt + receivedAt) / 2 - served;
  const precision = Math.max(0, receivedAt - sentAt) / 2;
  // A slow answer shows nothing that is worth a correction.
  if (Math.abs(difference - ahead.value) <= precision + 1000) return;
  ahead.value = Math.abs(difference) - precision < minDifferenceMs ? 0 : Math.round(difference / 1000) * 1000;
}

/** `currentTime()`: one tick a second for all. */
export const useClock = createSharedComposable(() => {
  const now = useNow({ interval: 1000 });
  return computed(() => serviceTime(now.value.getTime()));
});

/** The start of the current minute, in ms since the epoch, for what shows no seconds: it renders again once a minute. */
export const useMinuteClock = createSharedComposable(() => {
  const now = useClock();
  return computed(() => Math.floor(now.value / 60_000) * 60_000);
});
