/** Addresses: detection and replacement of loopback hosts, and base addresses. */
import type { LabContext } from './lab/lab.ts';
import { contextKey, serviceKeys, type ServiceKey } from './managers.ts';
import { tryParseUrl } from './url.ts';

/** Whether `host` (in the form of `URL.hostname`, IPv6 in brackets or not) can only mean the local machine. */
export function isLoopbackHost(host: string): boolean {
  const name = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (name === '::1' || name === '::' || name === '0.0.0.0') return true;
  return /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(name) || /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(name);
}

/**
 * A node's address as reachable from here; `null` if it is invalid. The workcell manager may report `localhost`, which
 * means its own machine and is replaced by that machine's host.
 * @param workcell address of the workcell manager
 */
export function resolveNodeAddress(url: string, workcell: string): string | null {
  const address = tryParseUrl(url);
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:') return null;
  const host = isLoopbackHost(address.hostname) ? tryParseUrl(workcell)?.hostname : undefined;
  if (host !== undefined) address.hostname = host;
  return address.href;
}

/** Returns whether the address is that of a SiLA 2 server: only the workcell manager can reach it, never a browser. */
export function isSilaAddress(url: string): boolean {
  return tryParseUrl(url)?.protocol === 'sila:';
}

interface ResolvedContext {
  readonly context: LabContext;
  /** Services whose host was replaced. */
  readonly replacedServices: readonly ServiceKey[];
}

/**
 * Replaces loopback hosts in a `/context` by `host`: the machine that sent the context, or the one that its clients will
 * reach. Ports and paths stay; nothing changes if `host` is loopback itself.
 */
export function resolveContext(context: LabContext, host: string): ResolvedContext {
  if (isLoopbackHost(host)) return { context, replacedServices: [] };
  const resolved = { ...context };
  const replacedServices = serviceKeys.filter((service) => {
    const address = context[contextKey(service)];
    const url = tryParseUrl(address);
    if (url === null || !isLoopbackHost(url.hostname)) return false;
    url.hostname = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
    resolved[contextKey(service)] = url.href;
    return true;
  });
  return { context: resolved, replacedServices };
}

/** The address or path with exactly one slash at its end, so that relative paths resolve below it. */
export function ensureTrailingSlash(address: string): string {
  return address.replace(/\/*$/, '/');
}

/**
 * Whether an attacker on the network can replace the content of an update feed: it uses plain http, and its list is not
 * signed.
 */
export function isUnprotected(feed: string, isSigned: boolean): boolean {
  const { protocol, hostname } = new URL(feed);
  return protocol === 'http:' && !isSigned && !isLoopbackHost(hostname);
}
