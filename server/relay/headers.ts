/**
 * The headers that the relay passes on. Pure: both directions use allowlists, so that cookies, credentials, hop-by-hop
 * headers and CORS headers never pass.
 */
import type { IncomingHttpHeaders } from 'node:http';

const requestHeaders = ['accept', 'content-type', 'content-encoding'] as const;

/** The headers for the manager. Bodies are sent with the length of the request, or chunked. */
export function headersForManager(headers: IncomingHttpHeaders, hasBody: boolean): Record<string, string> {
  const managerHeaders: Record<string, string> = { 'accept-encoding': 'identity' };
  for (const name of requestHeaders) {
    const value = headers[name];
    if (value !== undefined && (hasBody || name === 'accept')) managerHeaders[name] = value;
  }
  if (!hasBody) return managerHeaders;
  const length = headers['content-length'];
  // Node has checked that the body has exactly this length, and that no other framing contradicts it.
  if (length !== undefined && /^\d+$/.test(length)) managerHeaders['content-length'] = length;
  else managerHeaders['transfer-encoding'] = 'chunked';
  return managerHeaders;
}

/**
 * The headers for the client. Browsers attribute the manager's bytes to the origin of the lab manager, so they must not
 * execute them: scripts and frames are forbidden, and a file is a download without the manager's type and name.
 */
export function headersForClient(headers: IncomingHttpHeaders, isFile: boolean): Record<string, string> {
  const clientHeaders: Record<string, string> = {
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Content-Type': isFile ? 'application/octet-stream' : getFixedType(headers['content-type']),
  };
  const retryAfter = headers['retry-after'];
  if (retryAfter !== undefined) clientHeaders['Retry-After'] = retryAfter;
  if (!isFile) return clientHeaders;
  clientHeaders['Content-Disposition'] = 'attachment';
  for (const name of ['content-length', 'content-encoding'] as const) {
    const value = headers[name];
    if (value !== undefined) clientHeaders[name] = value;
  }
  return clientHeaders;
}

/** The manager's own text could name a second type: `application/json; a, text/html`. */
function getFixedType(contentType: string | undefined): string {
  return /^text\/plain/i.test(contentType ?? '') ? 'text/plain; charset=utf-8' : 'application/json';
}

/** Whether a body of this type may be the response of an endpoint that returns no file. */
export function isJsonOrText(contentType: string | undefined): boolean {
  return /^(?:application\/(?:[\w.-]+\+)?json|text\/plain)\s*(?:;|$)/i.test(contentType ?? '');
}
