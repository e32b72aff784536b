/** Runs asynchronous tasks in the order in which they were added, at most `limit` at the same time (1 by default). */
export class TaskQueue {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit = 1) {
    this.#limit = limit;
  }

  /**
   * Runs `task` after the earlier ones, even if they failed, and never synchronously. A task must not wait for another one
   * that it adds to the same queue: both would wait forever.
   * @returns its result @throws what `task` throws
   */
  async run<Value>(task: () => Value | Promise<Value>): Promise<Value> {
    if (this.#running < this.#limit) {
      this.#running += 1;
      await Promise.resolve();
    } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Resolves when all tasks added until now have ended. Only for a queue that runs one at a time. */
  settled(): Promise<void> {
    return this.run(() => undefined);
  }
}
