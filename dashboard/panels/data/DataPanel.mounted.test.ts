/** Tests the list of datapoints while the data manager limits requests, fails or sends incomplete responses. */
import { afterEach, it, vi } from 'vitest';
import { faultCases, expectFaultNotice, type FaultCase } from '../../fixtures/faultCases.ts';
import { sampleDatapoint, indexById } from '../../fixtures/sampleRecords.ts';
import DataPanel from './DataPanel.vue';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each(faultCases)(
  'the data page reports that the manager is %s, waits and keeps the last data',
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
