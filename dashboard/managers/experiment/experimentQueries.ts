/** What the page reads of the experiment manager. */
import { createSharedComposable } from '@vueuse/core';
import { experimentApi } from '../../../api/managers/experiment.ts';
import { useManagerTime } from '../transport/time/managerTime.ts';
import { useManagerQuery } from '../transport/poll/managerQuery.ts';

/** Enough to have every one that is still in progress in any lab we know. */
const newest = 50;

/** The newest experiments, newest first; nothing is read until `wanted`. */
function useExperimentsBeside(wanted: () => boolean) {
  return useManagerQuery(experimentApi, 'getExperiments', {
    polled: 'experiments',
    input: () => (wanted() ? { number: newest } : null),
  });
}

export const useExperiments = createSharedComposable(() => useExperimentsBeside(() => true));

/** Reads the experiment manager's naive times. */
export const useExperimentTime = () => useManagerTime('experiment');
