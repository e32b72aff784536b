/** Repeats a reading: whoever starts it, only one next reading is ever scheduled. */
export class Poller {
  readonly #read: (signal: AbortSignal) => number | Promise<number>;
  #running: AbortController | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** @param read returns the time until the next reading, in ms; never rejects. Its signal aborts at `stop` */
  constructor(read: (signal: AbortSignal) => number | Promise<number>) {
    this.#read = read;
  }

  /** Reads now, and again until `stop`. @returns when the first reading has ended */
  start(): Promise<void> {
    this.#running = new AbortController();
    return this.readNow();
  }

  /** As `start`, with the first reading in `ms`. */
  startIn(ms: number): void {
    this.#running = new AbortController();
    this.scheduleIn(ms);
  }

  stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.#clear();
  }

  /** Reads now instead of at the scheduled time; nothing where it is stopped. */
  async readNow(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#clear();
    const next = this.#read(running.signal);
    const ms = typeof next === 'number' ? next : await next;
    if (running === this.#running) this.scheduleIn(ms);
  }

  /** Puts the next reading off or forward to `ms` from now; nothing where it is stopped. */
  scheduleIn(ms: number): void {
    this.#clear();
    if (this.#running !== null) this.#timer = setTimeout(() => void this.readNow(), ms);
  }

  #clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
