import { mdiMapMarkerOutline } from '@mdi/js';
import { createBadge, type Panel } from '../panel.ts';
import { useLazyItems, useIdleFlag } from '../lazyItems.ts';
import { locationTitles } from '../titles.ts';

function useAttention() {
  return useLazyItems(useIdleFlag(), async () => (await import('./attention.ts')).useLocationAttention);
}

export const locationsPanel: Panel = {
  name: 'locations',
  path: '/locations',
  title: locationTitles.panel,
  icon: mdiMapMarkerOutline,
  key: 'p',
  group: 'things',
  kioskSeconds: 30,
  load: () => import('./LocationsPanel.vue'),
  pages: [
    {
      name: 'planner',
      path: '/locations/plan',
      title: locationTitles.planner,
      load: () => import('./PlannerPage.vue'),
    },
    {
      name: 'location-templates',
      path: '/locations/templates',
      title: locationTitles.templates,
      load: () => import('./templates/TemplatesPage.vue'),
    },
    {
      name: 'location',
      path: '/locations/:id',
      title: locationTitles.location,
      load: () => import('./page/LocationPage.vue'),
    },
  ],
  useBadge: createBadge(useAttention),
  useAttention,
  palette: () => import('./palette.ts'),
};
