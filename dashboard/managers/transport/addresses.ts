/** Addresses as other machines use them (a loopback address works only on its own machine). Pure. */
import { isLoopbackHost } from '../../../api/hosts.ts';
import type { LabContext } from '../../../api/lab/lab.ts';
import { contextKey, serviceKeys, type ServiceKey } from '../../../api/managers.ts';

function parse(address: string | null): URL | null {
  return address !== null && URL.canParse(address) ? new URL(address) : null;
}

/** Returns the host of `address`; `null` if it isn't an address. */
export function hostOf(address: string): string | null {
  return parse(address)?.hostname ?? null;
}

/**
 * Returns the services that a page loaded by https can't reach because they are at http: browsers block that ("mixed
 * content"), except for their own machine.
 */
export function mixedContent(context: LabContext, pageProtocol: string): readonly ServiceKey[] {
  if (pageProtocol !== 'https:') return [];
  return serviceKeys.filter((service) => {
    const url = parse(context[contextKey(service)]);
    // Requests to the page's own service always use the page's address.
    return service !== 'lab' && url?.protocol === 'http:' && !isLoopbackHost(url.hostname);
  });
}

/** Shortens `http://lab-pc:8001/` to `lab-pc:8001`; a path, https and unusual addresses are unchanged. */
export function shortAddress(address: string): string {
  return address
    .replace(/^http:\/\//, '')
    .replace(/^([^/?#]+)\/$/, '$1')
    .replace(/^(https:\/\/[^/?#]+)\/$/, '$1');
}
