import { within } from '@testing-library/dom';
import { beforeEach, expect, it, vi } from 'vitest';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { recordCanvas } from '../../fixtures/recordCanvas.ts';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import { indexById, sampleDatapoint, sampleExperiment } from '../../fixtures/sampleRecords.ts';
import ComparePage from './ComparePage.vue';
import { experimentsTexts } from './texts.ts';

const texts = experimentsTexts.comparing;
beforeEach(() => void recordCanvas());
const ownedBy = (experiment: string) => ({ ownership_info: { experiment_id: experiment } });
const datapoints = indexById(
  sampleDatapoint('D1', { label: 'spectrum', value: [1, 2, 3], ...ownedBy('E1') }),
  sampleDatapoint('D2', { label: 'spectrum', value: [1, 2, 4], ...ownedBy('E2') }),
  sampleDatapoint('D3', { label: 'blank', value: [0, 0, 0], ...ownedBy('E1') }),
  sampleDatapoint('D4', { label: 'blank', value: [0, 0, 0], ...ownedBy('E2') }),
);

async function openComparison() {
  respondAsManagers({
    data: () => datapoints,
    experiment: () => [sampleExperiment('E1', { run_name: 'salt 1' }), sampleExperiment('E2', { run_name: 'salt 2' })],
    workcell: ({ path }) =>
      path === '/state' ? { ...workcellState, nodes: {} } : path.startsWith('/workflows') ? {} : undefined,
  });
  const { page, router } = mountComponent(ComparePage);
  await router.push('/experiments/compare?ids=E1,E2');
  await vi.waitFor(() => expect(page.getAllByRole('rowheader', { name: 'spectrum' })).toHaveLength(1));
  return page;
}

it('the comparison can hide the results that are equal in all experiments', async () => {
  const page = await openComparison();
  expect(page.getAllByRole('rowheader', { name: 'blank' })).toHaveLength(1);
  await click(page.getByRole('checkbox', { name: texts.different }));
  expect(page.getAllByRole('rowheader', { name: 'spectrum' })).toHaveLength(1);
  expect(page.queryByRole('rowheader', { name: 'blank' })).toBeNull();
});

it('the cells of a result link to its datapoints', async () => {
  const page = await openComparison();
  const row = page.getByRole('rowheader', { name: 'spectrum' }).closest('tr');
  const links = within(row ?? document.body).getAllByRole('link', { name: texts.values(3) });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/data/D1', '/data/D2']);
});

it('the plot of the comparison names the series of each experiment', async () => {
  const page = await openComparison();
  const plot = page.getByRole('region', { name: texts.plot });
  await vi.waitFor(() => expect(within(plot).getAllByText(/salt 1/)).toHaveLength(1));
  expect(within(plot).getAllByText(/salt 2/)).toHaveLength(1);
});

it('the heads of the comparison name experiment and run', async () => {
  const page = await openComparison();
  const heads = page.getAllByRole('columnheader').map(({ textContent }) => textContent?.replaceAll(/\s+/g, ' ').trim());
  expect(heads.slice(1)).toEqual(['Salt series · salt 1', 'Salt series · salt 2']);
});
