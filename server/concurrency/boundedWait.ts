/** Waits for a result until a timeout or an abort. */
import { clock } from '../../api/time/clock.ts';

/**
 * The result of `work`, or of `onTimeout` if `work` takes longer than `ms`. After a timeout it continues in the background,
 * and its errors are ignored.
 */
export async function withTimeout<Value, Late>(
  work: Promise<Value>,
  ms: number,
  onTimeout: () => Late,
): Promise<Value | Late> {
  const late = Symbol('late');
  let timer: NodeJS.Timeout | undefined;
  try {
    const timeout = new Promise<typeof late>((resolve) => (timer = clock.setTimeout(() => resolve(late), ms)));
    const result = await Promise.race([work, timeout]);
    return result === late ? onTimeout() : (result as Value);
  } finally {
    clock.clearTimeout(timer);
  }
}

/** Resolves like `promise`, or with `null` as soon as `signal` aborts, after calling `onAbandon`. */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal, onAbandon: () => void): Promise<T | null> {
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<null>((resolve) => {
    onAbort = () => {
      onAbandon();
      resolve(null);
    };
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
