import { mdiViewDashboardOutline } from '@mdi/js';
import type { Panel } from '../panel.ts';
import { overviewTitle } from './titles.ts';

export const overviewPanel: Panel = {
  name: 'overview',
  path: '/',
  title: overviewTitle,
  icon: mdiViewDashboardOutline,
  key: 'o',
  group: 'lab',
  kioskSeconds: 60,
  load: () => import('./OverviewPanel.vue'),
};
