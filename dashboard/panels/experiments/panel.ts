import { mdiFlaskOutline } from '@mdi/js';
import { computed } from 'vue';
import { experimentLooks } from '../../../api/states.ts';
import { experimentPage } from '../../base/objectPages.ts';
import { useExperimentsBeside } from '../../managers/experiment/experimentQueries.ts';
import { experimentId, experimentName } from '../../managers/experiment/experimentName.ts';
import { experimentState } from '../../managers/experiment/experimentState.ts';
import type { Panel } from '../panel.ts';
import { useLoaded } from '../useLoaded.ts';
import { useWantedOnce } from '../useWantedOnce.ts';
import { experimentTitles } from './titles.ts';

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
  useAttention: () => useLoaded(async () => (await import('./useAttention.ts')).useExperimentAttention),
  usePaletteEntries: (asked) => {
    const wanted = useWantedOnce(asked);
    const live = useExperimentsBeside(() => wanted.value);
    return computed(() =>
      (live.data.value ?? []).map((experiment) => ({
        key: `experiment ${experimentId(experiment)}`,
        kind: experimentTitles.experiment,
        title: experimentName(experiment) || experimentId(experiment),
        also: [experimentId(experiment), experiment.experiment_design?.experiment_name ?? ''],
        look: experimentLooks[experimentState(experiment)],
        choose: experimentPage(experimentId(experiment)),
      })),
    );
  },
};
