/** The network interfaces of this machine. */
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

/** Returns the current addresses of all interfaces, loopback included. */
export function interfaceAddresses(): NetworkInterfaceInfo[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
}
