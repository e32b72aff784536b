/** Starts the page: response parsing without `eval`, then app, queries, routes and fault handling. */
import { createApp } from 'vue';
import { VueQueryPlugin } from '@tanstack/vue-query';
import { config } from 'zod/mini';
import App from './app/App.vue';
import { installErrorHandlers } from './app/faults.ts';
import { createPageRouter, fetchFirstPage } from './app/router.ts';
import { addOverlayRegion } from './components/overlay/region.ts';
import { queryOptions } from './managers/transport/poll/poll.ts';
import './components/page/page.css';

export function start(): void {
  // The content security policy forbids `new Function`, which zod would otherwise use to compile schemas.
  config({ jitless: true });
  const app = createApp(App);
  app.use(VueQueryPlugin, { queryClientConfig: { defaultOptions: { queries: queryOptions } } });
  const router = createPageRouter();
  fetchFirstPage(router);
  app.use(router);
  installErrorHandlers(app, router);
  addOverlayRegion('Menus and hints');
  app.mount('#app');
}
