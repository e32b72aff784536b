/** The stop that the page sends itself, until the service publishes it or another one. */
import { createSharedComposable, useEventListener } from '@vueuse/core';
import { computed, shallowRef, watch } from 'vue';
import { FallbackStop } from '../../../api/safetyStop/fallbackStop.ts';
import type { LabStop } from '../../../api/safetyStop/labStop.ts';
import { workcellDelayMs } from '../../../api/safetyStop/safetyStop.ts';
import { useCommandLog } from '../commands/commandLog.ts';
import { useLabHistory } from '../lab/labQueries.ts';
import { canReadNodes, useKnownNodes } from './knownNodes.ts';
import { useStopService } from './stopService.ts';

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
  /** Whether the service has published the page's own stop. */
  let isPublished = false;
  const fallback: FallbackStop = new FallbackStop({
    postToService: service.stop,
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
  watch(service.state, () => {
    const { value: localStop } = local;
    if (localStop === null || localStop.sending === true) return;
    const wasPublished = isPublished;
    isPublished = published.value !== null && published.value.id === localStop.id;
    const isReplaced = (published.value?.at ?? '') > (localStop.at ?? '');
    // What was published and is no longer in effect was ended by another program.
    if (isPublished || isReplaced || wasPublished) fallback.forget();
  });
  useEventListener(window, 'pagehide', () => fallback.recordResult());

  /** Resolves when the service has accepted the stop, or when all attempts of this page have ended. */
  async function press(): Promise<void> {
    isPublished = false;
    isPosting.value = true;
    await fallback.press().finally(() => (isPosting.value = false));
  }
  return { local, localInEffect, published, isPosting, press, release: () => fallback.release() };
});
