/** How long to wait after a failure. Pure. */

/** First and longest wait, in ms. */
export const firstWait = 2000;
export const longestWait = 30_000;

/**
 * After the `failures`-th failure in a row (1, 2, …): 2 s, 4 s, 8 s, 16 s, then 30 s, each up to 25 % shorter or longer
 * so that many pages don't come back at the same moment. `random` is in [0, 1). A server that named a time
 * (`Retry-After`, in ms) is never asked earlier.
 */
export function backOff(failures: number, random: number, retryAfter = 0): number {
  const wait = Math.min(longestWait, firstWait * 2 ** Math.max(0, failures - 1));
  const jittered = Math.min(longestWait, Math.max(firstWait, wait * (0.75 + random * 0.5)));
  return Math.round(Math.max(jittered, retryAfter));
}
