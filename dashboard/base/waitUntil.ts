/** Waits for a reactive condition. */
import { watch } from 'vue';

/** Resolves when `condition` returns true, at the latest after `timeoutMs`. */
export function waitUntil(condition: () => boolean, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (condition()) return resolve();
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, timeoutMs);
    const stop = watch(condition, end, { flush: 'sync' });
  });
}
