/** The shown span, kept in the address: at once on the page, in the address when the hand rests. */
import type { TimeRange } from '../../../base/time.ts';
import { useChangeQuery } from '../../../components/page/pageQuery.ts';
import { queryOfKey, queryOfRange, spanOf, type SpanKey } from './span.ts';
import { useTimeoutFn } from '@vueuse/core';
import { computed, ref, watch, type ComputedRef, type Ref } from 'vue';
import { useRoute } from 'vue-router';

/** Browsers refuse more than a hundred changes of the address in half a minute. */
const rest = 300;
/** Moves of less than a part of the span are no moves. */
const steps = 2000;

export interface ShownSpan {
  readonly range: ComputedRef<TimeRange>;
  /** What was chosen; `null` once somebody moved or zoomed. */
  readonly key: ComputedRef<SpanKey | null>;
  readonly choose: (key: SpanKey) => void;
  readonly show: (range: TimeRange) => void;
}

/** @param now the lab's time; @param look when somebody looked last */
export function useSpan(now: Ref<number>, look: Ref<number | null>): ShownSpan {
  const route = useRoute();
  const change = useChangeQuery();
  const held = ref<TimeRange | null>(null);
  const { start, stop } = useTimeoutFn(
    () => {
      if (held.value !== null) change(queryOfRange(held.value));
    },
    rest,
    { immediate: false },
  );
  // A link, or the way back, to another span.
  watch(
    () => [route.query['span'], route.query['from'], route.query['to']].join(),
    () => {
      stop();
      held.value = null;
    },
  );
  const chosen = computed(() => {
    const { range, key } = spanOf(route.query, now.value, look.value);
    const step = Math.max(1000, (range.to - range.from) / steps);
    // What follows the clock moves by what can be seen of it.
    return {
      key,
      range: key === null ? range : spanOf(route.query, Math.floor(now.value / step) * step, look.value).range,
    };
  });
  let before: TimeRange | null = null;
  const range = computed(() => {
    const next = held.value ?? chosen.value.range;
    if (before === null || before.from !== next.from || before.to !== next.to) before = next;
    return before;
  });
  return {
    range,
    key: computed(() => (held.value === null ? chosen.value.key : null)),
    choose: (key) => {
      stop();
      held.value = null;
      change(queryOfKey(key));
    },
    show: (next) => {
      held.value = next;
      start();
    },
  };
}
