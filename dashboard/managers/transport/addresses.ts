/** Addresses of services: their host, their short form, and whether the browser blocks them as mixed content. */
import { isLoopbackHost } from '#api/hosts.ts';
import type { LabContext } from '#api/lab/lab.ts';
import { contextKey, serviceKeys, type ServiceKey } from '#api/managers.ts';
import { tryParseUrl } from '#api/url.ts';

/** Returns the host of `address`; `null` if it isn't an address. */
export function parseHost(address: string): string | null {
  return tryParseUrl(address)?.hostname ?? null;
}

/**
 * Returns whether the browser blocks requests of a page loaded by https to `address`, because it is at http ("mixed
 * content"). Those to the browser's own machine are not blocked.
 */
export function isMixedContent(address: string | null, pageProtocol: string): boolean {
  const url = tryParseUrl(address);
  return pageProtocol === 'https:' && url?.protocol === 'http:' && !isLoopbackHost(url.hostname);
}

/** Returns the services that the page can't reach because of mixed content. */
export function listMixedContentServices(context: LabContext, pageProtocol: string): readonly ServiceKey[] {
  // Requests to the page's own service always use the page's address.
  return serviceKeys.filter(
    (service) => service !== 'lab' && isMixedContent(context[contextKey(service)], pageProtocol),
  );
}

/** Shortens `http://lab-pc:8001/` to `lab-pc:8001`; a path, https and unusual addresses are unchanged. */
export function shortAddress(address: string): string {
  return address
    .replace(/^http:\/\//, '')
    .replace(/^([^/?#]+)\/$/, '$1')
    .replace(/^(https:\/\/[^/?#]+)\/$/, '$1');
}
