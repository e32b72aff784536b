/** One route per panel and page, and one for unknown addresses. */
import { createRouter, createWebHistory, START_LOCATION, type Router } from 'vue-router';
import { base } from '../base/serviceAddress.ts';
import type { Panel } from '../panels/panel.ts';
import { useUi } from '../base/ui.ts';
import { panels } from './panels.ts';
import NotFound from './NotFound.vue';

/**
 * Preloads the page of the current address, because the router loads it only after the first render. The router reports a
 * failure later.
 */
export function fetchFirstPage(router: Router): void {
  const load = router.resolve(router.options.history.location).matched[0]?.components?.['default'];
  if (typeof load === 'function') void (load as () => Promise<unknown>)().catch(() => undefined);
}

/** Returns whether a link or an address opened the page, not a reload or the browser's history. */
function isFreshNavigation(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return entry === undefined || !('type' in entry) || entry.type === 'navigate';
}

/** Query parameters that set the display mode; they persist across navigation. */
const modes = ['kiosk', 'touch'] as const;

export function createPageRouter(all: readonly Panel[] = panels): Router {
  const router = createRouter({
    history: createWebHistory(base.pathname),
    routes: [
      ...all
        .flatMap((panel) => [
          { ...panel, isPanel: true },
          ...(panel.pages ?? []).map((page) => ({ ...page, isPanel: false })),
        ])
        .map(({ name, path, title, load, isPanel }) => ({ name, path, component: load, meta: { title, isPanel } })),
      { name: 'notFound', path: '/:path(.*)*', component: NotFound },
    ],
    scrollBehavior: ({ hash }, _from, savedPosition) => savedPosition ?? (hash === '' ? { top: 0 } : false),
  });
  router.beforeEach((to, from) => {
    const { startPage } = useUi();
    const startPanel = all.find(({ path }) => path === startPage);
    if (
      from === START_LOCATION &&
      to.fullPath === '/' &&
      startPanel !== undefined &&
      startPanel.path !== '/' &&
      isFreshNavigation()
    )
      return { path: startPanel.path, replace: true };
    const missingModes = modes.filter((mode) => mode in from.query && !(mode in to.query));
    if (missingModes.length === 0) return true;
    const preservedModes = Object.fromEntries(missingModes.map((mode) => [mode, from.query[mode] ?? null]));
    return { path: to.path, hash: to.hash, query: { ...to.query, ...preservedModes }, replace: true };
  });
  return router;
}
