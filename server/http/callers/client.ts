/**
 * Who really asks: the peer of the connection, or, where that is a proxy which `LAB_TRUSTED_PROXY` names, the machine that
 * the proxy speaks for. Everything that depends on who asks goes through here.
 */
import type { Request, RequestHandler } from 'express';
import { isIP } from 'node:net';
import type { Log } from '../../logging/log.ts';
import { isInNetworks } from '../../net/networks.ts';
import { isLoopbackAddress, plainAddress } from '../../net/peer.ts';

/** Stands for a client whose proxy names it by something that is no address: it is nobody's, least of all loopback's. */
export const unknownClient = 'unknown';

export interface Client {
  /** IP address of the machine that asks, or `unknownClient`. */
  readonly address: string;
  /** A trusted proxy speaks for it. */
  readonly proxied: boolean;
}

/** For Express's "trust proxy": whose `X-Forwarded-For` and `-Proto` count. Asked at each request, as settings change. */
export function trustProxy(networks: () => readonly string[]): (address: string) => boolean {
  return (address) => isInNetworks(address, networks());
}

/** The client of a request of an app whose "trust proxy" is `trustProxy`. */
export function clientOf(request: Pick<Request, 'ip' | 'socket'>): Client {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  // A proxy may add the port: 10.0.0.7:5678, [2001:db8::7]:5678.
  const withoutPort = (request.ip ?? '')
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1');
  const address = plainAddress(withoutPort);
  if (address === peer) return { address: peer, proxied: false };
  return { address: isIP(address) === 0 ? unknownClient : address, proxied: true };
}

/** Says once that a proxy is there which nobody named: everybody behind it passes for this machine, and is not limited. */
export function unnamedProxyWarning(networks: () => readonly string[], log: Log): RequestHandler {
  let hasWarned = false;
  return (request, _response, next) => {
    const peer = request.socket.remoteAddress ?? '';
    const forwarded = request.headers['x-forwarded-for'] !== undefined;
    if (!hasWarned && forwarded && isLoopbackAddress(peer) && !isInNetworks(peer, networks())) {
      hasWarned = true;
      log.warn(
        'A proxy on this machine passes requests on (X-Forwarded-For), but LAB_TRUSTED_PROXY does not name it: ' +
          'everybody behind it counts as this machine and is not limited; set LAB_TRUSTED_PROXY=["127.0.0.1", "::1"]',
      );
    }
    next();
  };
}
