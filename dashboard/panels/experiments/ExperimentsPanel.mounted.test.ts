import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { formatManagerTime } from '#api/time/time.ts';
import { faultCases, expectFaultNotice, type FaultCase } from '../../fixtures/faultCases.ts';
import { respondAsManagers, localTimeZone } from '../../fixtures/managerResponses.ts';
import { stubTableSize, mountComponent } from '../../fixtures/mounted.ts';
import { indexById, sampleEvent, sampleExperiment } from '../../fixtures/sampleRecords.ts';
import ExperimentsPanel from './ExperimentsPanel.vue';
import { experimentsTexts as texts } from './texts.ts';

it.each(faultCases)(
  'the experiment page reports that the manager is %s, waits and keeps the last data',
  async (...fault: FaultCase) => {
    await expectFaultNotice(
      ExperimentsPanel,
      'experiment',
      [sampleExperiment('a', { run_name: 'salt 1' })],
      'Salt series · salt 1',
      fault,
    );
  },
);

/** Simulates an experiment manager with two experiments, and a log with the time of a failure. */
function respondAsLab(campaigns: readonly object[] | null) {
  const started = (hoursAgo: number) => formatManagerTime(new Date(Date.now() - hoursAgo * 3_600_000), localTimeZone);
  const inCampaign = { ownership_info: { campaign_id: '01CAMPA1GN0000000000000SALT' } };
  const failed = sampleExperiment('f', { status: 'failed', run_name: 'salt 1', started_at: started(3), ...inCampaign });
  const old = sampleExperiment('o', {
    status: 'completed',
    run_name: 'salt 0',
    started_at: started(50),
    ...inCampaign,
  });
  const event = sampleEvent('e', {
    event_timestamp: started(1),
    event_data: { event_type: 'experiment_failed', experiment_id: 'f' },
  });
  respondAsManagers({
    experiment: ({ path }) =>
      path === '/experiments' ? [failed, old] : path === '/campaigns' ? (campaigns ?? undefined) : undefined,
    event: ({ path }) => (path === '/events/query' ? indexById(event) : {}),
  });
}

it('the experiment page shows the campaign and the logged time of a failure, and filters by time', async () => {
  stubTableSize();
  respondAsLab([{ campaign_id: '01CAMPA1GN0000000000000SALT', campaign_name: 'Salt screening' }]);
  const { page, router, unmount } = mountComponent(ExperimentsPanel);
  await waitFor(() => expect(page.getAllByText('Salt series · salt 1').length).toBeGreaterThan(0));
  await waitFor(() => expect(page.getAllByText(texts.page.about('2 h'))).toHaveLength(1));
  await waitFor(() => expect(page.getAllByText('Salt screening').length).toBeGreaterThan(0));
  await router.push({ query: { since: 'day' } });
  await waitFor(() => expect(page.queryByText('Salt series · salt 0')).toBeNull());
  expect(page.getAllByText('Salt series · salt 1').length).toBeGreaterThan(0);
  unmount();
});

it('the experiment page shows campaign IDs if the manager can’t list campaigns (MADSci up to 0.8.1)', async () => {
  stubTableSize();
  respondAsLab(null);
  const { page, router, unmount } = mountComponent(ExperimentsPanel);
  await router.push({ query: { as: 'campaigns' } });
  await waitFor(() => expect(page.getAllByText(texts.campaign('…00SALT'))).toHaveLength(1));
  expect(page.getAllByText('1 failed, 1 completed')).toHaveLength(1);
  unmount();
});
