/** Parses addresses of peers and hosts in Node's notation. */
import { isIP } from 'node:net';

/** `::ffff:10.0.0.7` → `10.0.0.7`, `fe80::1%eth0` → `fe80::1`; anything else unchanged. */
export function plainAddress(address: string): string {
  const withoutZone = address.replace(/%.*$/, '');
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(withoutZone) ? withoutZone.slice(7) : withoutZone;
}

/** Whether an IP address is this machine's loopback: 127.0.0.0/8, ::1. */
export function isLoopbackAddress(address: string): boolean {
  const plain = plainAddress(address);
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

/** The host of a `Host` header without its port, lower case, brackets removed; `null` if it is invalid. */
export function parseHostHeader(header: string | undefined): string | null {
  if (header === undefined) return null;
  const match = /^(\[[0-9a-f:.]+\]|[^:/?#@[\]\s]+)(?::\d{0,5})?$/i.exec(header.trim());
  const host = match?.[1];
  return host === undefined ? null : host.replace(/^\[|\]$/g, '').toLowerCase();
}

/**
 * The group in which an address is counted: an IPv4 address itself, or the /64 of an IPv6 address, because one host may
 * use a whole /64.
 */
export function addressGroup(rawAddress: string): string {
  const address = plainAddress(rawAddress);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  if (tail !== undefined) {
    const rest = tail.split(':').filter((group) => group !== '');
    while (groups.length + rest.length < 8) groups.push('0');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
}
