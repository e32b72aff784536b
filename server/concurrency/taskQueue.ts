/** Runs asynchronous tasks in the order in which they were added, at most `limit` at the same time (1 by default). */
export class TaskQueue {
  readonly #limit: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(limit = 1) {
    this.#limit = limit;
  }

  /**
   * Runs `task` after the earlier ones, even if they failed, and never synchronously. A task must not wait for another one
   * that it adds to the same queue: both would wait forever.
   * @param signal prevents the task if it aborts before its turn
   * @returns its result @throws what `task` throws, or the reason of `signal`
   */
  async run<Value>(task: () => Value | Promise<Value>, signal?: AbortSignal): Promise<Value> {
    if (this.#running < this.#limit) {
      this.#running += 1;
      await Promise.resolve();
    } else await this.#waitForTurn(signal);
    try {
      return await task();
    } finally {
      const [next] = this.#waiting;
      if (next) next();
      else this.#running -= 1;
    }
  }

  #waitForTurn(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (end: () => void): void => {
        this.#waiting.delete(start);
        signal?.removeEventListener('abort', leave);
        end();
      };
      const start = () => finish(resolve);
      const leave = () => finish(() => reject(signal?.reason));
      this.#waiting.add(start);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Resolves when all tasks added until now have ended. Only for a queue that runs one at a time. */
  settled(): Promise<void> {
    return this.run(() => undefined);
  }
}
