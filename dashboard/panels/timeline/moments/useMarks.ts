/** Reads the logged moments of nodes in the visible span, debounced. */
import type { TimeRange } from '../../../base/time.ts';
import { refDebounced } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { eventApi, type Events } from '../../../../api/managers/event.ts';
import type { Live } from '../../../components/feedback/live.ts';
import { timeOf } from '../../../managers/event/eventText.ts';
import { useManagerQuery } from '../../../managers/transport/poll/managerQuery.ts';
import { useManagerTime } from '../../../managers/transport/time/managerTime.ts';
import { useWorkcellState } from '../../../managers/workcell/workcellQueries.ts';
import { foreignCount, knownNodes, marksInterval, marksOf, marksSelector, type Mark } from './marks.ts';

/** Debounce of changes of the span, in ms. */
const rest = 600;
/** The span is rounded to multiples of this fraction of its length, so that similar spans share one query. */
const grid = 8;

const stepOf = ({ from, to }: TimeRange): number => Math.max(60_000, (to - from) / grid);

/** Extends the span to the grid, so that a moving clock does not change the query. */
function paddedRange({ from, to }: TimeRange): TimeRange {
  const step = stepOf({ from, to });
  return { from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step };
}

interface SpanMarks {
  readonly live: Live<Events>;
  readonly marks: ComputedRef<readonly Mark[]>;
  /** The number of events about nodes of other workcells, which are not drawn. */
  readonly foreign: ComputedRef<number>;
  /** Whether the marks are complete: the manager has responded, and by its clock they cover the span. */
  readonly areKnown: ComputedRef<boolean>;
}

export function useMarks(range: Ref<TimeRange>, now: Ref<number>): SpanMarks {
  const time = useManagerTime('event');
  const debouncedRange = refDebounced(
    computed(() => paddedRange(range.value)),
    rest,
  );
  const body = computed(() => {
    return marksSelector(debouncedRange.value, time);
  });
  const interval = computed(() => marksInterval(debouncedRange.value, now.value, time.isZoneKnown.value));
  const live = useManagerQuery(eventApi, 'queryEvents', {
    schedule: 'nodeEvents',
    input: () => ({ body: body.value }),
    interval: () => interval.value ?? 0,
    once: () => interval.value === null,
  });
  const state = useWorkcellState();
  const nodes = computed(() =>
    knownNodes(state.data.value?.nodes ?? {}, state.data.value?.workcell_info.manager_id ?? null),
  );
  const last = shallowRef<{ readonly events: Events; readonly span: TimeRange } | null>(null);
  watch(
    live.data,
    (data) => {
      if (data !== undefined) last.value = { events: data, span: debouncedRange.value };
    },
    { immediate: true, flush: 'sync' },
  );
  // After a step of the clock, the previous response is used until the next one arrives.
  const answer = computed(() => {
    if (live.data.value !== undefined || last.value === null) return live.data.value;
    const { span, events: before } = last.value;
    const { from, to } = debouncedRange.value;
    const slotMs = stepOf(span);
    return Math.abs(from - span.from) <= slotMs && Math.abs(to - span.to) <= slotMs ? before : undefined;
  });
  const events = computed(() => {
    const { from, to } = debouncedRange.value;
    return Object.values(answer.value ?? {}).filter((event) => {
      const at = timeOf(event, time.at);
      return at !== null && at >= from && at <= to;
    });
  });
  return {
    live,
    marks: computed(() => marksOf(events.value, nodes.value, time.at)),
    foreign: computed(() => foreignCount(events.value, nodes.value)),
    areKnown: computed(() => time.isZoneKnown.value && answer.value !== undefined && live.failure.value === null),
  };
}
