import { mdiGridLarge } from '@mdi/js';
import { computed } from 'vue';
import { needsRefill } from '../../managers/resource/amount.ts';
import { useResourcesBeside } from '../../managers/resource/useResources.ts';
import type { Panel } from '../panel.ts';
import { useWantedLater } from '../useWantedLater.ts';
import { resourceTitles } from './titles.ts';
import { useResourceAttention } from './useAttention.ts';

export const resourcesPanel: Panel = {
  name: 'resources',
  path: '/resources',
  title: resourceTitles.panel,
  icon: mdiGridLarge,
  key: 'r',
  group: 'things',
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
  useBadge: () => {
    const wanted = useWantedLater();
    const { index } = useResourcesBeside(() => wanted.value);
    return computed(() => index.value.all.filter(needsRefill).length);
  },
  useAttention: useResourceAttention,
  palette: () => import('./palette.ts'),
};
