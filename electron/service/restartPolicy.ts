/** Decides when a crashed service restarts: immediately at first, then once a minute without limit. Pure. */

/** The delays before the first, second and third restart in a row, in milliseconds. */
const quickMs = [100, 400, 1000] as const;
/** The interval between later retries, in milliseconds. */
const slowMs = 60_000;
/** A run longer than this, in milliseconds, ends the series of crashes. */
const steadyMs = 60_000;

interface RestartDecision {
  /** The number of consecutive crashes, including this one. */
  readonly crashes: number;
  readonly afterMs: number;
  /** True after the quick restarts failed: the user is notified. */
  readonly isCrashingRepeatedly: boolean;
}

/** @param before crashes in a row before this one @param livedMs how long the service ran, in ms */
export function decideRestart(before: number, livedMs: number): RestartDecision {
  const crashes = livedMs >= steadyMs ? 1 : before + 1;
  const quick = quickMs[crashes - 1];
  return { crashes, afterMs: quick ?? slowMs, isCrashingRepeatedly: quick === undefined };
}
