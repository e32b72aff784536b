/** The tail of a manager's list, from a reading of its newest, and older ones that were asked for. */
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import type { Live } from '../../../components/feedback/live.ts';
import { emptyTail, extendTail, freshOf, type Tail, type TailRules } from './tail.ts';

interface LiveTail<Item, Body> {
  readonly tail: ComputedRef<Tail<Item>>;
  /** While true nothing is added: what came meanwhile is taken in when it ends, as far as a reading still has it. */
  readonly paused: Ref<boolean>;
  /** How many of the last reading wait for that. */
  readonly waiting: ComputedRef<number>;
  /** Takes in what was read further back. */
  readonly append: (older: readonly Item[]) => void;
  /** Begins anew with this reading: after a command some of what was there is no more. */
  readonly renew: (body: Body) => void;
}

/**
 * @param live reads the newest `rules.asked` again and again
 * @param question what is asked for, and whom: another one begins a tail of its own
 */
export function useTail<Body, Item>(
  live: Live<Body>,
  itemsOf: (body: Body) => readonly Item[],
  rules: TailRules<Item>,
  question: () => string = () => live.address.value ?? '',
): LiveTail<Item, Body> {
  const paused = ref(false);
  const tail = shallowRef<Tail<Item>>(emptyTail);
  watch(question, () => (tail.value = emptyTail), { flush: 'sync' });
  const read = computed(() => (live.data.value === undefined ? null : itemsOf(live.data.value)));
  watch(
    [read, paused],
    ([items]) => {
      // The first reading is no news: there is nothing yet that it would push away.
      if (items !== null && (!paused.value || tail.value.items.length === 0))
        tail.value = extendTail(tail.value, items, rules);
    },
    { immediate: true },
  );
  return {
    tail: computed(() => tail.value),
    paused,
    waiting: computed(() => (paused.value && read.value !== null ? freshOf(tail.value, read.value, rules).length : 0)),
    append: (older) => (tail.value = extendTail(tail.value, older, { ...rules, asked: Infinity })),
    renew: (body) => (tail.value = extendTail(emptyTail, itemsOf(body), rules)),
  };
}
