/** Whether a reload of the page interrupts no work and loses no input. */
import { useEventListener } from '@vueuse/core';
import { computed, ref, watch, type ComputedRef, type Ref } from 'vue';
import { useRoute } from 'vue-router';
import { currentTime, useClock } from '../../base/clock.ts';
import { hasUnsavedInput } from '../../base/unsavedInput.ts';
import { useDeferredCancels } from '../../managers/commands/deferredCancels.ts';
import { useOutcomes } from '../../managers/commands/outcomes.ts';
import { useSafetyStop } from '../../managers/safetyStop/useSafetyStop.ts';

/** A page without input for this time is idle, in ms. */
const idleMs = 10 * 60_000;

/**
 * @param kiosk whether the page is on a wall screen, which is always idle
 * @returns false as well while the page has typed text, a deferred cancel, an outcome that is not dismissed or a running stop
 */
export function useUnattended(kiosk: Ref<boolean>): ComputedRef<boolean> {
  const clock = useClock();
  const lastInputAt = ref(currentTime());
  useEventListener(
    window,
    ['keydown', 'pointerdown', 'pointermove', 'wheel'],
    () => (lastInputAt.value = currentTime()),
    {
      passive: true,
    },
  );
  const route = useRoute();
  const hasTyped = ref(false);
  useEventListener(window, 'input', () => (hasTyped.value = true), { passive: true, capture: true });
  watch(
    () => route.path,
    () => (hasTyped.value = false),
  );
  const deferred = useDeferredCancels();
  const outcomes = useOutcomes();
  const safetyStop = useSafetyStop();
  return computed(
    () =>
      (kiosk.value || clock.value - lastInputAt.value >= idleMs) &&
      !hasTyped.value &&
      !hasUnsavedInput() &&
      deferred.list.length === 0 &&
      outcomes.list.length === 0 &&
      !safetyStop.isRunning,
  );
}
