/** The addresses at which other machines find this lab manager. Pure. */
import { isLoopbackHost } from '../../api/hosts.ts';

export interface AddressFacts {
  /** `LAB_SERVER_URL`. */
  readonly serverUrl: string;
  readonly port: number;
  /** Sockets, as `[::]:8000`. */
  readonly listening: readonly string[];
  /** This machine's name, as the system has it. */
  readonly hostname: string;
  /** IPv4 addresses of this machine's interfaces, loopback left out. */
  readonly addresses: readonly string[];
}

/** The best first; none where it is listened on loopback alone. */
export function publicAddresses({ serverUrl, port, listening, hostname, addresses }: AddressFacts): readonly string[] {
  const hosts = listening.map((socket) => socket.slice(0, socket.lastIndexOf(':')).replace(/^\[|\]$/g, ''));
  const open = hosts.filter((host) => !isLoopbackHost(host) || host === '::' || host === '0.0.0.0');
  if (open.length === 0) return [];
  const url = new URL(serverUrl);
  // A name that was set on purpose, perhaps of a proxy, is what other machines are to use.
  if (!isLoopbackHost(url.hostname)) return [url.href];
  const everywhere = open.some((host) => host === '::' || host === '0.0.0.0');
  const own = everywhere ? [hostname, ...addresses] : open;
  const usable = own.filter((host) => host !== '' && !isLoopbackHost(host));
  return [...new Set(usable)].map((host) => `http://${host.includes(':') ? `[${host}]` : host}:${port}/`);
}
