/** When a service that died is started again: soon at first, then once a minute for as long as it takes. Pure. */

/** Waits before the first, second and third restart in a row, in milliseconds. */
const quickMs = [100, 400, 1000] as const;
/** Between two tries once the quick ones didn't help, in milliseconds. */
const slowMs = 60_000;
/** Who ran this long, in milliseconds, didn't die in a row with what was before. */
const steadyMs = 60_000;

interface RestartDecision {
  /** How many times in a row it has died, this time included. */
  readonly crashes: number;
  readonly afterMs: number;
  /** The quick restarts didn't help: people are told. */
  readonly isCrashingRepeatedly: boolean;
}

/** @param before crashes in a row before this one @param livedMs how long the service ran, in ms */
export function decideRestart(before: number, livedMs: number): RestartDecision {
  const crashes = livedMs >= steadyMs ? 1 : before + 1;
  const quick = quickMs[crashes - 1];
  return { crashes, afterMs: quick ?? slowMs, isCrashingRepeatedly: quick === undefined };
}
