/** The addresses at which other machines reach this lab manager. */
import { hostname as machineHostname } from 'node:os';
import { isLoopbackHost } from '../../api/hosts.ts';
import { interfaceAddresses } from '../../server/net/interfaces.ts';
import type { ServiceStatus } from '../../server/status.ts';

interface AddressInput {
  /** `LAB_SERVER_URL`. */
  readonly serverUrl: string;
  readonly port: number;
  /** Sockets in the form `[::]:8000`. */
  readonly listening: readonly string[];
  /** This machine's host name. */
  readonly hostname: string;
  /** IPv4 addresses of this machine's interfaces, without loopback. */
  readonly addresses: readonly string[];
}

/** Returns the addresses, the best first; empty if the service listens on loopback only. */
export function publicAddresses({ serverUrl, port, listening, hostname, addresses }: AddressInput): readonly string[] {
  const hosts = listening.map((socket) => socket.slice(0, socket.lastIndexOf(':')).replace(/^\[|\]$/g, ''));
  const reachableHosts = hosts.filter((host) => !isLoopbackHost(host) || host === '::' || host === '0.0.0.0');
  if (reachableHosts.length === 0) return [];
  const url = new URL(serverUrl);
  // A configured host name, such as that of a proxy, is the only address for other machines.
  if (!isLoopbackHost(url.hostname)) return [url.href];
  const listensOnAll = reachableHosts.some((host) => host === '::' || host === '0.0.0.0');
  const candidates = listensOnAll ? [hostname, ...addresses] : reachableHosts;
  const usable = candidates.filter((host) => host !== '' && !isLoopbackHost(host));
  return [...new Set(usable)].map((host) => `http://${host.includes(':') ? `[${host}]` : host}:${port}/`);
}

/**
 * Returns the addresses of this machine's lab manager from the current network interfaces, the best first; empty while
 * another process runs the service, or it listens on loopback only.
 */
export function serviceAddresses(status: ServiceStatus): readonly string[] {
  if (status.phase !== 'running') return [];
  const { serverUrl, port, listening } = status;
  const addresses = interfaceAddresses().flatMap(({ family, internal, address }) =>
    family === 'IPv4' && !internal ? [address] : [],
  );
  return publicAddresses({ serverUrl, port, listening, hostname: machineHostname(), addresses });
}
