/** What the page reads of the experiment manager. */
import { createSharedComposable } from '@vueuse/core';
import { experimentApi } from '../../../api/experiment.ts';
import { useManagerQuery } from '../transport/managerQuery.ts';

/** Enough to have every one that is still in progress in any lab we know. */
const newest = 50;

/** The newest experiments, newest first. */
export const useExperiments = createSharedComposable(() =>
  useManagerQuery(experimentApi, 'getExperiments', { polled: 'experiments', input: { number: newest } }),
);
