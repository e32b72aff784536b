import { mdiRobotIndustrialOutline } from '@mdi/js';
import { createNeedBadge, type Panel } from '../panel.ts';
import { workcellsTitle } from '../titles.ts';

export const workcellsPanel: Panel = {
  name: 'workcells',
  path: '/workcells',
  title: workcellsTitle,
  icon: mdiRobotIndustrialOutline,
  key: 'w',
  group: 'work',
  isFirstOnPhone: true,
  kioskSeconds: 60,
  load: () => import('./WorkcellsPanel.vue'),
  pages: [{ name: 'node', path: '/workcells/nodes/:node', title: 'Node', load: () => import('./node/NodePage.vue') }],
  useBadge: createNeedBadge(['workcell', 'node']),
  palette: () => import('./palette.ts'),
};
