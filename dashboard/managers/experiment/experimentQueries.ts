/** What the page reads of the experiment manager. */
import { createSharedComposable } from '@vueuse/core';
import { experimentApi } from '../../../api/experiment.ts';
import { useManagerLive } from '../transport/managerLive.ts';

/** Enough to have every one that is still in progress in any lab we know. */
const newest = 50;

/** The newest experiments, newest first. */
export const useExperiments = createSharedComposable(() =>
  useManagerLive('experiments', experimentApi, {
    of: newest,
    read: (client, options) => client.getExperiments({ number: newest }, options),
  }),
);
