/**
 * Serves `/lab_health` in batches: a request during a batch gets that batch's result, a finished batch is never reused,
 * and after a burst of 10 at most one batch starts per second.
 */
import { clock } from '../../api/time/clock.ts';
import { pause } from '../../api/time/pause.ts';
import { SharedTask } from '../concurrency/sharedTask.ts';

/** The number of batches that may start immediately after an idle time. */
const burst = 10;

/** Milliseconds until another batch may start. */
const refillMs = 1000;

export class LabHealthBatcher<T> {
  #tokens = burst;
  #refilledAt = clock.monotonic();
  readonly #batch: SharedTask<T>;

  /** @param read runs one batch; its signal aborts when the last waiter leaves */
  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#batch = new SharedTask(async (signal) => {
      const waitMs = this.#msUntilToken();
      if (waitMs > 0) await pause(waitMs, signal);
      if (signal.aborted) return null;
      this.#refill();
      this.#tokens -= 1;
      return read(signal);
    });
  }

  /** The result of a batch that ends after this call; `null` when `signal` aborted or the batcher was stopped. */
  next(signal: AbortSignal): Promise<T | null> {
    return this.#batch.result(signal);
  }

  /** Aborts the current batch. */
  stop(): void {
    this.#batch.abort();
  }

  #refill(): void {
    const now = clock.monotonic();
    this.#tokens = Math.min(burst, this.#tokens + (now - this.#refilledAt) / refillMs);
    this.#refilledAt = now;
  }

  #msUntilToken(): number {
    this.#refill();
    return this.#tokens >= 1 ? 0 : Math.ceil((1 - this.#tokens) * refillMs);
  }
}
