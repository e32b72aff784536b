/** The list when its manager is busy, fails, or answers by halves. */
import { afterEach, it, vi } from 'vitest';
import { faultCases, seesFault, type FaultCase } from '../../fixtures/faultCases.ts';
import { sampleExperiment } from '../../fixtures/records.ts';
import ExperimentsPanel from './ExperimentsPanel.vue';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each(faultCases)('says so when it is %s, waits, and keeps what was read', async (...fault: FaultCase) => {
  await seesFault(ExperimentsPanel, 'experiment', [sampleExperiment('a', { run_name: 'salt 1' })], 'salt 1', fault);
});
