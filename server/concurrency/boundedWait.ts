/** Waiting for a result, but not longer than until a time or an abort. */

/**
 * The result of `work`; where it takes longer than `ms`, what `onTimeout` returns or throws. The work itself goes on in the
 * background, and an error of it is ignored then.
 */
export async function withTimeout<Value, Late>(
  work: Promise<Value>,
  ms: number,
  onTimeout: () => Late,
): Promise<Value | Late> {
  const late = Symbol('late');
  let timer: NodeJS.Timeout | undefined;
  try {
    const timeout = new Promise<typeof late>((resolve) => (timer = setTimeout(resolve, ms, late)));
    const result = await Promise.race([work, timeout]);
    return result === late ? onTimeout() : (result as Value);
  } finally {
    clearTimeout(timer);
  }
}

/** What `promise` resolves with, or `null` as soon as `signal` aborts; then `leave` is called. Leaves no listener behind. */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal, leave: () => void): Promise<T | null> {
  let onAbort: () => void = () => undefined;
  const left = new Promise<null>((resolve) => {
    onAbort = () => {
      leave();
      resolve(null);
    };
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, left]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
