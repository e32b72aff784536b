import { mdiChartTimeline } from '@mdi/js';
import type { Panel } from '../panel.ts';
import { timelineTitle } from '../titles.ts';

export const timelinePanel: Panel = {
  name: 'timeline',
  path: '/timeline',
  title: timelineTitle,
  icon: mdiChartTimeline,
  key: 't',
  group: 'lab',
  kioskSeconds: 30,
  load: () => import('./TimelinePanel.vue'),
};
