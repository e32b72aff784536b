import { mdiGridLarge } from '@mdi/js';
import { createBadge, type Panel } from '../panel.ts';
import { useLazyItems, useIdleFlag } from '../lazyItems.ts';
import { resourceTitles } from '../titles.ts';

function useAttention() {
  return useLazyItems(useIdleFlag(), async () => (await import('./useAttention.ts')).useResourceAttention);
}

export const resourcesPanel: Panel = {
  name: 'resources',
  path: '/resources',
  title: resourceTitles.panel,
  icon: mdiGridLarge,
  key: 'r',
  group: 'things',
  isFirstOnPhone: true,
  kioskSeconds: 30,
  load: () => import('./ResourcesPanel.vue'),
  pages: [
    {
      name: 'resource-templates',
      path: '/resources/templates',
      title: resourceTitles.templates,
      load: () => import('./templates/TemplatesPage.vue'),
    },
    {
      name: 'resource-template',
      path: '/resources/templates/:name',
      title: resourceTitles.template,
      load: () => import('./templates/TemplatePage.vue'),
    },
    {
      name: 'resource-import',
      path: '/resources/import',
      title: resourceTitles.import,
      load: () => import('./import/ImportPage.vue'),
    },
    {
      name: 'resource-fill',
      path: '/resources/:id/fill',
      title: resourceTitles.fill,
      load: () => import('./fill/FillPage.vue'),
    },
    {
      name: 'resource',
      path: '/resources/:id',
      title: resourceTitles.resource,
      load: () => import('./page/ResourcePage.vue'),
    },
  ],
  useBadge: createBadge(useAttention),
  useAttention,
  palette: () => import('./palette.ts'),
};
