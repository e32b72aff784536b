/** The address at which a phone opens the dashboard: never a loopback address. Pure. */
import { isLoopbackHost } from '../../../api/hosts.ts';
import type { LabContext } from '../../../api/lab/lab.ts';
import type { SettingsResponse } from '../../../api/lab/settings.ts';
import { hostOf } from '../../managers/transport/addresses.ts';
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
 * A page opened under another name than localhost is the best proof of an address, also behind a proxy. Otherwise the
 * settings name this machine.
 */
export function phoneAddress({ page, isDemo, context, settings }: AddressSources): PhoneAddress {
  if (isReachable(page)) return { kind: 'address', address: page };
  if (isDemo) return { kind: 'missing', reason: 'demo' };
  // An address of a proxy is reachable, wherever the lab manager listens.
  const served = context.lab_server_url;
  if (served !== null && isReachable(served)) return { kind: 'address', address: served };
  const listenHost = settings?.settings['listen_host'];
  if (typeof listenHost === 'string' && isOwnMachine(listenHost)) return { kind: 'missing', reason: 'listensLocally' };
  const advertised = advertisedHost(settings);
  if (advertised === 'auto') return { kind: 'missing', reason: 'automatic' };
  const address = addressForOthers(served ?? page, advertised);
  return isReachable(address) ? { kind: 'address', address } : { kind: 'missing', reason: 'unnamed' };
}

function isReachable(address: string): boolean {
  const host = hostOf(address);
  return host !== null && !isLoopbackHost(host);
}

/** `0.0.0.0` and `::` as hosts to listen on are all networks. */
function isOwnMachine(listenHost: string): boolean {
  return isLoopbackHost(listenHost) && listenHost !== '0.0.0.0' && listenHost !== '::';
}
