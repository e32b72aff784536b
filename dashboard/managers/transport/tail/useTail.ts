/** The tail of a manager's list, from polling its newest entries and from older ones loaded on request. */
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import type { Live } from '../../../components/feedback/live.ts';
import { emptyTail, extendTail, freshOf, type Tail, type TailRules } from './tail.ts';

interface LiveTail<Item, Body> {
  readonly tail: ComputedRef<Tail<Item>>;
  /** While true nothing is added. When it ends, missed entries are added as far as a read still contains them. */
  readonly paused: Ref<boolean>;
  /** The number of new entries in the last read that are not added while paused. */
  readonly waiting: ComputedRef<number>;
  /** Adds entries that were loaded from further back. */
  readonly append: (older: readonly Item[]) => void;
  /** Restarts the tail with this response, because a command may have removed entries. */
  readonly renew: (body: Body) => void;
}

/**
 * @param live polls the newest `rules.limit` entries
 * @param question identifies the query and its source; a change starts a new tail
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
      // The first read is added even while paused, because it displaces nothing.
      if (items !== null && (!paused.value || tail.value.items.length === 0))
        tail.value = extendTail(tail.value, items, rules);
    },
    { immediate: true },
  );
  return {
    tail: computed(() => tail.value),
    paused,
    waiting: computed(() => (paused.value && read.value !== null ? freshOf(tail.value, read.value, rules).length : 0)),
    append: (older) => (tail.value = extendTail(tail.value, older, { ...rules, limit: Infinity })),
    renew: (body) => (tail.value = extendTail(emptyTail, itemsOf(body), rules)),
  };
}
