/** Reads the log: polls the newest events; loads the rest of a range automatically or on demand, up to a limit. */
import { errorText } from '../../../api/errorText.ts';
import { currentTime } from '../../base/clock.ts';
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue';
import { eventApi, type Event } from '../../../api/managers/event.ts';
import type { Live } from '../../components/feedback/live.ts';
import { eventRow, subjectSelector, type EventRow, type Subject } from '../../managers/event/eventRow.ts';
import { newestFirst } from '../../managers/event/eventText.ts';
import { useOwnerNames } from '../../managers/names/useOwnerNames.ts';
import { eventsTexts } from './texts.ts';
import { useConnection } from '../../managers/transport/clients.ts';
import { useManagerQuery } from '../../managers/transport/poll/managerQuery.ts';
import type { Tail } from '../../managers/transport/tail/tail.ts';
import { useTail } from '../../managers/transport/tail/useTail.ts';
import { useManagerTime } from '../../managers/transport/time/managerTime.ts';

const newest = 200;
const olderPage = 1000;
/** Maximum number of events in the page; without it, memory grows while the page is open. */
export const maxLogEvents = 10_000;
/** While the manager's clock offset is unknown, the response includes events of other hours. */
const maxRead = 2 * maxLogEvents;
/** Events of a range are in the log this long after its end at the latest, in ms. */
const writtenMs = 10 * 60_000;

interface LogQuestion {
  /** The lowest to show. */
  readonly level: number;
  /** ms since the epoch; `null`: no bound. */
  readonly from: number | null;
  readonly to: number | null;
  readonly archived: boolean;
  /** Only events that refer to this object; the manager returns all of them, and the page applies the other filters. */
  readonly about: Subject | null;
  /**
   * Further conditions for the manager (`filterSelectors`) over the whole range; without conditions only the newest
   * events are read.
   */
  readonly searchConditions?: readonly Readonly<Record<string, unknown>>[];
  /** Whether the whole range is read, page by page, instead of only its newest events. */
  readonly wholeRange?: boolean;
}

interface EventLog {
  readonly live: Live<Record<string, Event>>;
  readonly tail: ComputedRef<Tail<Event>>;
  /** The same as lines, newest first. */
  readonly rows: ComputedRef<readonly EventRow[]>;
  /** Reads the log again after a command removed events. @throws an error with the reason if the read fails */
  readonly reload: () => Promise<void>;
  readonly paused: Ref<boolean>;
  /** The number of events that arrived while paused. */
  readonly waiting: ComputedRef<number>;
  /** Whether all matching events are loaded. */
  readonly whole: ComputedRef<boolean>;
  /** Whether the range has more events than `maxLogEvents`. */
  readonly isTruncated: ComputedRef<boolean>;
  readonly older: {
    readonly reading: Ref<boolean>;
    readonly failure: Ref<string | null>;
    readonly refresh: () => Promise<void>;
  };
}

