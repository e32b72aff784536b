/**
 * How this page reaches each manager: directly, or through the relay of the lab manager. Measured by a request from this
 * browser, because only that shows whether a firewall, a loopback address, https or missing CORS headers are in the way.
 */
import { useQueryClient } from '@tanstack/vue-query';
import { createSharedComposable, useLocalStorage } from '@vueuse/core';
import { computed, onScopeDispose, shallowReactive, watch } from 'vue';
import { createClient } from '../../../../api/client/client.ts';
import { ManagerError } from '../../../../api/client/managerError.ts';
import { resolveContext } from '../../../../api/hosts.ts';
import { healthEndpoint, serviceHealth } from '../../../../api/lab/service.ts';
import { relayName, type RelayResponse } from '../../../../api/lab/relay.ts';
import { contextKey, managerKeys, type ManagerKey } from '../../../../api/managers.ts';
import { base } from '../../../base/serviceAddress.ts';
import { useContext, useLabHistory, useRelayOffer } from '../../lab/labQueries.ts';
import { isMixedContent } from '../addresses.ts';
import { retryFailing } from '../poll/pollState.ts';

/**
 * `measuring`: nothing is read until it is known which way is open. `blocked`: the browser blocks the direct way, and the
 * relay needs a signed-in user.
 */
export type ManagerRoute = 'direct' | 'relay' | 'measuring' | 'blocked';

/** The person's choice: measured, or always through the lab manager. */
export const routeChoices = ['auto', 'relay'] as const;
export type RouteChoice = (typeof routeChoices)[number];

/** A manager on the same network responds within milliseconds, and a firewall that drops packets never. */
const measureMs = 3000;
/** The shortest time between two measurements of an address, in ms. */
const againMs = 30_000;
/** The same after neither way responded, in ms: the browser may just have changed its network. */
const againAfterFailureMs = 5000;

/** The address of a manager in the relay. */
export function relayAddress(manager: ManagerKey): string {
  return new URL(`${relayName}/${manager}/`, base).href;
}

/** Whether the caller may use the relay. */
export function isOffered(offer: RelayResponse | null): offer is RelayResponse {
  return offer !== null && offer.remote_access !== 'off' && offer.role !== null;
}

/** Whether the manager responds at `address`, so that this page can read what it responds. */
async function responds(manager: ManagerKey, address: string, signal: AbortSignal): Promise<boolean> {
  const api = { server: manager, endpoints: { health: healthEndpoint(serviceHealth) } } as const;
  try {
    // To the relay it is sent as its reads: a proxy that signs users in redirects requests without its cookie.
    const client = createClient(api, { baseUrl: address, maxRetryMs: 0, sendsCookies: true });
    await client.health({}, { signal, timeoutMs: measureMs });
    return true;
  } catch (error) {
    // An unhealthy manager is read like any other.
    return error instanceof ManagerError && (error.kind === 'http' || error.kind === 'not-understood');
  }
}

/** Direct if possible, through the relay if only that responds; `null` if neither does. */
async function measureRoute(
  manager: ManagerKey,
  address: string,
  mayRelay: boolean,
  signal: AbortSignal,
): Promise<'direct' | 'relay' | null> {
  if (await responds(manager, address, signal)) return 'direct';
  return mayRelay && (await responds(manager, relayAddress(manager), signal)) ? 'relay' : null;
}

interface Measured {
  readonly address: string;
  readonly route: ManagerRoute;
  readonly at: number;
}

/** Measures routes. @param mayRelay whether this page may use the relay */
function useMeasurements(mayRelay: () => boolean) {
  const measured = shallowReactive(new Map<ManagerKey, Measured>());
  const left = new AbortController();
  onScopeDispose(() => left.abort());

  async function measure(manager: ManagerKey, address: string): Promise<void> {
    const before = measured.get(manager);
    const known = before?.address === address ? before.route : 'measuring';
    measured.set(manager, { address, route: known, at: performance.now() });
    const isRelayed = mayRelay();
    const route = await measureRoute(manager, address, isRelayed, left.signal);
    if (left.signal.aborted || measured.get(manager)?.address !== address) return;
    // Where neither responds, the page shows the failure of the direct request, as without a relay.
    const fallback = known === 'measuring' ? 'direct' : known;
    const at = performance.now() - (route === null && isRelayed ? againMs - againAfterFailureMs : 0);
    measured.set(manager, { address, route: route ?? (isRelayed ? fallback : 'relay'), at });
  }

  /** Measures an address that was not measured yet, or not lately. */
  function measureIfDue(manager: ManagerKey, address: string): void {
    const before = measured.get(manager);
    if (before?.address !== address || performance.now() - before.at >= againMs) void measure(manager, address);
  }

  return { measuredRoute: (manager: ManagerKey) => measured.get(manager)?.route ?? 'measuring', measureIfDue };
}

/** The routes of all managers. */
export const useRoutes = createSharedComposable(() => {
  const context = useContext();
  const history = useLabHistory();
  const offer = useRelayOffer();
  const queries = useQueryClient();
  const choice = useLocalStorage<RouteChoice>('lab-manager.route', 'auto');
  const { measuredRoute, measureIfDue } = useMeasurements(() => isOffered(offer.value));

  const addresses = computed(() => {
    const body = context.data.value;
    return body === undefined ? null : resolveContext(body, location.hostname).context;
  });
  const addressOf = (manager: ManagerKey): string | null => addresses.value?.[contextKey(manager)] ?? null;
  const isBlocked = (manager: ManagerKey): boolean => isMixedContent(addressOf(manager), location.protocol);

  /** Whether there is a relay, also one that this page may not use. */
  const isOn = computed(() => (offer.value?.remote_access ?? 'off') !== 'off');
  /** Whether there may be a relay that this page does not know yet. */
  const isPending = computed(() => {
    const { value } = history.data;
    return value === undefined || ((value.remote_access ?? 'off') !== 'off' && offer.value === null);
  });

  /** Measures the route, if it can differ: not where the browser blocks the address. Also called after a failed read. */
  function measureAgain(manager: ManagerKey): void {
    const address = addressOf(manager);
    if (address === null || !isOn.value || isBlocked(manager)) return;
    if (!isOffered(offer.value) || choice.value === 'auto') measureIfDue(manager, address);
  }
  watch([addresses, isOn, choice], () => managerKeys.forEach(measureAgain), { immediate: true, flush: 'sync' });

  function routeOf(manager: ManagerKey): ManagerRoute {
    if (!isOffered(offer.value)) {
      if (isOn.value) return isBlocked(manager) ? 'blocked' : 'direct';
      return isPending.value && (isBlocked(manager) || choice.value === 'relay') ? 'measuring' : 'direct';
    }
    return choice.value === 'relay' || isBlocked(manager) ? 'relay' : measuredRoute(manager);
  }

  // After a sign-in, what failed directly does not wait for its next retry.
  watch(
    () => managerKeys.map(routeOf),
    (routes, before) => {
      for (const [index, manager] of managerKeys.entries())
        if (routes[index] === 'relay' && before[index] !== 'relay') retryFailing(queries, ['manager', manager]);
    },
  );

  /** The managers that this page could reach only through the relay, which needs a signed-in user. */
  const needSignIn = computed(() => {
    if (!isOn.value || isOffered(offer.value)) return [];
    return managerKeys.filter((manager) => isBlocked(manager) || measuredRoute(manager) === 'relay');
  });

  return { routeOf, measureAgain, choice, offer, needSignIn };
});
