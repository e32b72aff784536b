/** The policy of the app's pages: navigation, links for the system's browser, and permissions. */
import { guideFolder } from '../../api/guide.ts';
import { ensureTrailingSlash } from '../../api/hosts.ts';
import { isShellUrl } from '../ipc/ownPages.ts';
import { tryParseUrl } from '../../api/url.ts';

/** Schemes that may be opened in the system's browser or mail program. */
const externalSchemes = new Set(['https:', 'http:', 'mailto:']);

/** `open-guide`: a page of the user guide, for the app's guide window. */
export type NavigationDecision = 'allow' | 'open-guide' | 'open-external' | 'deny';

interface NavigationRequest {
  readonly url: string;
  /** Address of the dashboard in use, such as `http://127.0.0.1:8000/`; `null` while there is none. */
  readonly dashboardUrl: string | null;
  /** Whether the page requests another window. */
  readonly newWindow: boolean;
}

/**
 * In the window: the shell's pages and the dashboard's origin. Other allowed links open in the system's browser, except
 * the user guide; other schemes are denied. No page opens a second window.
 */
export function decideNavigation({ url, dashboardUrl, newWindow }: NavigationRequest): NavigationDecision {
  const target = tryParseUrl(url);
  if (target === null) return 'deny';
  const isOwn = isShellUrl(url) || (dashboardUrl !== null && target.origin === new URL(dashboardUrl).origin);
  if (isOwn && newWindow && target.pathname.startsWith(guidePath(url, dashboardUrl))) return 'open-guide';
  if (isOwn && !newWindow) return 'allow';
  return mayOpenExternally(url) ? 'open-external' : 'deny';
}

/** Returns the guide's path relative to the page's base: a lab manager may be served below a path. */
function guidePath(url: string, dashboardUrl: string | null): string {
  if (dashboardUrl === null || isShellUrl(url)) return `/${guideFolder}`;
  return `${ensureTrailingSlash(new URL(dashboardUrl).pathname)}${guideFolder}`;
}

/** Returns whether other programs may open `url`, independent of its source. */
export function mayOpenExternally(url: string): boolean {
  const target = tryParseUrl(url);
  if (target === null) return false;
  return externalSchemes.has(target.protocol) && target.username === '' && target.password === '';
}

/** The permissions of the app's pages. They may write to the clipboard, but not read it. */
const grantedPermissions: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'fullscreen']);

/** Returns whether the page of `origin` gets `permission`; only the dashboard and the shell's pages get any. */
export function isPermissionGranted(permission: string, origin: string, ownOrigins: readonly string[]): boolean {
  return grantedPermissions.has(permission) && ownOrigins.includes(origin);
}
