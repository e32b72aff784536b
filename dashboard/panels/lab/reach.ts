/** Who can use an address: every machine, or only the lab manager's own. Pure. */
import { isLoopbackHost } from '../../../api/hosts.ts';
import type { LabContext } from '../../../api/lab/lab.ts';
import type { SettingsAnswer } from '../../../api/lab/settings.ts';
import { contextKey, managerTitle, serviceKeys, type ServiceKey } from '../../../api/managers.ts';
import { labTexts } from './texts.ts';
import { hostOf } from '../../managers/transport/addresses.ts';

export interface AddressRow {
  readonly service: ServiceKey;
  readonly title: string;
  /** As this page uses it; `null` = switched off. */
  readonly address: string | null;
  readonly reach: 'off' | 'usable' | 'advertised' | 'ownOnly' | 'invalid';
  /** What to set, or what others get instead. */
  readonly hint: string;
}

/** `LAB_ADVERTISED_HOST` as the settings tell it; `null` when it isn't set. */
export function advertisedHost(settings: SettingsAnswer | undefined): string | null {
  const value = settings?.settings['advertised_host'];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The environment variable that holds a service's address. */
function variableOf(service: ServiceKey): string {
  return contextKey(service).toUpperCase();
}

type Reachability = Pick<AddressRow, 'reach' | 'hint'>;

/** What other machines can do with `address`. */
function verdictOn(service: ServiceKey, address: string | null, advertised: string | null): Reachability {
  if (address === null) return { reach: 'off', hint: '' };
  const host = hostOf(address);
  if (host === null) return { reach: 'invalid', hint: '' };
  if (!isLoopbackHost(host)) return { reach: 'usable', hint: '' };
  if (advertised !== null) {
    const hint = advertised === 'auto' ? labTexts.advertisedAuto : labTexts.advertisedAs(advertised);
    return { reach: 'advertised', hint };
  }
  return { reach: 'ownOnly', hint: labTexts.setThis(variableOf(service)) };
}

/** A row for each service: `served` is what `/context` says, `seen` how this page uses it. */
export function addressRows(served: LabContext, seen: LabContext, advertised: string | null): AddressRow[] {
  return serviceKeys.map((service) => {
    const { reach, hint } = verdictOn(service, served[contextKey(service)], advertised);
    return { service, title: managerTitle(service), address: seen[contextKey(service)], reach, hint };
  });
}
