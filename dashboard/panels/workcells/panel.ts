import { mdiRobotIndustrialOutline } from '@mdi/js';
import { computed } from 'vue';
import { useMaintenance } from '../../managers/lab/maintenance.ts';
import { useLabHistory } from '../../managers/lab/labQueries.ts';
import { needsAttention, nodeState } from '../../managers/workcell/nodeState.ts';
import { useLabStop } from '../../managers/safetyStop/useSafetyStop.ts';
import { useNodes, useWorkcellState } from '../../managers/workcell/workcellQueries.ts';
import type { Panel } from '../panel.ts';
import { unconfirmedReasons } from './attention.ts';
import { useWorkcellAttention } from './useAttention.ts';
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
  useBadge: () => {
    const state = useWorkcellState();
    const maintenance = useMaintenance();
    const nodes = useNodes();
    const stop = useLabStop();
    const history = useLabHistory();
    const attentionCount = computed(() => {
      const namesNeedingAttention = Object.entries(nodes.value)
        .filter(([name, node]) => {
          const waiting = history.data.value?.activity?.nodes?.in_need.find((inNeed) => inNeed.name === name)?.waiting;
          return needsAttention(nodeState(node), waiting) && maintenance('node', name) === '';
        })
        .map(([name]) => name);
      return new Set([...unconfirmedReasons(stop.value).keys(), ...namesNeedingAttention]).size;
    });
    // Stale data is not counted.
    return computed(() => (state.stale.value ? 0 : attentionCount.value));
  },
  useAttention: useWorkcellAttention,
  palette: () => import('./palette.ts'),
};
