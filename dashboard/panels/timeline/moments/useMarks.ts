/** Reads the logged moments of nodes in the visible span, debounced. */
import type { TimeRange } from '#dashboard/base/time.ts';
import { refDebounced } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { eventApi, type Events } from '#api/managers/event.ts';
import type { LiveQuery } from '#dashboard/components/feedback/liveQuery.ts';
import { parseEventTime } from '#dashboard/managers/event/eventText.ts';
import { useManagerQuery } from '#dashboard/managers/transport/poll/managerQuery.ts';
import { useManagerTime } from '#dashboard/managers/transport/time/managerTime.ts';
import { useWorkcellState } from '#dashboard/managers/workcell/workcellQueries.ts';
import {
  countForeignEvents,
  createKnownNodes,
  marksInterval,
  createMarks,
  createMarksQuery,
  type Mark,
} from './marks.ts';

/** Debounce of changes of the span, in ms. */
const debounceMs = 600;
/** The span is rounded to multiples of this fraction of its length, so that similar spans share one query. */
const gridSteps = 8;

const gridStepMs = ({ from, to }: TimeRange): number => Math.max(60_000, (to - from) / gridSteps);

/** Extends the span to the grid, so that a moving clock does not change the query. */
function alignToGrid({ from, to }: TimeRange): TimeRange {
  const step = gridStepMs({ from, to });
  return { from: Math.floor(from / step) * step, to: Math.ceil(to / step) * step };
}

interface SpanMarks {
  readonly live: LiveQuery<Events>;
  readonly marks: ComputedRef<readonly Mark[]>;
  /** The number of events about nodes of other workcells, which are not drawn. */
  readonly foreignCount: ComputedRef<number>;
  /** Whether the marks are complete: the manager has responded, and by its clock they cover the span. */
  readonly areComplete: ComputedRef<boolean>;
}

export function useMarks(range: Ref<TimeRange>, now: Ref<number>): SpanMarks {
  const time = useManagerTime('event');
  const debouncedRange = refDebounced(
    computed(() => alignToGrid(range.value)),
    debounceMs,
  );
  const body = computed(() => {
    return createMarksQuery(debouncedRange.value, time);
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
    createKnownNodes(state.data.value?.nodes ?? {}, state.data.value?.workcell_info.manager_id ?? null),
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
  const latestEvents = computed(() => {
    if (live.data.value !== undefined || last.value === null) return live.data.value;
    const { span, events: previousEvents } = last.value;
    const { from, to } = debouncedRange.value;
    const slotMs = gridStepMs(span);
    return Math.abs(from - span.from) <= slotMs && Math.abs(to - span.to) <= slotMs ? previousEvents : undefined;
  });
  const events = computed(() => {
    const { from, to } = debouncedRange.value;
    return Object.values(latestEvents.value ?? {}).filter((event) => {
      const at = parseEventTime(event, time.parseStamp);
      return at !== null && at >= from && at <= to;
    });
  });
  return {
    live,
    marks: computed(() => createMarks(events.value, nodes.value, time.parseStamp)),
    foreignCount: computed(() => countForeignEvents(events.value, nodes.value)),
    areComplete: computed(
      () => time.isZoneKnown.value && latestEvents.value !== undefined && live.failure.value === null,
    ),
  };
}
