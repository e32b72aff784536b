/** The stop that the page sends itself, until the service publishes it or another one. */
import { createSharedComposable, useEventListener } from '@vueuse/core';
import { computed, shallowRef, watch } from 'vue';
import { FallbackStop } from '#api/safetyStop/fallbackStop.ts';
import type { LabStop } from '#api/safetyStop/labStop.ts';
import { workcellDelayMs } from '#api/safetyStop/safetyStop.ts';
import { pause } from '#api/time/pause.ts';
import { useCommandLog } from '../commands/commandLog.ts';
import { useLabHistory } from '../lab/labQueries.ts';
import { canReadNodes, useKnownNodes } from './knownNodes.ts';
import { useStopService } from './stopService.ts';

/** The interval of the readings of a service that does not respond while the page sends a stop, in ms. */
const checkIntervalMs = 1000;

export const useLocalStop = createSharedComposable(() => {
  const service = useStopService();
  const { targets, routesTo } = useKnownNodes();
  const log = useCommandLog();
  const history = useLabHistory();
  const published = computed(() => (service.state.value?.in_effect === true ? service.state.value.stop : null));
  const local = shallowRef<LabStop | null>(null);
  /** The same until this page has released it. */
  const localInEffect = shallowRef<LabStop | null>(null);
  /** Whether the service has not answered to the last press yet. */
  const isPosting = shallowRef(false);
  /** The ID of the last stop that the service has accepted from this page. */
  let acceptedId: string | null = null;
  const fallback: FallbackStop = new FallbackStop({
    postToService: async (request) => {
      const response = await service.stop(request);
      acceptedId = response.stop?.id ?? null;
      return response;
    },
    targets,
    routesTo,
    delayMs: canReadNodes() ? workcellDelayMs : 0,
    sender: () => ({ machine: history.data.value?.client ?? null, application: 'dashboard' }),
    published: () => published.value,
    record: ({ fields, title }) => log.record(fields, title).id,
    onChange: () => {
      local.value = fallback.stop;
      localInEffect.value = fallback.inEffect;
      isPosting.value = false;
    },
  });
  /** Leaves the stop to the service, or continues it while the service that accepted it does not respond. */
  function reconcile(): void {
    const { value: stop } = published;
    if (service.live.failure.value === null) return fallback.observe(stop);
    if (local.value === null && stop?.sending === true && stop.id === acceptedId) void fallback.continueStop(stop);
  }
  watch([service.state, service.live.failure, () => local.value?.sending], reconcile);
  // Other screens may release the stop at the restarted service, which the wait of a failing query would hide.
  watch(
    () => local.value?.sending === true && service.live.failure.value !== null,
    async (isUnobserved, _previous, onCleanup) => {
      const observed = new AbortController();
      onCleanup(() => observed.abort());
      if (!isUnobserved) return;
      while (await pause(checkIntervalMs, observed.signal)) await service.live.refresh().catch(() => undefined);
    },
  );
  useEventListener(window, 'pagehide', () => fallback.recordResult());

  /** Resolves when the service has accepted the stop, or when all attempts of this page have ended. */
  async function press(): Promise<void> {
    isPosting.value = true;
    await fallback.press().finally(() => (isPosting.value = false));
  }
  return { local, localInEffect, published, isPosting, press, release: fallback.release.bind(fallback) };
});
