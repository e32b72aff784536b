/**
 * Kiosk mode for a wall screen (`?kiosk`): shows the panels in turn and scrolls through each page, and shows only the
 * first panel while the lab is unhealthy.
 */
import { useEventListener } from '@vueuse/core';
import { onScopeDispose, watch, type Ref } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { useLabHistory } from '../../managers/lab/labQueries.ts';
import { useOfferedPanels } from '../../panels/panel.ts';
import { panels } from '../panels.ts';
import { nextPanel, nextScreenful, countScreenfuls, screenfulMs, type Screenful } from './kioskRotation.ts';

/** Milliseconds without rotation after a key press, a touch or a pointer movement. */
const pauseAfterInputMs = 60_000;

/** Returns the scrolling element: the page, or on a narrow screen the content between the bars. */
function findScroller(): Element | null {
  const main = document.querySelector('#main');
  return main !== null && main.scrollHeight > main.clientHeight + 1 && getComputedStyle(main).overflowY === 'auto'
    ? main
    : document.scrollingElement;
}

/** Measures the visible part of a page, without the area that the top bar covers. */
function measureScreenful(element: Element): Screenful {
  const { scrollTop, clientHeight, scrollHeight } = element;
  const bar = element === document.scrollingElement ? (document.querySelector('header.top')?.clientHeight ?? 0) : 0;
  return { top: scrollTop, view: clientHeight - bar, content: scrollHeight - bar };
}

/** Rotates the panels while the page is in kiosk mode. */
export function useKioskRotation(kiosk: Ref<boolean>): void {
  const route = useRoute();
  const router = useRouter();
  const history = useLabHistory();
  const offered = useOfferedPanels(panels);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function rotateAfter(ms: number): void {
    clearTimeout(timer);
    if (kiosk.value) timer = setTimeout(rotate, ms);
  }
  function scheduleRotation(name: unknown): void {
    const panel = panels.find((candidate) => candidate.name === name);
    const element = findScroller();
    const screens = element === null ? 1 : countScreenfuls(measureScreenful(element));
    rotateAfter(screenfulMs(panel?.kioskSeconds ?? panels[0]?.kioskSeconds ?? 60, screens));
  }
  /** Scrolls to the next part of the page; returns `false` at the end, after it has scrolled back to the top. */
  function showNextScreenful(): boolean {
    const element = findScroller();
    const next = element === null ? null : nextScreenful(measureScreenful(element));
    element?.scrollTo({ top: next ?? 0 });
    return next !== null;
  }
  function rotate(): void {
    if (showNextScreenful()) return scheduleRotation(route.name);
    const isHealthy = history.data.value?.state === 'healthy' && !history.stale.value;
    const panel = nextPanel(offered.value, String(route.name), isHealthy);
    if (panel !== undefined && panel.name !== route.name) void router.replace({ path: panel.path, query: route.query });
    else scheduleRotation(route.name);
  }

  watch([kiosk, () => route.name], ([, name]) => scheduleRotation(name), { immediate: true });
  useEventListener(window, ['keydown', 'pointerdown', 'pointermove'], () => rotateAfter(pauseAfterInputMs), {
    passive: true,
  });
  onScopeDispose(() => clearTimeout(timer));
}
