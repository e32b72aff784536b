import { clock } from './clock.ts';

/** The delay after the `failures`-th failure in a row (1, 2, …), in ms: it doubles from `firstMs` to `maxMs`. */
export function doublingDelay(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1));
}

/** Waits for `ms`; ends early when `signal` aborts. @returns whether the time elapsed without an abort */
export function pause(ms: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false);
    const timer = clock.setTimeout(() => finish(true), ms);
    const stop = () => finish(false);
    signal?.addEventListener('abort', stop, { once: true });
    function finish(hasElapsed: boolean): void {
      clock.clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(hasElapsed);
    }
  });
}
