/** Addresses as other machines see them (a loopback address is of no use to another machine). Pure. */
import { isLoopbackHost } from '../../../api/hosts.ts';
import type { LabContext } from '../../../api/lab/lab.ts';
import { contextKey, serviceKeys, type ServiceKey } from '../../../api/managers.ts';

function parse(address: string | null): URL | null {
  return address !== null && URL.canParse(address) ? new URL(address) : null;
}

/** The host of `address`; `null` when it isn't an address. */
export function hostOf(address: string): string | null {
  return parse(address)?.hostname ?? null;
}

/**
 * Services that a page can't ask because it came by https and they are at http: browsers refuse that ("mixed content"),
 * except for their own machine.
 */
export function mixedContent(seen: LabContext, pageProtocol: string): readonly ServiceKey[] {
  if (pageProtocol !== 'https:') return [];
  return serviceKeys.filter((service) => {
    const url = parse(seen[contextKey(service)]);
    // The page's own service is asked at the page's address, whatever is said of it.
    return service !== 'lab' && url?.protocol === 'http:' && !isLoopbackHost(url.hostname);
  });
}

/** `http://lab-pc:8001/` → `lab-pc:8001`; a path, https and odd things are kept. */
export function shortAddress(address: string): string {
  return address
    .replace(/^http:\/\//, '')
    .replace(/^([^/?#]+)\/$/, '$1')
    .replace(/^(https:\/\/[^/?#]+)\/$/, '$1');
}
