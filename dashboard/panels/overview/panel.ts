import { mdiViewDashboardOutline } from '@mdi/js';
import type { Panel } from '../panel.ts';
import { historyTitle, overviewTitle } from '../titles.ts';

export const overviewPanel: Panel = {
  name: 'overview',
  path: '/',
  title: overviewTitle,
  icon: mdiViewDashboardOutline,
  key: 'o',
  group: 'lab',
  isFirstOnPhone: true,
  kioskSeconds: 60,
  load: () => import('./OverviewPanel.vue'),
  pages: [{ name: 'history', path: '/history', title: historyTitle, load: () => import('./history/HistoryPage.vue') }],
};
