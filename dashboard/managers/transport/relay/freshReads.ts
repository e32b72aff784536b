/** Decides when reads through the relay must bypass its cache: before a command, which is based on them, and after it. */

/** The time for which reads must be new after a command or a manual refresh, in ms. */
const freshMs = 5000;

let freshUntil = 0;

/** From now on for `freshMs`, reads accept no response that the relay received earlier. */
export function requireFreshReads(): void {
  freshUntil = performance.now() + freshMs;
}

/**
 * Returns the `Cache-Control` header of a read through the relay. @param maxAgeMs the maximum age that its query
 * accepts, in ms
 */
export function relayCacheControl(maxAgeMs: number): string {
  return performance.now() < freshUntil ? 'no-cache' : `max-age=${Math.floor(maxAgeMs / 1000)}`;
}
