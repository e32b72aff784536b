import { mdiRobotIndustrialOutline } from '@mdi/js';
import { computed } from 'vue';
import { needsPerson, nodeState } from '../../managers/workcell/nodeState.ts';
import { useNodes } from '../../managers/workcell/workcellQueries.ts';
import type { Panel } from '../panel.ts';
import { useWorkcellAttention } from './useAttention.ts';
import { useNodeEntries } from './paletteEntries.ts';
import { workcellsTitle } from './titles.ts';

export const workcellsPanel: Panel = {
  name: 'workcells',
  path: '/workcells',
  title: workcellsTitle,
  icon: mdiRobotIndustrialOutline,
  key: 'w',
  group: 'work',
  kioskSeconds: 60,
  load: () => import('./WorkcellsPanel.vue'),
  pages: [{ name: 'node', path: '/workcells/nodes/:node', title: 'Node', load: () => import('./node/NodePage.vue') }],
  useBadge: () => {
    const nodes = useNodes();
    return computed(() => Object.values(nodes.value).filter((node) => needsPerson(nodeState(node))).length);
  },
  useAttention: useWorkcellAttention,
  usePaletteEntries: useNodeEntries,
};
