/** The network interfaces of this machine. */
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

/** Returns the addresses of all interfaces, loopback included, as the system has them now. */
export function interfaceAddresses(): NetworkInterfaceInfo[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
}
