/** IP addresses and networks in the notation of the settings: `10.0.0.7`, `10.0.0.0/8`, `2001:db8::/32`. */
import { BlockList, isIP } from 'node:net';
import { plainAddress } from './peer.ts';

interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  /** Length of the prefix in bits. */
  readonly prefix: number;
}

/** Parses a network; `null` if it is invalid. A single address is a network of one. */
export function parseNetwork(text: string): Network | null {
  const [, host = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(host);
  // A zone (fe80::1%eth0) is the name of an interface of this machine, not part of an address.
  if (version === 0 || host.includes('%')) return null;
  const addressBits = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? addressBits : Number(bits);
  return prefix > addressBits ? null : { address: host, family: version === 4 ? 'ipv4' : 'ipv6', prefix };
}

/** An address without prefix or zone, as given; `null` for any other text, and for the addresses that mean "any". */
export function parseAddress(text: string): string | null {
  const network = text.includes('/') ? null : parseNetwork(text);
  return network === null || isInNetworks(network.address, unspecified) ? null : network.address;
}

const unspecified = ['0.0.0.0', '::'];

const lists = new WeakMap<readonly string[], BlockList>();

/** Whether an address is in one of `networks`; the list is compiled once, so pass the settings' own array. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return false;
  const plain = plainAddress(address);
  const version = isIP(plain);
  if (version === 0) return false;
  let list = lists.get(networks);
  if (!list) lists.set(networks, (list = compile(networks)));
  return list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

function compile(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network) list.addSubnet(network.address, network.prefix, network.family);
  }
  return list;
}