// oxlint-disable-next-line max-lines-per-function -- two readings whose refs depend on each other
export function useEventLog(question: () => LogQuestion): EventLog {
  const time = useManagerTime('event');
  const connection = useConnection(eventApi);
  const queryRange = computed(() => {
    const { level, from, to } = question();
    return {
      ...(level > 0 ? { level } : {}),
      start_time: from === null ? null : time.queryStart(from),
      end_time: to === null ? null : time.queryEnd(to),
    };
  });
  const archived = computed(() => question().archived);
  const wholeRange = computed(() => question().wholeRange === true);
  // A range in the past gets no new events, so it is read once after the manager's clock offset is known.
  const openedAt = currentTime();
  const once = () => {
    const { to } = question();
    return time.isZoneKnown.value && to !== null && to < openedAt - writtenMs;
  };
  const about = computed(() => question().about);
  /** The conditions of the manager's query; empty: the newest events are read. */
  const conditions = computed(() => [
    ...(about.value === null ? [] : [subjectSelector(about.value)]),
    ...(question().searchConditions ?? []),
    // The list of archived events has no range parameter; the query has.
    ...(archived.value && wholeRange.value ? [{ archived: true }] : []),
  ]);
  const queried = computed(() => conditions.value.length > 0);
  const conditionText = computed(() => JSON.stringify(conditions.value));
  const log = useManagerQuery(eventApi, 'getEvents', {
    schedule: 'eventLog',
    input: () => (archived.value || queried.value ? null : { ...queryRange.value, number: newest }),
    once,
  });
  const past = useManagerQuery(eventApi, 'getArchivedEvents', {
    schedule: 'archivedEvents',
    input: () => (archived.value && !queried.value ? { number: newest } : null),
  });
  const queriedEvents = useManagerQuery(eventApi, 'queryEvents', {
    schedule: 'eventsOfOne',
    once,
    input: () => {
      const { start_time: start, end_time: end } = queryRange.value;
      if (!queried.value) return null;
      const since = start === null ? [] : [{ event_timestamp: { $gte: start } }];
      const until = end === null ? [] : [{ event_timestamp: { $lte: end } }];
      return { body: { $and: [...conditions.value, ...since, ...until] } };
    },
  });
  const live = following(() => (queried.value ? queriedEvents : archived.value ? past : log));
  // Compares times instead of timestamps, so that a clock correction of one second does not change the query.
  const key = () => {
    const { level, from, to } = question();
    const zone = time.isZoneKnown.value ? time.clock.value.zone : null;
    return JSON.stringify([live.address.value, level, from, to, zone, archived.value, conditionText.value]);
  };
  const names = useOwnerNames();
  const rowOf = computed(() => {
    // The displayed times depend on the host's clock offset.
    void time.clock.value;
    const { value: nameOf } = names;
    const known = new WeakMap<Event, EventRow>();
    return (event: Event): EventRow => {
      const row = known.get(event) ?? eventRow(event, time.at, nameOf);
      known.set(event, row);
      return row;
    };
  });
  // Responses include events outside the filters: the archive returns its newest, an object's query all levels, and a
  // manager with an unknown clock a wider range. These are removed here.
  function matchesFilters(event: Event): boolean {
    const { level, from, to } = question();
    const { at } = rowOf.value(event);
    const isKind = !queried.value || archived.value === (event.archived === true);
    const isInRange = at === null || ((from === null || at >= from) && (to === null || at <= to));
    return event.log_level >= level && isInRange && isKind;
  }
  const eventsOf = (body: Record<string, Event>): readonly Event[] => Object.values(body).filter(matchesFilters);
  const { tail, paused, waiting, append, renew } = useTail(
    live,
    eventsOf,
    { idOf: ({ _id: id }) => id, newestFirst, limit: newest, maxEntries: maxLogEvents },
    key,
  );
  const rows = computed(() => tail.value.items.map((event) => rowOf.value(event)));

  /** The number of events read so far, from the newest; events that arrive since then shift the offset. */
  const readTo = ref(0);
  const ended = ref(false);
  const reading = ref(false);
  const failure = shallowRef<string | null>(null);
  watch(key, () => {
    readTo.value = 0;
    ended.value = false;
    failure.value = null;
  });
  const whole = computed(
    () =>
      live.data.value !== undefined &&
      (queried.value || ended.value || (readTo.value === 0 && Object.keys(live.data.value).length < newest)),
  );
  const isTruncated = computed(() => tail.value.isTruncated || readTo.value >= maxRead);
  async function refresh(): Promise<void> {
    const client = connection.value?.queries;
    if (reading.value) return;
    if (client === undefined) {
      failure.value = eventsTexts.archive.noAddress;
      return;
    }
    const began = key();
    const offset = Math.max(readTo.value, newest);
    reading.value = true;
    failure.value = null;
    try {
      const page = { number: olderPage, offset };
      const body = archived.value
        ? await client.getArchivedEvents(page)
        : await client.getEvents({ ...queryRange.value, ...page });
      if (key() !== began) return;
      append(eventsOf(body));
      readTo.value = offset + olderPage;
      ended.value = Object.keys(body).length < olderPage;
    } catch (error) {
      failure.value = errorText(error);
    } finally {
      reading.value = false;
    }
  }
  const isReadOn = computed(
    () =>
      wholeRange.value &&
      live.data.value !== undefined &&
      !(whole.value || isTruncated.value || reading.value || failure.value !== null),
  );
  watch(isReadOn, (next) => next && void refresh(), { immediate: true });
  /** Removes archived or deleted events from the page. */
  async function reload(): Promise<void> {
    const body = await live.refresh();
    readTo.value = 0;
    ended.value = false;
    renew(body);
  }
  return {
    live,
    tail,
    rows,
    reload,
    paused,
    waiting,
    whole,
    isTruncated,
    older: { reading, failure, refresh },
  };
}

/** Combines several queries into one; the selected query can change while the page is open. */
function following<Body>(now: () => Live<Body>): Live<Body> {
  return {
    who: now().who,
    data: computed(() => now().data.value),
    receivedAt: computed(() => now().receivedAt.value),
    interval: computed(() => now().interval.value),
    failure: computed(() => now().failure.value),
    refusedWith: computed(() => now().refusedWith.value),
    failingSince: computed(() => now().failingSince.value),
    nextTry: computed(() => now().nextTry.value),
    fetching: computed(() => now().fetching.value),
    stale: computed(() => now().stale.value),
    address: computed(() => now().address.value),
    retry: () => now().retry(),
    refresh: () => now().refresh(),
  };
}
