/** What was said of nodes in the shown span, read when the hand rests. */
import { refDebounced } from '@vueuse/core';
import { computed, type ComputedRef, type Ref } from 'vue';
import { eventApi, type Events } from '../../../../api/managers/event.ts';
import type { Live } from '../../../components/feedback/live.ts';
import type { Range } from '../../../components/time/timeAxis.ts';
import { useManagerQuery } from '../../../managers/transport/poll/managerQuery.ts';
import { useManagerTime } from '../../../managers/transport/time/managerTime.ts';
import { useNodes } from '../../../managers/workcell/workcellQueries.ts';
import { marksOf, marksSelector, nodeNames, type Mark } from './marks.ts';

/** Moves of the span ask nothing until they are over, in ms. */
const rest = 600;
/** Spans that are as good as the same are one question: they begin and end at multiples of this part of it. */
const grid = 8;

/** The span and a little more, so that the clock's going on doesn't ask anew. */
function around({ from, to }: Range): Range {
  const step = Math.max(60_000, (to - from) / grid);
  return { from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step };
}

export function useMarks(range: Ref<Range>): {
  readonly live: Live<Events>;
  readonly marks: ComputedRef<readonly Mark[]>;
} {
  const time = useManagerTime('event');
  const settled = refDebounced(
    computed(() => around(range.value)),
    rest,
  );
  const live = useManagerQuery(eventApi, 'queryEvents', {
    polled: 'nodeEvents',
    input: () => ({ body: marksSelector(settled.value.from, settled.value.to, time.offset.value) }),
  });
  const nodes = useNodes();
  const names = computed(() => nodeNames(nodes.value));
  return { live, marks: computed(() => marksOf(Object.values(live.data.value ?? {}), names.value, time.at)) };
}
