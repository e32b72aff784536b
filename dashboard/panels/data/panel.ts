import { mdiChartLine } from '@mdi/js';
import type { Panel } from '../panel.ts';
import { dataTitles } from '../titles.ts';

export const dataPanel: Panel = {
  name: 'data',
  path: '/data',
  title: dataTitles.panel,
  icon: mdiChartLine,
  key: 'd',
  group: 'records',
  kioskSeconds: 0,
  load: () => import('./DataPanel.vue'),
  pages: [
    {
      name: 'compareData',
      path: '/data/compare',
      title: dataTitles.compare,
      load: () => import('./ComparePage.vue'),
    },
    { name: 'datapoint', path: '/data/:id', title: dataTitles.datapoint, load: () => import('./DatapointPage.vue') },
  ],
  palette: () => import('./palette.ts'),
};
