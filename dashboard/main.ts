/** The page, step by step: body parsing without `eval`, the app, its stores, its queries, its routes, its faults. */
import { createApp } from 'vue';
import { createPinia } from 'pinia';
import { VueQueryPlugin } from '@tanstack/vue-query';
import { config } from 'zod/mini';
import App from './app/App.vue';
import { catchFaults } from './app/faults.ts';
import { createPageRouter, fetchFirstPage } from './app/router.ts';
import { appTexts } from './app/texts.ts';
import { createTheme } from './app/theme.ts';
import { queryOptions } from './managers/lab/labQueries.ts';
import './app/page.css';

export function start(): void {
  // The content security policy forbids `new Function`, which zod would otherwise use to compile schemas.
  config({ jitless: true });
  const app = createApp(App);
  app.use(createPinia());
  app.use(createTheme());
  app.use(VueQueryPlugin, { queryClientConfig: { defaultOptions: { queries: queryOptions } } });
  const router = createPageRouter();
  fetchFirstPage(router);
  app.use(router);
  catchFaults(app, router);
  document.body.append(overlayRegion());
  app.mount('#app');
}

/** Where Vuetify puts menus, hints and dialogs: it takes the one that is there, and ours is a landmark of its own. */
function overlayRegion(): HTMLElement {
  const region = document.createElement('aside');
  region.className = 'v-overlay-container';
  region.setAttribute('aria-label', appTexts.app.overlays);
  return region;
}
