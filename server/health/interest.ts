/** Waiting for an answer that others wait for too. */

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
