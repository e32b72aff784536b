/** Identifies the app's pages: the shell's, and the dashboard assigned to a web contents. */
import type { WebContents } from 'electron';
import { tryParseUrl } from '../../api/url.ts';

/** The shell's pages have a separate scheme instead of `file:`. */
export const shellScheme = 'lab-manager';
export const shellOrigin = `${shellScheme}://shell`;
export const shellUrl = `${shellOrigin}/index.html`;

/** Returns whether `url` is one of the shell's pages. */
export function isShellUrl(url: string): boolean {
  const parsed = tryParseUrl(url);
  return parsed?.protocol === `${shellScheme}:` && parsed.host === 'shell';
}

/** The dashboard that a web contents may show besides the shell's pages. */
interface DashboardClaim {
  /** Returns the current address of its dashboard, such as `http://127.0.0.1:8000/`; `null` while there is none. */
  readonly url: () => string | null;
  /** Returns the key that gives it the role administrator there; `null` if it has none. */
  readonly appKey: () => string | null;
}

/** The dashboards by web contents ID. Every policy reads them at each decision, because their addresses change. */
const claims = new Map<number, DashboardClaim>();

export function claimDashboard(contents: WebContents, claim: DashboardClaim): void {
  const { id } = contents;
  claims.set(id, claim);
  contents.once('destroyed', () => claims.delete(id));
}

/** Returns the dashboard's address for the contents with this ID, `null` if there is none. */
export function dashboardUrlFor(contentsId: number | undefined): string | null {
  return contentsId === undefined ? null : (claims.get(contentsId)?.url() ?? null);
}

/** Returns the key that the contents with this ID send to their dashboard, `null` if there is none. */
export function appKeyFor(contentsId: number | undefined): string | null {
  return contentsId === undefined ? null : (claims.get(contentsId)?.appKey() ?? null);
}

/** Returns the origin that the contents with this ID may show besides the shell's pages, `null` if there is none. */
export function dashboardOriginFor(contentsId: number | undefined): string | null {
  const url = dashboardUrlFor(contentsId);
  return url === null ? null : new URL(url).origin;
}
