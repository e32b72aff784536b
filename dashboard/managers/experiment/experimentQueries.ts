/** What the page reads of the experiment manager. */
import { createSharedComposable } from '@vueuse/core';
import { experimentApi } from '../../../api/managers/experiment.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';
import { computed } from 'vue';
import { shortId } from '../../base/objectPages.ts';
import { experimentName } from './experimentState.ts';

/** Enough to have every one that is still in progress in any lab we know. */
const newest = 50;

/** The newest experiments, newest first; nothing is read until `wanted`. */
function useBackgroundExperiments(requested: () => boolean) {
  return useManagerQuery(experimentApi, 'getExperiments', {
    polled: 'experiments',
    input: () => (requested() ? { number: newest } : null),
  });
}

export const useExperiments = createSharedComposable(() => useBackgroundExperiments(() => true));

/** Reads the experiment manager's naive times. */
export const useExperimentTime = () => useManagerTime('experiment');

/** Names hardly ever change, and a new experiment's ID serves until then. */
const interval = 120_000;

/** Names of experiments, by ID: workflows only know IDs. */
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
