/** Decides when a lost page (its process died, or it didn't load) is reloaded. */
import { tryParseUrl } from '../../api/url.ts';

const delaysMs = [300, 2000, 5000, 15_000] as const;
/** A page that stayed loaded for this long, in milliseconds, ends a series of failures. */
const stableAfterMs = 60_000;

interface ReloadDecision {
  /** The number of consecutive losses, including this one. */
  readonly losses: number;
  readonly afterMs: number;
  /** True for repeated losses: the user is notified. */
  readonly isFailingRepeatedly: boolean;
}

/** @param previousLosses consecutive losses before this one @param uptimeMs how long the page was loaded, in ms */
export function decideReload(previousLosses: number, uptimeMs: number): ReloadDecision {
  const losses = uptimeMs >= stableAfterMs ? 1 : previousLosses + 1;
  const afterMs = delaysMs[Math.min(losses, delaysMs.length) - 1] ?? delaysMs[3];
  return { losses, afterMs, isFailingRepeatedly: losses > 2 };
}

/**
 * Returns the address at which to open the dashboard: the last page, even if the service's address has changed since.
 * @param url base address of the dashboard @param last address of the last page, `null` for none
 */
export function dashboardPage(url: string, last: string | null): string {
  const lastPage = tryParseUrl(last);
  if (lastPage === null) return url;
  const { pathname, search, hash } = lastPage;
  return new URL(`${pathname}${search}${hash}`, url).href;
}
