/** Which pages are the app's: its own, and the dashboard that a web contents may show. */
import type { WebContents } from 'electron';

/** The shell's own pages have a scheme of their own, no `file:`. */
export const shellScheme = 'lab-manager';
export const shellOrigin = `${shellScheme}://shell`;
export const shellUrl = `${shellOrigin}/index.html`;

/** Whether `url` is one of the shell's own pages. */
export function isShellUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === `${shellScheme}:` && new URL(url).host === 'shell';
}

/** Read by every policy at each decision. */
const claims = new Map<number, () => string | null>();

/** @param url the address of its dashboard now, as `http://127.0.0.1:8000/`; `null` while there is none */
export function claimDashboard(contents: WebContents, url: () => string | null): void {
  const { id } = contents;
  claims.set(id, url);
  contents.once('destroyed', () => claims.delete(id));
}

/** The address of the dashboard of the contents with this ID, `null` for none. */
export function dashboardUrlOf(contentsId: number | undefined): string | null {
  return contentsId === undefined ? null : (claims.get(contentsId)?.() ?? null);
}

/** The origin that the contents with this ID may show besides the shell's pages, `null` for none. */
export function dashboardOriginOf(contentsId: number | undefined): string | null {
  const url = dashboardUrlOf(contentsId);
  return url === null ? null : new URL(url).origin;
}
