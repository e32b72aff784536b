/**
 * The demo lab's only source of time: all delays and timestamps use this clock, so that tests can advance a whole lab
 * by hours and a fault can set a clock error.
 */
import { formatLocalDate, padTwoDigits } from '../../api/time/clockText.ts';

/** Returns `2026-11-21T02:18:54.150000`: local time without a zone, the usual format of the managers. */
export function naiveText(ms: number): string {
  const date = new Date(ms);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(padTwoDigits).join(':');
  return `${formatLocalDate(date)}T${time}.${String(date.getMilliseconds()).padStart(3, '0')}000`;
}

/** Returns `2026-11-21T02:18:54.150000Z`: the format of the managers' few times with a zone. */
export function zonedText(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

/**
 * Returns the newest items first; of those with the same time, the last one.
 * @param getTime returns an item's time as text
 * @param number 0 means all
 */
export function newestFirst<Item>(items: readonly Item[], getTime: (item: Item) => string, number: number): Item[] {
  const sorted = items
    .toReversed()
    .toSorted((left, right) => (getTime(left) < getTime(right) ? 1 : -Number(getTime(left) > getTime(right))));
  return number === 0 ? sorted : sorted.slice(0, number);
}

/** Cancels a call of `after`; has no effect after the call or a cancellation. */
export type Cancel = () => void;

export interface DemoClock {
  /** The lab's time in milliseconds since the epoch, including the clock error. */
  now(): number;
  /** The current time as local time without a zone. */
  naive(): string;
  /** The current time in UTC, with `Z`. */
  zoned(): string;
  /** Calls `call` once after `ms` milliseconds, independent of the clock error. */
  after(ms: number, call: () => void): Cancel;
  /** Sets the clock error in milliseconds; 0 removes it. */
  setError(ms: number): void;
}

abstract class Clock implements DemoClock {
  #error = 0;

  abstract after(ms: number, call: () => void): Cancel;

  protected abstract realNow(): number;

  now(): number {
    return this.realNow() + this.#error;
  }

  naive(): string {
    return naiveText(this.now());
  }

  zoned(): string {
    return zonedText(this.now());
  }

  setError(ms: number): void {
    this.#error = ms;
  }
}

/** The system clock. Its timers don't keep the process alive. */
export class RealClock extends Clock {
  protected override realNow(): number {
    return Date.now();
  }

  override after(ms: number, call: () => void): Cancel {
    const timer = setTimeout(call, ms);
    timer.unref();
    return () => clearTimeout(timer);
  }
}

interface ScheduledCall {
  readonly at: number;
  readonly call: () => void;
}

/** A clock that moves only on `advance`. */
export class ManualClock extends Clock {
  #ms: number;
  #scheduled: ScheduledCall[] = [];

  constructor(start = Date.UTC(2026, 10, 21, 9, 0, 0)) {
    super();
    this.#ms = start;
  }

  protected override realNow(): number {
    return this.#ms;
  }

  override after(ms: number, call: () => void): Cancel {
    const scheduledCall: ScheduledCall = { at: this.#ms + Math.max(0, ms), call };
    this.#scheduled.push(scheduledCall);
    return () => {
      this.#scheduled = this.#scheduled.filter((scheduled) => scheduled !== scheduledCall);
    };
  }

  /** The number of pending calls. */
  get pendingCount(): number {
    return this.#scheduled.length;
  }

  /**
   * Advances by `ms` milliseconds and runs the calls that become due, ordered by due time, then by registration,
   * including those registered meanwhile.
   */
  advance(ms: number): void {
    const end = this.#ms + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      const due = next;
      this.#scheduled = this.#scheduled.filter((entry) => entry !== due);
      this.#ms = due.at;
      due.call();
    }
    this.#ms = end;
  }

  #next(end: number): ScheduledCall | undefined {
    let first: ScheduledCall | undefined;
    for (const entry of this.#scheduled) {
      if (entry.at <= end && (first === undefined || entry.at < first.at)) first = entry;
    }
    return first;
  }
}

/** Calls `call` every `ms` milliseconds until the returned function is called. */
export function every(clock: DemoClock, ms: number, call: () => void): Cancel {
  let cancel = clock.after(ms, tick);
  let ended = false;
  function tick(): void {
    call();
    if (!ended) cancel = clock.after(ms, tick);
  }
  return () => {
    ended = true;
    cancel();
  };
}
