/** The network interfaces of this machine. */
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import { isLoopbackAddress, plainAddress } from './peer.ts';

/** Returns the current addresses of all interfaces, loopback included. */
export function interfaceAddresses(): NetworkInterfaceInfo[] {
  return Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
}

/** The plain addresses of all interfaces. A browser on this machine uses one of them if it opens a host name. */
export function machineAddresses(): ReadonlySet<string> {
  return new Set(interfaceAddresses().map(({ address }) => plainAddress(address)));
}

/** Returns whether a client's address is this machine's: loopback or that of an interface. */
export function isThisMachine(address: string): boolean {
  return isLoopbackAddress(address) || machineAddresses().has(plainAddress(address));
}
