/**
 * How this page reaches each manager: directly, or through the relay of the lab manager. Measured by a request from this
 * browser, because only that shows whether a firewall, a loopback address, https or missing CORS headers are in the way.
 */
import { useQueryClient } from '@tanstack/vue-query';
import { createSharedComposable, useLocalStorage } from '@vueuse/core';
import { computed, onScopeDispose, shallowReactive, watch } from 'vue';
import { createClient } from '#api/client/client.ts';
import { ManagerError } from '#api/client/managerError.ts';
import { resolveContext } from '#api/hosts.ts';
import { healthEndpoint, serviceHealth } from '#api/lab/service.ts';
import { relayName, type RelayResponse } from '#api/lab/relay.ts';
import { contextKey, managerKeys, type ManagerKey } from '#api/managers.ts';
import { base } from '#dashboard/base/serviceAddress.ts';
import { useContext, useLabHistory, useRelayAccess } from '../../lab/labQueries.ts';
import { isMixedContent } from '../addresses.ts';
import { retryFailing } from '../poll/pollState.ts';

/**
 * `measuring`: nothing is read until the open route is known. `blocked`: the browser blocks the direct route, and the
 * relay needs a signed-in user.
 */
export type ManagerRoute = 'direct' | 'relay' | 'measuring' | 'blocked';

/** The user's choice: measured, or always through the lab manager. */
export const routeChoices = ['auto', 'relay'] as const;
export type RouteChoice = (typeof routeChoices)[number];

/** A manager on the same network responds within milliseconds, and a firewall that drops packets never. */
const measureTimeoutMs = 3000;
/** The minimum interval between two measurements of an address, in ms. */
const remeasureIntervalMs = 30_000;
/** The same if neither route responded, in ms: the browser may just have changed its network. */
const remeasureAfterFailureMs = 5000;

/** The address of a manager in the relay. */
export function relayAddress(manager: ManagerKey): string {
  return new URL(`${relayName}/${manager}/`, base).href;
}

/** Returns whether the caller may use the relay. */
export function canUseRelay(access: RelayResponse | null): access is RelayResponse {
  return access !== null && access.remote_access !== 'off' && access.role !== null;
}

/** Returns whether the manager responds at `address` and this page can read the response. */
async function isResponding(manager: ManagerKey, address: string, signal: AbortSignal): Promise<boolean> {
  const api = { server: manager, endpoints: { health: healthEndpoint(serviceHealth) } } as const;
  try {
    // With cookies, like reads through the relay: a proxy that signs users in redirects requests without its cookie.
    const client = createClient(api, { baseUrl: address, maxRetryMs: 0, sendsCookies: true });
    await client.health({}, { signal, timeoutMs: measureTimeoutMs });
    return true;
  } catch (error) {
    // An unhealthy manager is read like any other.
    return error instanceof ManagerError && (error.kind === 'http' || error.kind === 'not-understood');
  }
}

/** Resolves with the direct route if possible, with the relay if only that responds; `null` if neither does. */
async function measureRoute(
  manager: ManagerKey,
  address: string,
  mayRelay: boolean,
  signal: AbortSignal,
): Promise<'direct' | 'relay' | null> {
  if (await isResponding(manager, address, signal)) return 'direct';
  return mayRelay && (await isResponding(manager, relayAddress(manager), signal)) ? 'relay' : null;
}

interface Measurement {
  readonly address: string;
  readonly route: ManagerRoute;
  readonly at: number;
}

