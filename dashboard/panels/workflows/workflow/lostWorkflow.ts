/**
 * A workflow that the workcell manager had and doesn't have any more, as after a restart without its store: what is shown
 * of it is history, so nothing of it goes on, and nothing can be done with it.
 */
import { computed, inject, provide, type ComputedRef, type InjectionKey } from 'vue';
import { useClock } from '../../../base/clock.ts';

const key: InjectionKey<ComputedRef<number | null>> = Symbol('lost workflow');

/** `at`: when it was read last, in ms since the epoch; `null` while the manager has it. */
export function provideLost(at: ComputedRef<number | null>): void {
  provide(key, at);
}

const never = computed(() => null);

/** When the workflow on this page was read last, where the manager has lost it. */
export function useLost(): ComputedRef<number | null> {
  return inject(key, never);
}

/** Until when what runs has run for certain: now, or when a lost workflow was read last. */
export function useLastKnown(): ComputedRef<number> {
  const lost = useLost();
  const clock = useClock();
  return computed(() => lost.value ?? clock.value);
}
