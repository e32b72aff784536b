/** Names of experiments, by ID: workflows only know IDs. */
import { createSharedComposable } from '@vueuse/core';
import { computed } from 'vue';
import { experimentApi } from '../../../api/managers/experiment.ts';
import { shortId } from '../../base/ulid.ts';
import { experimentName } from './experimentName.ts';
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
