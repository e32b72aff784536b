import { clock } from './clock.ts';

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
