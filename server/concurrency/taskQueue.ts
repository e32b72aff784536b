/**
 * Runs asynchronous tasks in the order in which they were added, urgent ones before others, at most `limit` at the same time
 * (1 by default).
 */
export class TaskQueue {
  readonly #limit: number;
  readonly #urgent = new Set<() => void>();
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(limit = 1) {
    this.#limit = limit;
  }

  /**
   * Runs `task` after the earlier ones, even if they failed, and never synchronously. A task must not wait for another one
   * that it adds to the same queue: both would wait forever.
   * @param signal prevents the task if it aborts before its turn
   * @param isUrgent whether it runs before all waiting tasks that are not
   * @returns its result @throws what `task` throws, or the reason of `signal`
   */
  async run<Value>(task: () => Value | Promise<Value>, signal?: AbortSignal, isUrgent = false): Promise<Value> {
    if (this.#running < this.#limit) {
      this.#running += 1;
      await Promise.resolve();
    } else await this.#waitForTurn(isUrgent ? this.#urgent : this.#waiting, signal);
    try {
      return await task();
    } finally {
      const [next] = this.#urgent.size > 0 ? this.#urgent : this.#waiting;
      if (next) next();
      else this.#running -= 1;
    }
  }

  #waitForTurn(waiting: Set<() => void>, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (end: () => void): void => {
        waiting.delete(start);
        signal?.removeEventListener('abort', leave);
        end();
      };
      const start = () => finish(resolve);
      const leave = () => finish(() => reject(signal?.reason));
      waiting.add(start);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Resolves when all tasks added until now have ended. Only for a queue that runs one at a time. */
  settled(): Promise<void> {
    return this.run(() => undefined);
  }
}
