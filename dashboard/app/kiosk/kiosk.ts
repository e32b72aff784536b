/** The wall screen (`?kiosk`): panels take turns, and the one with bad news stays. */
import { useEventListener } from '@vueuse/core';
import { onScopeDispose, watch, type Ref } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { useLabHistory } from '../../managers/lab/labQueries.ts';
import { panels } from '../panels.ts';
import { nextPanel } from './kioskRotation.ts';

/** After a key, a touch or a move of the pointer somebody reads: the page stays this long, in ms. */
const readingTime = 60_000;

export function useKiosk(kiosk: Ref<boolean>): void {
  const route = useRoute();
  const router = useRouter();
  const history = useLabHistory();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function wait(ms: number): void {
    clearTimeout(timer);
    if (kiosk.value) timer = setTimeout(turn, ms);
  }
  function turnAfter(name: unknown): void {
    const panel = panels.find((each) => each.name === name);
    wait((panel?.kioskSeconds ?? panels[0]?.kioskSeconds ?? 60) * 1000);
  }
  function turn(): void {
    const well = history.data.value?.state === 'healthy' && !history.stale.value;
    const panel = nextPanel(panels, String(route.name), well);
    if (panel !== undefined && panel.name !== route.name) void router.replace({ path: panel.path, query: route.query });
    else turnAfter(route.name);
  }

  watch([kiosk, () => route.name], ([, name]) => turnAfter(name), { immediate: true });
  useEventListener(window, ['keydown', 'pointerdown', 'pointermove'], () => wait(readingTime), { passive: true });
  onScopeDispose(() => clearTimeout(timer));
}
