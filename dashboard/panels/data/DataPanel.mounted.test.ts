/** The list when its manager is busy, fails, or sends incomplete responses. */
import { afterEach, it, vi } from 'vitest';
import { faultCases, expectFaultNotice, type FaultCase } from '../../fixtures/faultCases.ts';
import { sampleDatapoint, indexById } from '../../fixtures/sampleRecords.ts';
import DataPanel from './DataPanel.vue';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each(faultCases)(
  'the data page reports that the manager is %s, waits and keeps its data',
  async (...fault: FaultCase) => {
    await expectFaultNotice(
      DataPanel,
      'data',
      indexById(sampleDatapoint('a', { label: 'salt curve' })),
      'salt curve',
      fault,
    );
  },
);
