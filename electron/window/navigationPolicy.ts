/** Where a page of ours may go, and which links are for the system's browser. Pure. */
import { isShellUrl } from './addresses.ts';

/** Schemes that the system's browser or mail program may be asked to open. */
const externalSchemes = new Set(['https:', 'http:', 'mailto:']);

export type NavigationDecision = 'allow' | 'open-external' | 'deny';

export interface NavigationQuestion {
  readonly url: string;
  /** Origin of the dashboard in use, as `http://127.0.0.1:8000`; `null` while there is none. */
  readonly dashboardOrigin: string | null;
  /** Whether the page wants another window. */
  readonly newWindow: boolean;
}

/**
 * In the window: the shell's pages and the dashboard's own origin. Everything else that people may follow opens in the
 * system's browser; other schemes go nowhere. No page of ours gets a second window.
 */
export function decideNavigation({ url, dashboardOrigin, newWindow }: NavigationQuestion): NavigationDecision {
  if (!URL.canParse(url)) return 'deny';
  const target = new URL(url);
  const isOwn = isShellUrl(url) || (dashboardOrigin !== null && target.origin === dashboardOrigin);
  if (isOwn && !newWindow) return 'allow';
  return mayOpenOutside(url) ? 'open-external' : 'deny';
}

/** Whether another program of the machine may be asked to open `url`, wherever that came from. */
export function mayOpenOutside(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return externalSchemes.has(protocol) && username === '' && password === '';
}
