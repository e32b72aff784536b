/** Runs asynchronous tasks in the order in which they were added, up to a limit at a time; one by default. */
export class TaskQueue {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limit = 1) {
    this.#limit = limit;
  }

  /**
   * Runs `task` in its turn, even if earlier ones failed; never before the caller's synchronous code has ended. A task
   * must not wait for another one that it adds to the same queue.
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
