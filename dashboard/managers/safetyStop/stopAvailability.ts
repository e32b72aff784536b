/** Whether this page can stop anything: through the lab manager, or by any route of its own. */
import { createSharedComposable, useDocumentVisibility, useIntervalFn } from '@vueuse/core';
import { computed, ref, watch } from 'vue';
import { startTimeout } from '#api/time/clock.ts';
import { isMixedContent } from '../transport/addresses.ts';
import { useRoutes } from '../transport/relay/routes.ts';
import { useWorkcellState } from '../workcell/workcellQueries.ts';
import { useKnownNodes } from './knownNodes.ts';
import { useStopService } from './stopService.ts';

/** The interval between two checks whether a direct route is open again, and the timeout of one check, in ms. */
const checkIntervalMs = 10_000;
const checkTimeoutMs = 3000;
/** The number of nodes that are checked. */
const maxChecked = 20;

/** Resolves if anything responds at `url`. Without CORS nothing of the response can be read, and a stop needs nothing of it. */
async function reach(url: string): Promise<void> {
  const { signal, clear } = startTimeout(checkTimeoutMs);
  await fetch(url, { mode: 'no-cors', cache: 'no-store', signal }).finally(clear);
}

/** The reason why this page can't stop anything; `null` if it can, or may. */
export const useStopUnavailableReason = createSharedComposable(() => {
  const { live } = useStopService();
  const { address, targets } = useKnownNodes();
  const { findRoute } = useRoutes();
  const state = useWorkcellState();
  const visibility = useDocumentVisibility();
  const isDirect = computed(
    () => findRoute('workcell') === 'direct' && state.receivedAt.value !== null && !state.stale.value,
  );
  const refusal = computed(() => (isDirect.value ? null : (live.data.value?.refusals.stop ?? null)));
  const areClosed = ref(false);
  const check = async (): Promise<void> => {
    const nodes = targets().flatMap(({ url }) => (url === null ? [] : [`${url.replace(/\/+$/, '')}/status`]));
    const urls = [...(address.value === null ? [] : [`${address.value}health`]), ...nodes.slice(0, maxChecked)];
    const candidates = urls.filter((url) => !isMixedContent(url, location.protocol));
    areClosed.value = await Promise.any(candidates.map(reach)).then(
      () => false,
      () => true,
    );
  };
  const { pause, resume } = useIntervalFn(() => void check(), checkIntervalMs, {
    immediate: false,
    immediateCallback: true,
  });
  watch(
    () => refusal.value !== null && visibility.value === 'visible',
    (isActive) => (isActive ? resume() : pause()),
    { immediate: true },
  );
  return computed(() => (areClosed.value ? refusal.value : null));
});
