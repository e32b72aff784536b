/** When reads through the relay must be new: before a command, because it is decided by them, and after it. */

/** The time for which reads are new after a command or a request of a person, in ms. */
const freshMs = 5000;

let freshUntil = 0;

/** From now on and for a while, reads accept no answer that the relay received before. */
export function requireFreshReads(): void {
  freshUntil = performance.now() + freshMs;
}

/** The `Cache-Control` of a read through the relay. @param maxAgeMs the greatest age that its query accepts, in ms */
export function relayCacheControl(maxAgeMs: number): string {
  return performance.now() < freshUntil ? 'no-cache' : `max-age=${Math.floor(maxAgeMs / 1000)}`;
}
