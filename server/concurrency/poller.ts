/** Repeats a reading. At most one next reading is scheduled at any time. */
import { clock } from '../../api/time/clock.ts';

export class Poller {
  readonly #read: (signal: AbortSignal) => number | Promise<number>;
  #running: AbortController | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** @param read returns the time until the next reading, in ms; never rejects. Its signal aborts at `stop` */
  constructor(read: (signal: AbortSignal) => number | Promise<number>) {
    this.#read = read;
  }

  /** Reads now, and repeatedly until `stop`. Resolves when the first reading has ended. */
  start(): Promise<void> {
    this.#running = new AbortController();
    return this.readNow();
  }

  /** Like `start`, with the first reading in `ms`. */
  startIn(ms: number): void {
    this.#running = new AbortController();
    this.scheduleIn(ms);
  }

  stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.#clear();
  }

  /** Reads now instead of at the scheduled time; does nothing if stopped. */
  async readNow(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#clear();
    const next = this.#read(running.signal);
    const ms = typeof next === 'number' ? next : await next;
    if (running === this.#running) this.scheduleIn(ms);
  }

  /** Reschedules the next reading to `ms` from now; does nothing if stopped. */
  scheduleIn(ms: number): void {
    this.#clear();
    if (this.#running !== null) this.#timer = clock.setTimeout(() => void this.readNow(), ms);
  }

  #clear(): void {
    if (this.#timer !== null) clock.clearTimeout(this.#timer);
    this.#timer = null;
  }
}
