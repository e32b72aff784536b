/** Queries of the experiment manager. */
import { createSharedComposable } from '@vueuse/core';
import { experimentApi } from '#api/managers/experiment.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';
import { computed } from 'vue';
import { shortId } from '../../base/objectPages.ts';
import { experimentName } from './experimentState.ts';

/** The number of experiments that are read: enough to include all that are in progress. */
const experimentLimit = 50;

/** The newest experiments, newest first. */
export const useExperiments = createSharedComposable(() =>
  useManagerQuery(experimentApi, 'getExperiments', { schedule: 'experiments', input: { number: experimentLimit } }),
);

/** The clock for the experiment manager's naive times. */
export const useExperimentTime = () => useManagerTime('experiment');

/** Names rarely change, and a new experiment is shown by its ID until the next read. */
const namesIntervalMs = 120_000;

/** Names of experiments by ID, because workflows contain only IDs. */
export const useExperimentNames = createSharedComposable(() => {
  const live = useManagerQuery(experimentApi, 'getExperiments', {
    schedule: 'experiments',
    input: { number: 0 },
    interval: namesIntervalMs,
  });
  const names = computed(
    () => new Map((live.data.value ?? []).map(({ _id: id, ...experiment }) => [id, experimentName(experiment)])),
  );
  return { names, getExperimentName: (id: string): string => names.value.get(id) || shortId(id) };
});
