/**
 * Answers of `/lab_health` in bounded rounds: a request that comes while a round runs gets that round's answer, a finished
 * round is never served again, and rounds start at most 60 times a minute in bursts of 10.
 */
import { raceAbort } from '../concurrency/boundedWait.ts';
import { SharedTask } from '../concurrency/sharedTask.ts';

/** Rounds that may start at once after a quiet time. */
const burst = 10;

/** One more round may start each … milliseconds. */
const refillMs = 1000;

export class LabHealthBatcher<T> {
  #tokens = burst;
  #refilledAt = performance.now();
  readonly #round: SharedTask<T>;

  /** @param read runs one round; its signal aborts when nobody waits for it any more */
  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#round = new SharedTask(async (signal) => {
      const waitMs = this.#msUntilToken();
      if (waitMs > 0) await raceAbort(new Promise((resolve) => setTimeout(resolve, waitMs)), signal, () => undefined);
      if (signal.aborted) return null;
      this.#refill();
      this.#tokens -= 1;
      return read(signal);
    });
  }

  /** The answer of a round that ends after this call; `null` when `signal` aborted or the batcher was stopped. */
  next(signal: AbortSignal): Promise<T | null> {
    return this.#round.result(signal);
  }

  /** Ends the round under way. */
  stop(): void {
    this.#round.abort();
  }

  #refill(): void {
    const now = performance.now();
    this.#tokens = Math.min(burst, this.#tokens + (now - this.#refilledAt) / refillMs);
    this.#refilledAt = now;
  }

  #msUntilToken(): number {
    this.#refill();
    return this.#tokens >= 1 ? 0 : Math.ceil((1 - this.#tokens) * refillMs);
  }
}