/** Measures routes. @param mayRelay whether this page may use the relay */
function useMeasurements(mayRelay: () => boolean) {
  const measurements = shallowReactive(new Map<ManagerKey, Measurement>());
  const controller = new AbortController();
  onScopeDispose(() => controller.abort());

  async function measure(manager: ManagerKey, address: string): Promise<void> {
    const previous = measurements.get(manager);
    const previousRoute = previous?.address === address ? previous.route : 'measuring';
    measurements.set(manager, { address, route: previousRoute, at: performance.now() });
    const canRelay = mayRelay();
    const route = await measureRoute(manager, address, canRelay, controller.signal);
    if (controller.signal.aborted || measurements.get(manager)?.address !== address) return;
    // Where neither responds, the page shows the failure of the direct request, as without a relay. For a page that may
    // not use the relay, `relay` means that it would need it.
    const fallback = previousRoute === 'measuring' ? 'direct' : previousRoute;
    const at = performance.now() - (route === null && canRelay ? remeasureIntervalMs - remeasureAfterFailureMs : 0);
    measurements.set(manager, { address, route: route ?? (canRelay ? fallback : 'relay'), at });
  }

  /** Measures an address that was not measured recently. */
  function measureIfDue(manager: ManagerKey, address: string): void {
    const previous = measurements.get(manager);
    if (previous?.address !== address || performance.now() - previous.at >= remeasureIntervalMs)
      void measure(manager, address);
  }

  return { measuredRoute: (manager: ManagerKey) => measurements.get(manager)?.route ?? 'measuring', measureIfDue };
}

/** The routes of all managers. */
export const useRoutes = createSharedComposable(() => {
  const context = useContext();
  const history = useLabHistory();
  const relayAccess = useRelayAccess();
  const queries = useQueryClient();
  const choice = useLocalStorage<RouteChoice>('lab-manager.route', 'auto');
  const { measuredRoute, measureIfDue } = useMeasurements(() => canUseRelay(relayAccess.value));

  const addresses = computed(() => {
    const body = context.data.value;
    return body === undefined ? null : resolveContext(body, location.hostname).context;
  });
  const getManagerAddress = (manager: ManagerKey): string | null => addresses.value?.[contextKey(manager)] ?? null;
  const isBlocked = (manager: ManagerKey): boolean => isMixedContent(getManagerAddress(manager), location.protocol);

  /** Whether there is a relay, also one that this page may not use. */
  const isRelayOn = computed(() => (relayAccess.value?.remote_access ?? 'off') !== 'off');
  /** Whether it is still unknown if there is a relay. */
  const isPending = computed(() => {
    const { value } = history.data;
    return value === undefined || ((value.remote_access ?? 'off') !== 'off' && relayAccess.value === null);
  });

  /** Measures the route, if it can differ: not where the browser blocks the address. Also called after a failed read. */
  function measureAgain(manager: ManagerKey): void {
    const address = getManagerAddress(manager);
    if (address === null || !isRelayOn.value || isBlocked(manager)) return;
    if (!canUseRelay(relayAccess.value) || choice.value === 'auto') measureIfDue(manager, address);
  }
  watch([addresses, isRelayOn, choice], () => managerKeys.forEach(measureAgain), { immediate: true, flush: 'sync' });

  function findRoute(manager: ManagerKey): ManagerRoute {
    if (!canUseRelay(relayAccess.value)) {
      if (isRelayOn.value) return isBlocked(manager) ? 'blocked' : 'direct';
      return isPending.value && (isBlocked(manager) || choice.value === 'relay') ? 'measuring' : 'direct';
    }
    return choice.value === 'relay' || isBlocked(manager) ? 'relay' : measuredRoute(manager);
  }

  // Retries failed queries of managers that are now reached through the relay, for example after a sign-in.
  watch(
    () => managerKeys.map(findRoute),
    (routes, previousRoutes) => {
      for (const [index, manager] of managerKeys.entries())
        if (routes[index] === 'relay' && previousRoutes[index] !== 'relay') retryFailing(queries, ['manager', manager]);
    },
  );

  /** The managers that this page could reach only through the relay, which needs a signed-in user. */
  const managersNeedingSignIn = computed(() => {
    if (!isRelayOn.value || canUseRelay(relayAccess.value)) return [];
    return managerKeys.filter((manager) => isBlocked(manager) || measuredRoute(manager) === 'relay');
  });

  return { findRoute, measureAgain, choice, relayAccess, managersNeedingSignIn };
});
