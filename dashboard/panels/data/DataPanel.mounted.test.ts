/** Tests the order of the datapoints, and their list while the data manager limits requests, fails or responds incompletely. */
import { expect, it, vi } from 'vitest';
import { faultCases, expectFaultNotice, type FaultCase } from '../../fixtures/faultCases.ts';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { stubTableSize, mountComponent } from '../../fixtures/mounted.ts';
import { sampleDatapoint, indexById } from '../../fixtures/sampleRecords.ts';
import DataPanel from './DataPanel.vue';

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

it('the datapoints of a workflow are listed newest first', async () => {
  stubTableSize();
  const hours = ['13', '15', '14'];
  respondAsManagers({
    data: () =>
      indexById(
        ...hours.map((hour) => sampleDatapoint(hour, { label: hour, data_timestamp: `2026-11-21T${hour}:00:00` })),
      ),
  });
  const { page, router } = mountComponent(DataPanel);
  await router.push('/data?workflow=01JWORKFLOW000000000000000');
  await vi.waitFor(() => expect(page.getAllByRole('row')).toHaveLength(4));
  const labels = page.getAllByRole('row').map((row) => row.textContent?.slice(0, 2));
  expect(labels.slice(1)).toEqual(['15', '14', '13']);
});
