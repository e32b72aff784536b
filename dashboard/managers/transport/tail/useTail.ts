/** The tail of a manager's list, from polling its newest entries and from older ones loaded on request. */
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import type { LiveQuery } from '#dashboard/components/feedback/liveQuery.ts';
import { emptyTail, extendTail, findNewItems, type Tail, type TailRules } from './tail.ts';

interface LiveTail<Item, Body> {
  readonly tail: ComputedRef<Tail<Item>>;
  /** While true nothing is added. When it ends, missed entries are added as far as a read still contains them. */
  readonly paused: Ref<boolean>;
  /** The number of new entries in the last read that are not added while paused. */
  readonly pendingCount: ComputedRef<number>;
  /** Adds entries that were loaded from further back. */
  readonly append: (older: readonly Item[]) => void;
  /** Restarts the tail with this response, because a command may have removed entries. */
  readonly restart: (body: Body) => void;
}

/**
 * @param live polls the newest `rules.limit` entries
 * @param queryId identifies the query and its source; a change starts a new tail
 */
export function useTail<Body, Item>(
  live: LiveQuery<Body>,
  getItems: (body: Body) => readonly Item[],
  rules: TailRules<Item>,
  queryId: () => string = () => live.address.value ?? '',
): LiveTail<Item, Body> {
  const paused = ref(false);
  const tail = shallowRef<Tail<Item>>(emptyTail);
  watch(queryId, () => (tail.value = emptyTail), { flush: 'sync' });
  const polledItems = computed(() => (live.data.value === undefined ? null : getItems(live.data.value)));
  watch(
    [polledItems, paused],
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
    pendingCount: computed(() =>
      paused.value && polledItems.value !== null ? findNewItems(tail.value, polledItems.value, rules).length : 0,
    ),
    append: (older) => (tail.value = extendTail(tail.value, older, { ...rules, limit: Infinity })),
    restart: (body) => (tail.value = extendTail(emptyTail, getItems(body), rules)),
  };
}
