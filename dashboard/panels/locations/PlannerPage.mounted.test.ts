import { expect, it, vi } from 'vitest';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { ResourceTestWorker, sampleResource } from '../../fixtures/resourceResponses.ts';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import PlannerPage from './PlannerPage.vue';

const slot = (id: string, children: readonly object[]) =>
  sampleResource(id, { base_type: 'slot', capacity: 1, quantity: children.length, children: children as never });
const resources = [slot('EMPTY', []), slot('FULL', [sampleResource('PLATE', { parent_id: 'FULL', key: '0' })])];
const locations = [
  sampleLocation('deck_1', { resource_id: 'EMPTY' }),
  sampleLocation('deck_2', { resource_id: 'FULL' }),
  sampleLocation('bench'),
];

async function planFrom(name: string, target = 'deck_2') {
  vi.stubGlobal('Worker', ResourceTestWorker);
  respondAsManagers({
    location: ({ path }) =>
      path === '/locations'
        ? locations
        : path === '/transfer/plan'
          ? { name: 'Transfer', steps: [{ name: 'carry', node: 'arm', action: 'transfer', locations: {} }] }
          : [],
    resource: () => resources,
  });
  const { page, router } = mountComponent(PlannerPage);
  await router.push(`/locations/plan?from=id-of-${name}&to=id-of-${target}`);
  await vi.waitFor(() => expect(page.getAllByText('transfer on arm')).toHaveLength(1));
  return page;
}

it('the planner shows that the source location is empty', async () => {
  const page = await planFrom('deck_1');
  await vi.waitFor(() =>
    expect(page.getAllByText('deck_1 is empty now: the transfer would find nothing to move.')).toHaveLength(1),
  );
});

it('the planner shows that the content of the source location is not recorded', async () => {
  const page = await planFrom('bench');
  await vi.waitFor(() =>
    expect(
      page.getAllByText(
        'The content of bench is not recorded: the location has no resource. Check it before you transfer from it.',
      ),
    ).toHaveLength(1),
  );
});

it('the planner shows that the target location is occupied', async () => {
  const page = await planFrom('deck_1');
  await vi.waitFor(() =>
    expect(page.getAllByText('deck_2 is occupied now: the transfer would find no free place there.')).toHaveLength(1),
  );
});

it('the planner shows no notice when the source location is occupied and the target location is empty', async () => {
  const page = await planFrom('deck_2', 'deck_1');
  await new Promise((resolve) => void setTimeout(resolve, 100));
  expect(page.queryByText('deck_2 is empty now: the transfer would find nothing to move.')).toBeNull();
  expect(page.queryByText('deck_1 is occupied now: the transfer would find no free place there.')).toBeNull();
});

it('the planner stops loading when a location is cleared while the plan is pending', async () => {
  const requests = respondAsManagers({
    location: ({ path }) => (path === '/transfer/plan' ? new Promise(() => undefined) : locations),
    resource: () => resources,
  });
  vi.stubGlobal('Worker', ResourceTestWorker);
  const { page, router } = mountComponent(PlannerPage);
  await router.push('/locations/plan?from=id-of-deck_1&to=id-of-deck_2');
  await vi.waitFor(() => expect(requests.some(({ path }) => path === '/transfer/plan')).toBe(true));
  await router.push('/locations/plan?from=id-of-deck_1');
  await vi.waitFor(() => expect(page.getAllByText('Choose two locations.')).toHaveLength(1));
});
