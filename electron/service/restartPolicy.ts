/** Decides when a crashed service restarts: immediately at first, then once a minute without limit. */

/** The delays before the first, second and third consecutive restart, in milliseconds. */
const quickDelaysMs = [100, 400, 1000] as const;
/** The interval between later retries, in milliseconds. */
const slowDelayMs = 60_000;
/** A run longer than this, in milliseconds, ends the series of crashes. */
const stableAfterMs = 60_000;

interface RestartDecision {
  /** The number of consecutive crashes, including this one. */
  readonly crashes: number;
  readonly afterMs: number;
  /** True after the quick restarts failed: the user is notified. */
  readonly isCrashingRepeatedly: boolean;
}

/** @param previousCrashes consecutive crashes before this one @param uptimeMs how long the service ran, in ms */
export function decideRestart(previousCrashes: number, uptimeMs: number): RestartDecision {
  const crashes = uptimeMs >= stableAfterMs ? 1 : previousCrashes + 1;
  const quick = quickDelaysMs[crashes - 1];
  return { crashes, afterMs: quick ?? slowDelayMs, isCrashingRepeatedly: quick === undefined };
}
