/** Checks from this browser whether each address responds, by requesting its health. */
import { currentTime } from '../../base/clock.ts';
import { onScopeDispose, ref, shallowRef, watch } from 'vue';
import { createClient } from '#api/client/client.ts';
import { ManagerError } from '#api/client/managerError.ts';
import { healthEndpoint, serviceHealth } from '#api/lab/service.ts';
import { isLoopbackHost } from '#api/hosts.ts';
import { type ServiceKey, contextKey, managerTitle, serviceKeys } from '#api/managers.ts';
import { parseHost } from '../../managers/transport/addresses.ts';
import type { LabContext } from '#api/lab/lab.ts';
import type { SettingsResponse } from '#api/lab/settings.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

interface AddressCheck {
  readonly address: string;
  /** Response time in ms; `null` without a response. */
  readonly latencyMs: number | null;
  /** Reason of a missing response; empty with a response. */
  readonly reason: string;
}

/** The API of any service of the lab: all have the same health endpoint. */
const healthApi = (server: ServiceKey) => ({ server, endpoints: { health: healthEndpoint(serviceHealth) } }) as const;

/** Returns the address for other machines instead of localhost: `http://localhost:8001/` → `http://bench-1:8001/`. */
export function addressForOthers(address: string, advertised: string | null): string {
  if (advertised === null || advertised === 'auto' || !isLoopbackHost(parseHost(address) ?? '')) return address;
  const url = new URL(address);
  url.hostname = advertised;
  return url.href;
}

async function checkAddress(server: ServiceKey, address: string, signal: AbortSignal): Promise<AddressCheck> {
  const startedAt = performance.now();
  try {
    const client = createClient(healthApi(server), { baseUrl: address, maxRetryMs: 0, sendsCookies: true });
    await client.health({}, { signal });
    return { address, latencyMs: performance.now() - startedAt, reason: '' };
  } catch (error) {
    // An unhealthy status or an unexpected body is a response, too.
    if (error instanceof ManagerError && ['http', 'not-understood'].includes(error.kind))
      return { address, latencyMs: performance.now() - startedAt, reason: '' };
    const reason = error instanceof ManagerError ? error.reason : String(error);
    return { address, latencyMs: null, reason };
  }
}

/** Checks the addresses immediately, when they change, and on `checkAgain`. */
export function useAddressChecks(addresses: () => readonly (readonly [server: ServiceKey, address: string])[]) {
  const results = shallowRef<ReadonlyMap<ServiceKey, AddressCheck>>(new Map());
  /** When the last check ended, ms since the epoch; `null` before. */
  const at = ref<number | null>(null);
  const isChecking = ref(false);
  let controller = new AbortController();

  async function checkAgain(): Promise<void> {
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    isChecking.value = true;
    results.value = new Map();
    await Promise.all(
      addresses().map(async ([server, address]) => {
        const result = await checkAddress(server, address, signal);
        if (!signal.aborted) results.value = new Map([...results.value, [server, result]]);
      }),
    );
    if (signal.aborted) return;
    isChecking.value = false;
    at.value = currentTime();
  }
  watch(() => stringifyExactJson(addresses()), checkAgain, { immediate: true });
  onScopeDispose(() => controller.abort());
  return { results, isChecking, at, checkAgain };
}

export interface AddressRow {
  readonly service: ServiceKey;
  readonly title: string;
  /** The address that this page uses; `null` if the service is switched off. */
  readonly address: string | null;
  readonly reach: 'off' | 'usable' | 'advertised' | 'ownOnly' | 'invalid';
  /** The variable to set, or the host that other machines use instead. */
  readonly hint: string;
}

/** Returns `LAB_ADVERTISED_HOST` of the settings; `null` if unset. */
export function advertisedHost(settings: SettingsResponse | undefined): string | null {
  const value = settings?.settings['advertised_host'];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns the environment variable of a service's address. */
function addressVariable(service: ServiceKey): string {
  return contextKey(service).toUpperCase();
}

type Reachability = Pick<AddressRow, 'reach' | 'hint'>;

/** Returns whether other machines can use `address`. */
function determineReachability(service: ServiceKey, address: string | null, advertised: string | null): Reachability {
  if (address === null) return { reach: 'off', hint: '' };
  const host = parseHost(address);
  if (host === null) return { reach: 'invalid', hint: '' };
  if (!isLoopbackHost(host)) return { reach: 'usable', hint: '' };
  if (advertised !== null) {
    const hint =
      advertised === 'auto'
        ? 'others get the address they reached the lab manager on (LAB_ADVERTISED_HOST=auto)'
        : `others get ${advertised} (LAB_ADVERTISED_HOST)`;
    return { reach: 'advertised', hint };
  }
  return { reach: 'ownOnly', hint: `set ${addressVariable(service)}` };
}

/** Returns one row per service: `served` is the content of `/context`, `used` the addresses that this page uses. */
export function createAddressRows(served: LabContext, used: LabContext, advertised: string | null): AddressRow[] {
  return serviceKeys.map((service) => {
    const { reach, hint } = determineReachability(service, served[contextKey(service)], advertised);
    return { service, title: managerTitle(service), address: used[contextKey(service)], reach, hint };
  });
}
