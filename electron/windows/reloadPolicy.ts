/** Decides when a lost page (its process died, or it didn't load) is reloaded. Pure. */

const waitsMs = [300, 2000, 5000, 15_000] as const;
/** A page that stayed loaded for this long, in milliseconds, ends a series of losses. */
const steadyMs = 60_000;

interface ReloadDecision {
  /** The number of consecutive losses, including this one. */
  readonly losses: number;
  readonly afterMs: number;
  /** True for repeated losses: the user is notified. */
  readonly isFailingRepeatedly: boolean;
}

/** @param before losses in a row before this one @param uptimeMs how long the page was loaded, in ms */
export function decideReload(before: number, uptimeMs: number): ReloadDecision {
  const losses = uptimeMs >= steadyMs ? 1 : before + 1;
  const afterMs = waitsMs[Math.min(losses, waitsMs.length) - 1] ?? waitsMs[3];
  return { losses, afterMs, isFailingRepeatedly: losses > 2 };
}

/**
 * Returns the address at which to open the dashboard: the last page, also on another address of the same service.
 * @param url base address of the dashboard @param last address of the last page, `null` for none
 */
export function dashboardPage(url: string, last: string | null): string {
  if (last === null || !URL.canParse(last)) return url;
  const { pathname, search, hash } = new URL(last);
  return new URL(`${pathname}${search}${hash}`, url).href;
}
