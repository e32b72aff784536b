/** The role of a caller while the lab manager has no users: only a person at this machine has one. */
import type { Request } from 'express';
import type { Role } from '../../../api/lab/access.ts';
import { isLoopbackHost } from '../../../api/hosts.ts';
import { hostOfHeader, isLoopbackAddress } from '../../net/peer.ts';

/** Headers that a proxy adds: its clients are on other machines, even if the proxy is on this one. */
const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * `administrator` for a caller on loopback that no proxy forwards and that uses a loopback name: a page whose name was
 * rebound to 127.0.0.1 has another Host.
 */
export function loopbackRole({ socket, headers }: Pick<Request, 'socket' | 'headers'>): Role | null {
  const host = hostOfHeader(headers.host);
  if (!isLoopbackAddress(socket.remoteAddress ?? '') || host === null || !isLoopbackHost(host)) return null;
  return forwardingHeaders.some((name) => headers[name] !== undefined) ? null : 'administrator';
}
