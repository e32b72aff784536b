import { mdiTextBoxOutline } from '@mdi/js';
import type { Panel } from '../panel.ts';
import { eventTitles } from '../titles.ts';

export const eventsPanel: Panel = {
  name: 'events',
  path: '/events',
  title: eventTitles.panel,
  icon: mdiTextBoxOutline,
  key: 'v',
  group: 'records',
  kioskSeconds: 30,
  load: () => import('./EventsPanel.vue'),
  pages: [
    {
      name: 'utilization',
      path: '/events/utilization',
      title: eventTitles.utilization,
      load: () => import('./utilization/UtilizationPage.vue'),
    },
    { name: 'event', path: '/events/:id', title: eventTitles.event, load: () => import('./EventPage.vue') },
  ],
  palette: () => import('./palette.ts'),
};
