/** Which dashboard a web contents may show: asked by every policy at each decision. Nobody's claim is none. */
import type { WebContents } from 'electron';

const claims = new Map<number, () => string | null>();

/** @param origin the origin of its dashboard now, as `http://127.0.0.1:8000`; `null` while there is none */
export function claimDashboard(contents: WebContents, origin: () => string | null): void {
  const { id } = contents;
  claims.set(id, origin);
  contents.once('destroyed', () => claims.delete(id));
}

/** The origin that the contents with this ID may show besides the shell's pages, `null` for none. */
export function dashboardOriginOf(contentsId: number | undefined): string | null {
  return contentsId === undefined ? null : (claims.get(contentsId)?.() ?? null);
}
