/**
 * Identifies the client of a request: the connection's peer or, if that is a proxy in `LAB_TRUSTED_PROXY`, the machine
 * that the proxy forwards for. All code that depends on the client uses this module.
 */
import type { Request, RequestHandler } from 'express';
import { isIP } from 'node:net';
import type { Log } from '../../logging/log.ts';
import { isInNetworks } from '../../net/networks.ts';
import { isLoopbackAddress, plainAddress } from '../../net/peer.ts';

/** Represents a client for which the proxy sends no valid address: it never counts as loopback. */
export const unknownClient = 'unknown';

export interface Client {
  /** IP address of the requesting machine, or `unknownClient`. */
  readonly address: string;
  /** Whether a trusted proxy forwards its requests. */
  readonly isProxied: boolean;
}

/**
 * For Express's "trust proxy": the peers whose `X-Forwarded-For` and `-Proto` count. Evaluated at each request, because
 * settings change.
 */
export function trustProxy(networks: () => readonly string[]): (address: string) => boolean {
  return (address) => isInNetworks(address, networks());
}

/** The client of a request of an app whose "trust proxy" is `trustProxy`. */
export function identifyClient(request: Pick<Request, 'headers' | 'ip' | 'socket'>): Client {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  if (request.headers['x-forwarded-for'] === undefined) return { address: peer, isProxied: false };
  // A proxy may add the port: 10.0.0.7:5678, [2001:db8::7]:5678.
  const withoutPort = (request.ip ?? '')
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1');
  const address = plainAddress(withoutPort);
  if (address === peer) return { address: peer, isProxied: false };
  return { address: isIP(address) === 0 ? unknownClient : address, isProxied: true };
}

/** Warns once about a proxy that is not configured: its clients appear as this machine and are not rate-limited. */
export function warnOfUnconfiguredProxy(networks: () => readonly string[], log: Log): RequestHandler {
  let hasWarned = false;
  return (request, _response, next) => {
    const peer = request.socket.remoteAddress ?? '';
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    if (!hasWarned && isForwarded && isLoopbackAddress(peer) && !isInNetworks(peer, networks())) {
      hasWarned = true;
      log.warn(
        'A proxy on this machine passes requests on (X-Forwarded-For), but LAB_TRUSTED_PROXY does not name it: ' +
          'all its clients count as this machine and are not rate-limited; set LAB_TRUSTED_PROXY=["127.0.0.1", "::1"]',
      );
    }
    next();
  };
}
