import { mdiFlaskOutline } from '@mdi/js';
import type { Panel } from '../panel.ts';
import { useLazyItems, useIdleFlag } from '../lazyItems.ts';
import { experimentTitles } from '../titles.ts';

export const experimentsPanel: Panel = {
  name: 'experiments',
  path: '/experiments',
  title: experimentTitles.panel,
  icon: mdiFlaskOutline,
  key: 'e',
  group: 'work',
  kioskSeconds: 30,
  load: () => import('./ExperimentsPanel.vue'),
  pages: [
    {
      name: 'compareExperiments',
      path: '/experiments/compare',
      title: experimentTitles.compare,
      load: () => import('./ComparePage.vue'),
    },
    {
      name: 'experiment',
      path: '/experiments/:id',
      title: experimentTitles.experiment,
      load: () => import('./page/ExperimentPage.vue'),
    },
  ],
  useAttention: () => useLazyItems(useIdleFlag(), async () => (await import('./attention.ts')).useExperimentAttention),
  palette: () => import('./palette.ts'),
};
