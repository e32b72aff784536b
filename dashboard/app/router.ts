/** One route a panel and a page, and one for addresses that nobody knows. */
import { createRouter, createWebHistory, type Router } from 'vue-router';
import { base } from './base.ts';
import { panels } from './panels.ts';
import NotFound from './NotFound.vue';

/** Parts of the query that say how the page is shown; they stay while it is open. */
const modes = ['kiosk', 'touch'] as const;

export function createPageRouter(): Router {
  const router = createRouter({
    history: createWebHistory(base.pathname),
    routes: [
      ...panels
        .flatMap((panel) => [panel, ...(panel.pages ?? [])])
        .map(({ name, path, title, load }) => ({ name, path, component: load, meta: { title } })),
      { name: 'notFound', path: '/:path(.*)*', component: NotFound },
    ],
    scrollBehavior: (_to, _from, saved) => saved ?? { top: 0 },
  });
  router.beforeEach((to, from) => {
    const lost = modes.filter((mode) => mode in from.query && !(mode in to.query));
    if (lost.length === 0) return true;
    const kept = Object.fromEntries(lost.map((mode) => [mode, from.query[mode] ?? null]));
    return { path: to.path, hash: to.hash, query: { ...to.query, ...kept }, replace: true };
  });
  return router;
}
