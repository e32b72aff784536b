/** Detects requests that a page of another origin sends: they carry the rights of the person who opened that page. */
import type { IncomingHttpHeaders } from 'node:http';
import { tryParseUrl } from '#api/url.ts';

/**
 * Whether a browser sent the request for a page of another origin. Programs send neither header. `Sec-Fetch-Site` is
 * absent on plain http, where `Origin` decides; a scheme that ended at a proxy does not count, so only hosts are compared.
 */
export function isCrossOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined) return false;
  const originUrl = tryParseUrl(origin);
  return originUrl === null || host === undefined || originUrl.host !== hostWithoutDefaultPort(host, originUrl);
}

/** The URL parser drops the default port of the scheme, and browsers do in both headers; a proxy may write it. */
function hostWithoutDefaultPort(host: string, origin: URL): string {
  return tryParseUrl(`${origin.protocol}//${host}`)?.host ?? '';
}
