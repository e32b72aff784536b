/**
 * Rounds of questions for `/lab_health`, bounded whoever asks: a request that comes while a round runs gets that
 * round's answer, a finished round is never served again, and rounds start at most 60 times a minute in bursts of 10.
 */
import { raceAbort } from '../concurrency/boundedWait.ts';

/** Rounds that may start at once after a quiet time. */
const burst = 10;

/** One more round may start each … milliseconds. */
const refillMs = 1000;

interface Round<T> {
  readonly promise: Promise<T | null>;
  readonly controller: AbortController;
  waiting: number;
}

export class Rounds<T> {
  #tokens = burst;
  #refilledAt = performance.now();
  #round: Round<T> | null = null;
  readonly #ask: (signal: AbortSignal) => Promise<T>;

  /** @param ask runs one round; its signal aborts when nobody waits for it any more */
  constructor(ask: (signal: AbortSignal) => Promise<T>) {
    this.#ask = ask;
  }

  /** The answer of a round that ends after this call; `null` when `signal` aborted or the rounds were stopped. */
  async next(signal: AbortSignal): Promise<T | null> {
    if (signal.aborted) return null;
    const round = (this.#round ??= this.#start());
    round.waiting += 1;
    return raceAbort(round.promise, signal, () => {
      round.waiting -= 1;
      if (round.waiting === 0) this.#drop(round);
    });
  }

  /** Ends the round under way. */
  stop(): void {
    if (this.#round) this.#drop(this.#round);
  }

  #drop(round: Round<T>): void {
    round.controller.abort();
    if (this.#round === round) this.#round = null;
  }

  #start(): Round<T> {
    const controller = new AbortController();
    const round: Round<T> = {
      controller,
      waiting: 0,
      promise: this.#run(controller.signal).finally(() => {
        if (this.#round === round) this.#round = null;
      }),
    };
    return round;
  }

  async #run(signal: AbortSignal): Promise<T | null> {
    const wait = this.#msUntilToken();
    if (wait > 0) await raceAbort(new Promise((resolve) => setTimeout(resolve, wait)), signal, () => undefined);
    if (signal.aborted) return null;
    this.#refill();
    this.#tokens -= 1;
    const answer = await this.#ask(signal);
    return signal.aborted ? null : answer;
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
