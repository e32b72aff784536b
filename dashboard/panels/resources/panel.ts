import { mdiGridLarge } from '@mdi/js';
import { useTimeout } from '@vueuse/core';
import { computed } from 'vue';
import { needsRefill } from '../../managers/resource/amount.ts';
import { useResourcesBeside } from '../../managers/resource/useResources.ts';
import type { Panel } from '../panel.ts';
import { useResourceEntries } from './paletteEntries.ts';
import { resourceTitles } from './titles.ts';
import { useResourceAttention } from './useAttention.ts';

/** The figure in the rail can wait until the page itself is there, in ms. */
const badgeAfter = 6000;

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
      name: 'resource',
      path: '/resources/:id',
      title: resourceTitles.resource,
      load: () => import('./page/ResourcePage.vue'),
    },
  ],
  useBadge: () => {
    const due = useTimeout(badgeAfter);
    const { index } = useResourcesBeside(() => due.value);
    return computed(() => index.value.all.filter(needsRefill).length);
  },
  useAttention: useResourceAttention,
  usePaletteEntries: useResourceEntries,
};
