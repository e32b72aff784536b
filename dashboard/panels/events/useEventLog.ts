/** Reads the log: polls the newest events; loads the rest of a range automatically or on demand, up to a limit. */
import { errorText } from '#api/errorText.ts';
import { currentTime } from '../../base/clock.ts';
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { eventApi, type Event } from '#api/managers/event.ts';
import type { LiveQuery } from '../../components/feedback/liveQuery.ts';
import { toEventRow, subjectSelector, type EventRow, type Subject } from '../../managers/event/eventRow.ts';
import { compareNewestFirst } from '../../managers/event/eventText.ts';
import { useOwnerNames } from '../../managers/names/useOwnerNames.ts';
import { useConnection } from '../../managers/transport/clients.ts';
import { useManagerQuery } from '../../managers/transport/poll/managerQuery.ts';
import type { Tail } from '../../managers/transport/tail/tail.ts';
import { useTail } from '../../managers/transport/tail/useTail.ts';
import { useManagerTime } from '../../managers/transport/time/managerTime.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

const newestCount = 200;
const olderPageSize = 1000;
/** Maximum number of events in the page; without it, memory grows while the page is open. */
export const maxLogEvents = 10_000;
/** While the manager's clock offset is unknown, the response includes events of other hours. */
const maxReadEvents = 2 * maxLogEvents;
/** The maximum delay with which events of a range appear in the log after its end, in ms. */
const maxWriteDelayMs = 10 * 60_000;

interface LogQuery {
  /** The lowest level to show. */
  readonly level: number;
  /** ms since the epoch; `null`: no bound. */
  readonly from: number | null;
  readonly to: number | null;
  readonly archived: boolean;
  /** Only events that refer to this object; the manager returns all of them, and the page applies the other filters. */
  readonly subject: Subject | null;
  /**
   * Further conditions for the manager (`filterSelectors`) over the whole range; without conditions only the newest
   * events are read.
   */
  readonly searchConditions?: readonly Readonly<Record<string, unknown>>[];
  /** Whether the whole range is read, page by page, instead of only its newest events. */
  readonly wholeRange?: boolean;
}

interface EventLog {
  readonly live: LiveQuery<Record<string, Event>>;
  readonly tail: ComputedRef<Tail<Event>>;
  /** The same events as rows, newest first. */
  readonly rows: ComputedRef<readonly EventRow[]>;
  /** Reads the log again after a command removed events. @throws an error with the reason if the read fails */
  readonly reload: () => Promise<void>;
  readonly paused: Ref<boolean>;
  /** The number of events that arrived while paused. */
  readonly pendingCount: ComputedRef<number>;
  /** Whether all matching events are loaded. */
  readonly isComplete: ComputedRef<boolean>;
  /** Whether the range has more events than `maxLogEvents`. */
  readonly isTruncated: ComputedRef<boolean>;
  readonly older: {
    readonly reading: Ref<boolean>;
    readonly failure: Ref<string | null>;
    readonly loadOlder: () => Promise<void>;
  };
}

