/** Names of experiments, by ID: workflows only know IDs. */
import { createSharedComposable } from '@vueuse/core';
import { computed } from 'vue';
import { experimentApi, type Experiment } from '../../../api/managers/experiment.ts';
import { shortId } from '../../components/text/shortId.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';

/** Names hardly ever change, and a new experiment's ID serves until then. */
const interval = 120_000;

export const useExperimentNames = createSharedComposable(() => {
  const live = useManagerQuery(experimentApi, 'getExperiments', {
    polled: 'experiments',
    input: { number: 0 },
    interval,
  });
  const names = computed(
    () => new Map((live.data.value ?? []).map(({ _id: id, ...each }) => [id, experimentName(each)])),
  );
  return { names, nameOf: (id: string): string => names.value.get(id) || shortId(id) };
});

/** The run's name, which has that of its design in it more often than not. */
export function experimentName({
  run_name: run,
  experiment_design: design,
}: Pick<Experiment, 'run_name' | 'experiment_design'>): string {
  return run || design?.experiment_name || '';
}
