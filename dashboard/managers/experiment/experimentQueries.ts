/** Queries of the experiment manager. */
import { createSharedComposable } from '@vueuse/core';
import { experimentApi } from '../../../api/managers/experiment.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';
import { computed } from 'vue';
import { shortId } from '../../base/objectPages.ts';
import { experimentName } from './experimentState.ts';

/** Enough to include every experiment in progress in the labs we have seen. */
const newest = 50;

/** The newest experiments, newest first; not read until `isRequested` returns true. */
function useBackgroundExperiments(isRequested: () => boolean) {
  return useManagerQuery(experimentApi, 'getExperiments', {
    schedule: 'experiments',
    input: () => (isRequested() ? { number: newest } : null),
  });
}

export const useExperiments = createSharedComposable(() => useBackgroundExperiments(() => true));

/** The clock for the experiment manager's naive times. */
export const useExperimentTime = () => useManagerTime('experiment');

/** Names rarely change, and a new experiment is shown by its ID until the next read. */
const interval = 120_000;

/** Names of experiments by ID, because workflows contain only IDs. */
export const useExperimentNames = createSharedComposable(() => {
  const live = useManagerQuery(experimentApi, 'getExperiments', {
    schedule: 'experiments',
    input: { number: 0 },
    interval,
  });
  const names = computed(
    () => new Map((live.data.value ?? []).map(({ _id: id, ...each }) => [id, experimentName(each)])),
  );
  return { names, nameOf: (id: string): string => names.value.get(id) || shortId(id) };
});
