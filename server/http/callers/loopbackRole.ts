/** The role of a caller without credentials: only a person at this machine has one, whether the lab manager has users or not. */
import type { Request } from 'express';
import type { Role } from '#api/lab/access.ts';
import { isLoopbackHost } from '#api/hosts.ts';
import { parseHostHeader, isLoopbackAddress } from '../../net/peer.ts';

/** Headers that a proxy adds: its clients are on other machines, even if the proxy is on this one. */
const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * `administrator` for a caller on loopback that no proxy forwards and that uses a loopback name: a page whose name was
 * rebound to 127.0.0.1 has another Host. A forwarder that adds no header and sends a loopback name can't be recognised;
 * `LAB_TRUSTED_PROXY` must name it.
 */
export function loopbackRole({
  socket,
  headers,
  httpVersion,
}: Pick<Request, 'socket' | 'headers' | 'httpVersion'>): Role | null {
  // nginx forwards over HTTP/1.0 without these headers if nothing but proxy_pass is configured; browsers never use it.
  if (httpVersion === '1.0') return null;
  const host = parseHostHeader(headers.host);
  if (!isLoopbackAddress(socket.remoteAddress ?? '') || host === null || !isLoopbackHost(host)) return null;
  return forwardingHeaders.some((name) => headers[name] !== undefined) ? null : 'administrator';
}
