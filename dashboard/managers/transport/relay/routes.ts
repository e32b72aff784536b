/**
 * How this page reaches each manager: directly, or through the relay of the lab manager. Measured by a request from this
 * browser, because only that shows whether a firewall, a loopback address, https or missing CORS headers are in the way.
 */
import { createSharedComposable, useLocalStorage } from '@vueuse/core';
import { computed, onScopeDispose, shallowReactive, watch } from 'vue';
import { createClient } from '../../../../api/client/client.ts';
import { ManagerError } from '../../../../api/client/managerError.ts';
import { resolveContext } from '../../../../api/hosts.ts';
import { healthEndpoint, serviceHealth } from '../../../../api/lab/service.ts';
import { relayName, type RelayAnswer } from '../../../../api/lab/relay.ts';
import { contextKey, managerKeys, type ManagerKey } from '../../../../api/managers.ts';
import { base } from '../../../base/serviceAddress.ts';
import { useContext, useRelayOffer } from '../../lab/labQueries.ts';

/** `measuring`: nothing is read until the first measurement is over. */
export type ManagerRoute = 'direct' | 'relay' | 'measuring';

/** The person's choice: measured, or always through the lab manager. */
export const routeChoices = ['auto', 'relay'] as const;
export type RouteChoice = (typeof routeChoices)[number];

/** A manager on the same network responds within milliseconds, and a firewall that drops packets never. */
const measureMs = 3000;
/** The shortest time between two measurements of an address, in ms. */
const againMs = 30_000;

/** The address of a manager in the relay. */
export function relayAddress(manager: ManagerKey): string {
  return new URL(`${relayName}/${manager}/`, base).href;
}

/** Whether the caller may use the relay. */
export function isOffered(offer: RelayAnswer | null): offer is RelayAnswer {
  return offer !== null && offer.remote_access !== 'off' && offer.role !== null;
}

/** Whether the manager responds at `address`, so that this page can read what it responds. */
async function responds(manager: ManagerKey, address: string, signal: AbortSignal): Promise<boolean> {
  const api = { server: manager, endpoints: { health: healthEndpoint(serviceHealth) } } as const;
  try {
    await createClient(api, { baseUrl: address, timeoutMs: 0 }).health({}, { signal, deadlineMs: measureMs });
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
  signal: AbortSignal,
): Promise<'direct' | 'relay' | null> {
  if (await responds(manager, address, signal)) return 'direct';
  return (await responds(manager, relayAddress(manager), signal)) ? 'relay' : null;
}

interface Measured {
  readonly address: string;
  readonly route: ManagerRoute;
  readonly at: number;
}

/** The routes of all managers. */
export const useRoutes = createSharedComposable(() => {
  const context = useContext();
  const offer = useRelayOffer();
  const choice = useLocalStorage<RouteChoice>('lab-manager.route', 'auto');
  const measured = shallowReactive(new Map<ManagerKey, Measured>());
  const left = new AbortController();
  onScopeDispose(() => left.abort());

  const addresses = computed(() => {
    const body = context.data.value;
    return body === undefined ? null : resolveContext(body, location.hostname).context;
  });

  async function measure(manager: ManagerKey, address: string): Promise<void> {
    const before = measured.get(manager);
    const known = before?.address === address ? before.route : 'measuring';
    measured.set(manager, { address, route: known, at: performance.now() });
    const route = await measureRoute(manager, address, left.signal);
    if (left.signal.aborted || measured.get(manager)?.address !== address) return;
    // Where neither responds, the page shows the failure of the direct request, as without a relay.
    const chosen = route ?? (known === 'measuring' ? 'direct' : known);
    measured.set(manager, { address, route: chosen, at: performance.now() });
  }

  watch(
    [addresses, () => isOffered(offer.value), choice],
    ([known, offered, chosen]) => {
      if (known === null || !offered || chosen === 'relay') return;
      for (const manager of managerKeys) {
        const address = known[contextKey(manager)];
        if (address !== null && measured.get(manager)?.address !== address) void measure(manager, address);
      }
    },
    { immediate: true, flush: 'sync' },
  );

  function routeOf(manager: ManagerKey): ManagerRoute {
    if (!isOffered(offer.value)) return 'direct';
    if (choice.value === 'relay') return 'relay';
    return measured.get(manager)?.route ?? 'measuring';
  }

  /** Measures again after a failed read. */
  function measureAgain(manager: ManagerKey): void {
    const address = addresses.value?.[contextKey(manager)] ?? null;
    const before = measured.get(manager);
    if (address === null || !isOffered(offer.value) || choice.value === 'relay') return;
    if (before === undefined || performance.now() - before.at >= againMs) void measure(manager, address);
  }

  return { routeOf, measureAgain, choice, offer };
});
