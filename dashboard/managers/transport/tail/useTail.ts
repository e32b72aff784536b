/** The tail of a manager's list, from a reading of its newest. */
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import type { Live } from '../../../components/feedback/live.ts';
import { emptyTail, extendTail, type Tail, type TailRules } from './tail.ts';

export interface LiveTail<Item> {
  readonly tail: ComputedRef<Tail<Item>>;
  /** While true nothing is added: what came meanwhile is taken in when it ends, as far as a reading still has it. */
  readonly paused: Ref<boolean>;
}

/** @param live reads the newest `rules.asked` again and again; another address begins a tail of its own */
export function useTail<Body, Item>(
  live: Live<Body>,
  itemsOf: (body: Body) => readonly Item[],
  rules: TailRules<Item>,
): LiveTail<Item> {
  const paused = ref(false);
  const tail = shallowRef<Tail<Item>>(emptyTail);
  watch(live.address, (now, before) => now !== null && before !== null && now !== before && (tail.value = emptyTail), {
    flush: 'sync',
  });
  watch(
    [live.data, paused],
    ([body]) => {
      if (body !== undefined && !paused.value) tail.value = extendTail(tail.value, itemsOf(body), rules);
    },
    { immediate: true },
  );
  return { tail: computed(() => tail.value), paused };
}
