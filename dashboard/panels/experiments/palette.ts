/** Command palette entries for experiments: the newest by name, any by ID. */
import { computed } from 'vue';
import { experimentApi, type Experiment } from '#api/managers/experiment.ts';
import { experimentAppearances } from '#api/states.ts';
import { experimentPage } from '../../base/objectPages.ts';
import { experimentId, experimentName, experimentState } from '../../managers/experiment/experimentState.ts';
import { useExperiments } from '../../managers/experiment/experimentQueries.ts';
import { useEntryById } from '../useEntryById.ts';
import type { PaletteEntry, PanelPalette } from '../panel.ts';
import { experimentTitles } from '../titles.ts';

const texts = {
  search: (typed: string) => `Search all experiments for “${typed}”`,
  searchHint: 'searches everything in the experiment manager',
} as const;

function toEntry(experiment: Experiment): PaletteEntry {
  const id = experimentId(experiment);
  return {
    key: `experiment ${id}`,
    kind: experimentTitles.experiment,
    title: experimentName(experiment) || id,
    alternativeNames: [id, experiment.experiment_design?.experiment_name ?? ''],
    appearance: experimentAppearances[experimentState(experiment)],
    choose: experimentPage(id),
  };
}

export const palette: PanelPalette = {
  useEntries: () => {
    const live = useExperiments();
    return computed(() => (live.data.value ?? []).map(toEntry));
  },
  useById: () =>
    useEntryById(experimentApi, (client, id, options) => client.getExperiment({ experiment_id: id }, options), toEntry),
  search: (typed) => ({
    key: 'search experiments',
    kind: experimentTitles.experiment,
    title: texts.search(typed),
    subtitle: texts.searchHint,
    choose: { name: 'experiments', query: { read: 'all', q: typed } },
  }),
};
