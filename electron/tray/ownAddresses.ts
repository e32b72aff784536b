/** The addresses of this machine's own lab manager for other machines, as the system tells them now. */
import { hostname, networkInterfaces } from 'node:os';
import type { ServiceStatus } from '../../server/status.ts';
import { publicAddresses } from './publicAddresses.ts';

/** The best first; none while the service isn't ours, or is listened on by this machine alone. */
export function ownAddresses(status: ServiceStatus): readonly string[] {
  if (status.phase !== 'running') return [];
  const { serverUrl, port, listening } = status;
  const found = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const addresses = found.flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? [address] : []));
  return publicAddresses({ serverUrl, port, listening, hostname: hostname(), addresses });
}
