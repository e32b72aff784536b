/** Invalid records of managers: a page shows the valid records and reports the invalid one. */
import { expect, it, vi } from 'vitest';
import { respondAsManagers } from '../fixtures/managerResponses.ts';
import { stubTableSize, mountComponent } from '../fixtures/mounted.ts';
import { sampleDatapoint, sampleExperiment } from '../fixtures/sampleRecords.ts';
import ComparePage from '../panels/data/ComparePage.vue';
import EventPage from '../panels/events/EventPage.vue';
import ExperimentsPanel from '../panels/experiments/ExperimentsPanel.vue';
import { feedbackTexts } from '../components/texts.ts';

it('an invalid record is left out of the list and named above it with the reason', async () => {
  stubTableSize();
  respondAsManagers({
    experiment: ({ path }) =>
      path === '/experiments' ? [sampleExperiment('A'), { _id: 'ODD', status: 7 }, sampleExperiment('B')] : [],
  });
  const { page } = mountComponent(ExperimentsPanel);
  await vi.waitFor(() => expect(page.getAllByText('Salt series · run A')).toHaveLength(1));
  expect(page.getAllByText('Salt series · run B')).toHaveLength(1);
  expect(page.getAllByText(feedbackTexts.invalidRecords.title(1))).toHaveLength(1);
  expect(page.getByText(/ODD: /).textContent).toContain('status');
});

it('an invalid datapoint is reported on the comparison page', async () => {
  const odd = { ...sampleDatapoint('01B'), data_type: 7 };
  respondAsManagers({
    data: ({ path }) => (path === '/datapoints/query' ? { '01A': sampleDatapoint('01A'), '01B': odd } : undefined),
  });
  const { page, router } = mountComponent(ComparePage);
  await router.push('/data/compare?ids=01A,01B');
  await vi.waitFor(() => expect(page.getAllByText(feedbackTexts.invalidRecords.title(1))).toHaveLength(1));
});

it('the page of an invalid event shows the reason', async () => {
  respondAsManagers({
    event: ({ path }) => (path === '/event/E' ? { _id: 'E', event_data: {}, log_level: 'odd' } : {}),
  });
  const { page, router } = mountComponent(EventPage);
  await router.push('/events/E');
  await vi.waitFor(() => expect(page.getByRole('main').textContent).toMatch(/event_type|event_timestamp|log_level/));
});
