/** The events in the order of storing, for queries, and in the order of their timestamps as text, for lists. */
import type { Event } from '../../api/managers/event.ts';
import { recordId } from '../base/demoManager.ts';
import type { DemoClock } from '../base/clock.ts';
import { matches } from '../base/selector.ts';

const dayMs = 86_400_000;

/** The query of an event list; `number` 0 means all. */
export interface Page {
  readonly number: number;
  readonly offset: number;
}

interface EventFilter extends Page {
  readonly level: number;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly withArchived: boolean;
}

function page(events: readonly Event[], { number, offset }: Page): Event[] {
  return events.slice(offset, number === 0 ? undefined : offset + number);
}

export class EventStore {
  readonly #clock: Pick<DemoClock, 'now' | 'zoned'>;
  #events = new Map<string, Event>();
  /**
   * Sorted by timestamp; among equal ones the first stored is last, so that reading backwards preserves their order.
   */
  #byTime: Event[] = [];
  /** The archiving time of each archived event, in milliseconds. */
  #archivedAt = new Map<string, number>();

  constructor(clock: Pick<DemoClock, 'now' | 'zoned'>) {
    this.#clock = clock;
  }

  get total(): number {
    return this.#events.size;
  }

  get(id: string): Event | undefined {
    return this.#events.get(id);
  }

  /** Stores the event. A duplicate ID is ignored, as in MongoDB. */
  add(event: Event): void {
    if (this.#events.has(recordId(event))) return;
    this.#events.set(recordId(event), event);
    this.#byTime.splice(this.#insertionIndex(event.event_timestamp), 0, event);
  }

  /** Stores many events and sorts once. */
  addAll(events: Iterable<Event>): void {
    for (const event of events) {
      if (!this.#events.has(recordId(event))) this.#events.set(recordId(event), event);
    }
    this.#byTime = [...this.#events.values()]
      .toReversed()
      .toSorted(({ event_timestamp: left }, { event_timestamp: right }) => (left < right ? -1 : Number(left > right)));
  }

  /** Returns the events that match the filter, newest first. */
  list(filter: EventFilter): Event[] {
    const { level, start, end, withArchived, number, offset } = filter;
    const matching: Event[] = [];
    const maxMatches = number === 0 ? Number.POSITIVE_INFINITY : offset + number;
    for (let index = this.#byTime.length - 1; index >= 0 && matching.length < maxMatches; index--) {
      const event = this.#byTime[index];
      if (event === undefined || event.log_level < level) continue;
      if (!withArchived && event.archived === true) continue;
      if (start !== undefined && event.event_timestamp < start) continue;
      if (end !== undefined && event.event_timestamp > end) continue;
      matching.push(event);
    }
    return page(matching, filter);
  }

  /** Returns all matching events, in the order of storing. */
  query(selector: unknown): Event[] {
    // An invalid selector must fail even in an empty store.
    matches({}, selector);
    return [...this.#events.values()].filter((event) => matches(event, selector));
  }

  /** Archives the events with these IDs, or those before a time; returns the number of newly archived ones. */
  archive(selection: { readonly ids?: readonly string[]; readonly before?: string | undefined }): number {
    const { ids = [], before } = selection;
    const selectedEvents =
      ids.length > 0
        ? ids.flatMap((id) => this.#events.get(id) ?? [])
        : this.#byTime.filter((event) => before !== undefined && event.event_timestamp < before);
    const newlyArchived = selectedEvents.filter((event) => event.archived !== true);
    for (const event of newlyArchived) {
      event.archived = true;
      event.archived_at = this.#clock.zoned();
      this.#archivedAt.set(recordId(event), this.#clock.now());
    }
    return newlyArchived.length;
  }

  /** Returns archived events, most recently archived first. */
  archived(options: Page): Event[] {
    const archivedEvents = [...this.#archivedAt.keys()].toReversed().flatMap((id) => this.#events.get(id) ?? []);
    return page(archivedEvents, options);
  }

  /** Deletes events archived more than `olderThanDays` days ago and returns their number. */
  deleteArchived(olderThanDays: number): number {
    const limit = this.#clock.now() - olderThanDays * dayMs;
    const expired = [...this.#archivedAt].filter(([, at]) => at < limit);
    for (const [id] of expired) {
      this.#events.delete(id);
      this.#archivedAt.delete(id);
    }
    if (expired.length > 0) this.#byTime = this.#byTime.filter((event) => this.#events.has(recordId(event)));
    return expired.length;
  }

  /** Returns the index of the first event at or after the time. */
  #insertionIndex(time: string): number {
    let low = 0;
    let high = this.#byTime.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#byTime[middle]?.event_timestamp ?? '') < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
