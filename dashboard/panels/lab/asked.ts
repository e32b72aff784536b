/** Whether an address answers this browser: each is asked for its health, as nobody can tell from an address alone. */
import { currentTime } from '../../base/clock.ts';
import { onScopeDispose, ref, shallowRef, watch } from 'vue';
import { createClient } from '../../../api/client/client.ts';
import { ManagerError } from '../../../api/client/managerError.ts';
import { healthEndpoint, serviceHealth } from '../../../api/lab/service.ts';
import { isLoopbackHost } from '../../../api/hosts.ts';
import type { ServiceKey } from '../../../api/managers.ts';
import { hostOf } from '../../managers/transport/addresses.ts';

export interface AddressCheck {
  readonly address: string;
  /** In ms; `null` where no answer came. */
  readonly took: number | null;
  /** Why none came; empty where one did. */
  readonly reason: string;
}

/** Any service of the lab: all answer a question for their health alike. */
const healthApi = (server: ServiceKey) => ({ server, endpoints: { health: healthEndpoint(serviceHealth) } }) as const;

/** What others are told instead of localhost: `http://localhost:8001/` → `http://bench-1:8001/`. */
export function asOthersUse(address: string, advertised: string | null): string {
  if (advertised === null || advertised === 'auto' || !isLoopbackHost(hostOf(address) ?? '')) return address;
  const url = new URL(address);
  url.hostname = advertised;
  return url.href;
}

async function ask(server: ServiceKey, address: string, signal: AbortSignal): Promise<AddressCheck> {
  const began = performance.now();
  try {
    await createClient(healthApi(server), { baseUrl: address, patienceMs: 0 }).health({}, { signal });
    return { address, took: performance.now() - began, reason: '' };
  } catch (error) {
    // Whoever answers that it isn't well, or something else than was asked, has answered.
    if (error instanceof ManagerError && ['http', 'not-understood'].includes(error.kind))
      return { address, took: performance.now() - began, reason: '' };
    const reason = error instanceof ManagerError ? error.reason : String(error);
    return { address, took: null, reason };
  }
}

/** @param addresses those that can be asked; asked when they are known, when they change, and by `again` */
export function useAsked(addresses: () => readonly (readonly [server: ServiceKey, address: string])[]) {
  const answers = shallowRef<ReadonlyMap<ServiceKey, AddressCheck>>(new Map());
  /** ms since the epoch; `null` before all have answered. */
  const at = ref<number | null>(null);
  const asking = ref(false);
  let controller = new AbortController();

  async function again(): Promise<void> {
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    asking.value = true;
    answers.value = new Map();
    await Promise.all(
      addresses().map(async ([server, address]) => {
        const answer = await ask(server, address, signal);
        if (!signal.aborted) answers.value = new Map([...answers.value, [server, answer]]);
      }),
    );
    if (signal.aborted) return;
    asking.value = false;
    at.value = currentTime();
  }
  watch(() => JSON.stringify(addresses()), again, { immediate: true });
  onScopeDispose(() => controller.abort());
  return { answers, asking, at, again };
}
