/**
 * The only source of time in production code: the current time and all timers. Tests replace it with a clock that they
 * advance (`api/fixtures/manualClock.ts`), while sockets and files remain real.
 */

export type Timer = ReturnType<typeof globalThis.setTimeout>;

export interface Clock {
  /** The time in ms since the epoch. It can go back. */
  now(): number;
  /** The ms since an arbitrary point; only for durations. It never goes back. */
  monotonic(): number;
  /** Calls `callback` once after `ms`. */
  setTimeout(callback: () => void, ms: number): Timer;
  clearTimeout(timer: Timer | null | undefined): void;
  /** Calls `callback` every `ms` until the timer is cleared. */
  setInterval(callback: () => void, ms: number): Timer;
  clearInterval(timer: Timer | null | undefined): void;
}

/** The computer's clock. It reads the globals on each call, because browsers' and Vitest's clocks replace them. */
const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback, ms) => globalThis.setTimeout(callback, ms),
  clearTimeout: (timer) => globalThis.clearTimeout(timer ?? undefined),
  setInterval: (callback, ms) => globalThis.setInterval(callback, ms),
  clearInterval: (timer) => globalThis.clearInterval(timer ?? undefined),
};

let current = systemClock;

/** The clock in use. Its functions can be passed as values. */
export const clock: Clock = {
  now: () => current.now(),
  monotonic: () => current.monotonic(),
  setTimeout: (callback, ms) => current.setTimeout(callback, ms),
  clearTimeout: (timer) => current.clearTimeout(timer),
  setInterval: (callback, ms) => current.setInterval(callback, ms),
  clearInterval: (timer) => current.clearInterval(timer),
};

/** Replaces the clock in tests; `null` restores the computer's clock. */
export function replaceClock(replacement: Clock | null): void {
  current = replacement ?? systemClock;
}

export interface Timeout {
  /** Aborts with a `TimeoutError` at the end of the time. */
  readonly signal: AbortSignal;
  /** Stops the timer when the operation has ended. */
  readonly clear: () => void;
}

/** Starts a time limit of an operation. Its timer keeps no process alive. */
export function startTimeout(ms: number): Timeout {
  const controller = new AbortController();
  const timer = clock.setTimeout(() => {
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }, ms);
  if (typeof timer === 'object') timer.unref();
  return { signal: controller.signal, clear: () => clock.clearTimeout(timer) };
}
