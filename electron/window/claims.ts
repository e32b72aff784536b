/** Which dashboard a web contents may show: asked by every policy at each decision. Nobody's claim is none. */
import type { WebContents } from 'electron';

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
