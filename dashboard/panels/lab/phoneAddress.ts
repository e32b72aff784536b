/** The address at which a phone opens the dashboard: never a loopback address. */
import { isLoopbackHost } from '#api/hosts.ts';
import type { LabContext } from '#api/lab/lab.ts';
import type { SettingsResponse } from '#api/lab/settings.ts';
import { parseHost } from '../../managers/transport/addresses.ts';
import { addressForOthers, advertisedHost } from './addressChecks.ts';

/**
 * The reason why there is no address: the demo lab serves its own machine only; the lab manager listens on loopback only
 * (`LAB_LISTEN_HOST`); its address depends on the request (`LAB_ADVERTISED_HOST=auto`); no setting names this machine.
 */
type MissingAddress = 'demo' | 'listensLocally' | 'automatic' | 'unnamed';

export type PhoneAddress =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'missing'; readonly reason: MissingAddress };

interface AddressSources {
  /** The base address of this page. */
  readonly page: string;
  readonly isDemo: boolean;
  readonly context: LabContext;
  readonly settings: SettingsResponse | undefined;
}

/**
 * Returns the address of this page if it isn't localhost, because that address is proven to work, even behind a proxy.
 * Otherwise the address comes from the settings.
 */
export function findPhoneAddress({ page, isDemo, context, settings }: AddressSources): PhoneAddress {
  if (isReachable(page)) return { kind: 'address', address: page };
  if (isDemo) return { kind: 'missing', reason: 'demo' };
  // An address of a proxy is reachable, wherever the lab manager listens.
  const configuredAddress = context.lab_server_url;
  if (configuredAddress !== null && isReachable(configuredAddress))
    return { kind: 'address', address: configuredAddress };
  const listenHost = settings?.settings['listen_host'];
  if (typeof listenHost === 'string' && isLoopbackOnly(listenHost))
    return { kind: 'missing', reason: 'listensLocally' };
  const advertised = advertisedHost(settings);
  if (advertised === 'auto') return { kind: 'missing', reason: 'automatic' };
  const address = addressForOthers(configuredAddress ?? page, advertised);
  return isReachable(address) ? { kind: 'address', address } : { kind: 'missing', reason: 'unnamed' };
}

function isReachable(address: string): boolean {
  const host = parseHost(address);
  return host !== null && !isLoopbackHost(host);
}

/** As listen hosts, `0.0.0.0` and `::` mean all networks. */
function isLoopbackOnly(listenHost: string): boolean {
  return isLoopbackHost(listenHost) && listenHost !== '0.0.0.0' && listenHost !== '::';
}
