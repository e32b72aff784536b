import { mdiDomain } from '@mdi/js';
import { computed } from 'vue';
import { useLabHistory } from '../../managers/lab/labQueries.ts';
import type { Panel } from '../panel.ts';
import { fleetTitle } from '../titles.ts';

export const fleetPanel: Panel = {
  name: 'fleet',
  path: '/fleet',
  title: fleetTitle,
  icon: mdiDomain,
  key: 'm',
  group: 'records',
  kioskSeconds: 60,
  load: () => import('./FleetPanel.vue'),
  useIsOffered: () => {
    const history = useLabHistory();
    return computed(() => history.data.value?.fleet !== undefined);
  },
};
