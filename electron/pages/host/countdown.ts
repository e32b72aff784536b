/** Seconds until a time, counted down once a second. */
import { computed, onMounted, onUnmounted, ref, type ComputedRef } from 'vue';

/** @param at ms since the epoch, `null` for no time @returns whole seconds, never below 0 */
export function useCountdown(at: () => number | null): ComputedRef<number | null> {
  const now = ref(Date.now());
  let timer = 0;
  onMounted(() => {
    timer = window.setInterval(() => (now.value = Date.now()), 1000);
  });
  onUnmounted(() => window.clearInterval(timer));
  return computed(() => {
    const time = at();
    return time === null ? null : Math.max(0, Math.ceil((time - now.value) / 1000));
  });
}