// oxlint-disable-next-line max-lines-per-function -- two reads whose refs depend on each other
export function useEventLog(logQuery: () => LogQuery): EventLog {
  const time = useManagerTime('event');
  const connection = useConnection(eventApi);
  const queryRange = computed(() => {
    const { level, from, to } = logQuery();
    return {
      ...(level > 0 ? { level } : {}),
      start_time: from === null ? null : time.queryStart(from),
      end_time: to === null ? null : time.queryEnd(to),
    };
  });
  const archived = computed(() => logQuery().archived);
  const wholeRange = computed(() => logQuery().wholeRange === true);
  // A range in the past gets no new events, so it is read once after the manager's clock offset is known.
  const openedAt = currentTime();
  const readsOnce = () => {
    const { to } = logQuery();
    return time.isZoneKnown.value && to !== null && to < openedAt - maxWriteDelayMs;
  };
  const subject = computed(() => logQuery().subject);
  /** The conditions of the manager's query; empty: the newest events are read. */
  const conditions = computed(() => [
    ...(subject.value === null ? [] : [subjectSelector(subject.value)]),
    ...(logQuery().searchConditions ?? []),
    // The list of archived events has no range parameter; the query has.
    ...(archived.value && wholeRange.value ? [{ archived: true }] : []),
  ]);
  const usesQuery = computed(() => conditions.value.length > 0);
  const conditionText = computed(() => stringifyExactJson(conditions.value));
  const log = useManagerQuery(eventApi, 'getEvents', {
    schedule: 'eventLog',
    input: () => (archived.value || usesQuery.value ? null : { ...queryRange.value, number: newestCount }),
    once: readsOnce,
  });
  const archivedEvents = useManagerQuery(eventApi, 'getArchivedEvents', {
    schedule: 'archivedEvents',
    input: () => (archived.value && !usesQuery.value ? { number: newestCount } : null),
  });
  const queriedEvents = useManagerQuery(eventApi, 'queryEvents', {
    schedule: 'queriedEvents',
    once: readsOnce,
    input: () => {
      const { start_time: start, end_time: end } = queryRange.value;
      if (!usesQuery.value) return null;
      const since = start === null ? [] : [{ event_timestamp: { $gte: start } }];
      const until = end === null ? [] : [{ event_timestamp: { $lte: end } }];
      return { body: { $and: [...conditions.value, ...since, ...until] } };
    },
  });
  const live = combineQueries(() => (usesQuery.value ? queriedEvents : archived.value ? archivedEvents : log));
  // Compares times instead of timestamps, so that a clock correction of one second does not change the query.
  const key = () => {
    const { level, from, to } = logQuery();
    const zone = time.isZoneKnown.value ? time.clock.value.zone : null;
    return stringifyExactJson([live.address.value, level, from, to, zone, archived.value, conditionText.value]);
  };
  const names = useOwnerNames();
  const toRow = computed(() => {
    // The displayed times depend on the host's clock offset.
    void time.clock.value;
    const { value: getOwnerName } = names;
    const rowCache = new WeakMap<Event, EventRow>();
    return (event: Event): EventRow => {
      const row = rowCache.get(event) ?? toEventRow(event, time.parseStamp, getOwnerName);
      rowCache.set(event, row);
      return row;
    };
  });
  // Responses include events outside the filters: the archive returns its newest, an object's query all levels, and a
  // manager with an unknown clock a wider range. These are removed here.
  function matchesFilters(event: Event): boolean {
    const { level, from, to } = logQuery();
    const { at } = toRow.value(event);
    const isInSelectedLog = !usesQuery.value || archived.value === (event.archived === true);
    const isInRange = at === null || ((from === null || at >= from) && (to === null || at <= to));
    return event.log_level >= level && isInRange && isInSelectedLog;
  }
  const matchingEvents = (body: Record<string, Event>): readonly Event[] => Object.values(body).filter(matchesFilters);
  const { tail, paused, pendingCount, append, restart } = useTail(
    live,
    matchingEvents,
    { getId: ({ _id: id }) => id, newestFirst: compareNewestFirst, limit: newestCount, maxEntries: maxLogEvents },
    key,
  );
  const rows = computed(() => tail.value.items.map((event) => toRow.value(event)));

  /** The number of events read so far, from the newest; events that arrive since then shift the offset. */
  const readCount = ref(0);
  const isAtOldest = ref(false);
  const reading = ref(false);
  const failure = shallowRef<string | null>(null);
  watch(key, () => {
    readCount.value = 0;
    isAtOldest.value = false;
    failure.value = null;
  });
  const isComplete = computed(
    () =>
      live.data.value !== undefined &&
      (usesQuery.value ||
        isAtOldest.value ||
        (readCount.value === 0 && Object.keys(live.data.value).length < newestCount)),
  );
  const isTruncated = computed(() => tail.value.isTruncated || readCount.value >= maxReadEvents);
  async function loadOlder(): Promise<void> {
    const client = connection.value?.queries;
    if (reading.value) return;
    if (client === undefined) {
      failure.value = 'No event manager is configured.';
      return;
    }
    const startKey = key();
    const offset = Math.max(readCount.value, newestCount);
    reading.value = true;
    failure.value = null;
    try {
      const page = { number: olderPageSize, offset };
      const body = archived.value
        ? await client.getArchivedEvents(page)
        : await client.getEvents({ ...queryRange.value, ...page });
      if (key() !== startKey) return;
      append(matchingEvents(body));
      readCount.value = offset + olderPageSize;
      isAtOldest.value = Object.keys(body).length < olderPageSize;
    } catch (error) {
      failure.value = errorText(error);
    } finally {
      reading.value = false;
    }
  }
  const shouldLoadOlder = computed(
    () =>
      wholeRange.value &&
      live.data.value !== undefined &&
      !(isComplete.value || isTruncated.value || reading.value || failure.value !== null),
  );
  watch(shouldLoadOlder, (next) => next && void loadOlder(), { immediate: true });
  /** Removes archived or deleted events from the page. */
  async function reload(): Promise<void> {
    const body = await live.refresh();
    readCount.value = 0;
    isAtOldest.value = false;
    restart(body);
  }
  return {
    live,
    tail,
    rows,
    reload,
    paused,
    pendingCount,
    isComplete,
    isTruncated,
    older: { reading, failure, loadOlder },
  };
}

/** Returns a query that follows the selected one, which can change while the page is open. */
function combineQueries<Body>(selected: () => LiveQuery<Body>): LiveQuery<Body> {
  return {
    source: selected().source,
    data: computed(() => selected().data.value),
    receivedAt: computed(() => selected().receivedAt.value),
    interval: computed(() => selected().interval.value),
    failure: computed(() => selected().failure.value),
    errorStatus: computed(() => selected().errorStatus.value),
    failingSince: computed(() => selected().failingSince.value),
    nextRetryAt: computed(() => selected().nextRetryAt.value),
    isFetching: computed(() => selected().isFetching.value),
    stale: computed(() => selected().stale.value),
    address: computed(() => selected().address.value),
    retry: () => selected().retry(),
    refresh: () => selected().refresh(),
  };
}
