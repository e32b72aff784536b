/** The page of a resource while its resource changes or disappears. */
import { within } from '@testing-library/dom';
import { nextTick } from 'vue';
import { expect, it, vi } from 'vitest';
import type { Resource } from '#api/managers/resourceTypes.ts';
import { respondAsResourceManager, sampleResource } from '#dashboard/fixtures/resourceResponses.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { componentTexts } from '#dashboard/components/texts.ts';
import { useOutcomes } from '#dashboard/managers/commands/outcomes.ts';
import { resourcesTexts } from '../texts.ts';
import ResourcePage from './ResourcePage.vue';

const texts = resourcesTexts.operations;
const rack = sampleResource('R', { resource_name: 'rack' });

async function openRemoval(respondToRemoval: () => unknown) {
  respondAsResourceManager({
    resources: [rack, sampleResource('S', { resource_name: 'shelf' })],
    respondToOther: ({ method }) => (method === 'DELETE' ? respondToRemoval() : rack),
  });
  const mounted = mountComponent(ResourcePage);
  await mounted.router.push({ name: 'resource', params: { id: 'R' } });
  await click(await mounted.page.findByRole('button', { name: texts.menu('rack') }));
  await click(await mounted.page.findByRole('menuitem', { name: texts.remove }));
  const dialog = within(await mounted.page.findByRole('alertdialog'));
  await click(dialog.getByRole('button', { name: texts.remove.replace('…', '') }));
  return mounted;
}

it('the list opens after a removal, also if the page shows the removal first', async () => {
  const { router } = await openRemoval(() => rack);
  await vi.waitFor(() => expect(router.currentRoute.value.name).toBe('resources'));
});

it('a page that was opened while the removal was pending stays open', async () => {
  let respond = (_body: unknown): void => undefined;
  const { router } = await openRemoval(() => new Promise((resolve) => (respond = resolve)));
  await vi.waitFor(() =>
    expect(fetch).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ method: 'DELETE' })),
  );
  await router.push({ name: 'resource', params: { id: 'S' } });
  const push = vi.spyOn(router, 'push');
  respond(rack);
  await vi.waitFor(() => expect(useOutcomes().list).toMatchObject([{ state: 'done' }]));
  for (let tick = 0; tick < 5; tick += 1) await nextTick();
  expect(push).not.toHaveBeenCalled();
});

it('the page of a resource in a plate names its well', async () => {
  const line = (key: string, children: Resource['children']) =>
    sampleResource(`L${key}`, { base_type: 'row', resource_name: `plate_row_${key}`, parent_id: 'P', key, children });
  const tube = sampleResource('T', { resource_name: 'tube', parent_id: 'L2', key: '0' });
  const lines = [line('0', [null, null]), line('1', [null, null]), line('2', [tube, null])] as const;
  respondAsResourceManager({
    resources: [
      sampleResource('P', { base_type: 'grid', resource_name: 'plate', rows: 3, columns: 2, children: [...lines] }),
    ],
  });
  const { page, router } = mountComponent(ResourcePage);
  await router.push({ name: 'resource', params: { id: 'T' } });
  await vi.waitFor(() =>
    expect(page.getByRole('heading', { level: 1 }).textContent).toBe(resourcesTexts.page.wellTitle('tube', 'C1')),
  );
  const trail = within(page.getByRole('navigation')).getAllByRole('link');
  expect(trail.map(({ textContent }) => textContent).slice(1)).toEqual(['plate', 'C1']);
});

it('the title of a well whose resource has the name of the well names it once', () => {
  expect(resourcesTexts.page.wellTitle('C1', 'C1')).toBe('C1');
  expect(resourcesTexts.page.wellTitle('tube', 'C1')).toBe('tube (C1)');
});

it('the form of a resource that another user removed shows the removal and keeps the typed text', async () => {
  let isRemoved = false;
  respondAsResourceManager({
    resources: [rack, sampleResource('S', { resource_name: 'shelf' })],
    respondToOther: () => (isRemoved ? undefined : rack),
  });
  const { page, router } = mountComponent(ResourcePage);
  await router.push({ name: 'resource', params: { id: 'R' } });
  await click(await page.findByRole('button', { name: texts.edit }));
  const description = await page.findByLabelText<HTMLInputElement>(resourcesTexts.edit.description);
  await fill(description, 'By the door');
  isRemoved = true;
  await click(within(page.getByRole('dialog')).getByRole('button', { name: resourcesTexts.edit.save }));
  const notices = () => within(page.getByRole('dialog')).getAllByRole('alert');
  await vi.waitFor(() =>
    expect(notices().map(({ textContent }) => textContent)).toEqual([componentTexts.object.removed('rack')]),
  );
  expect(page.getByRole('heading', { level: 1, hidden: true }).textContent).toBe('rack');
  expect(description.isConnected).toBe(true);
  expect(description.value).toBe('By the door');
});

it('a pool of several units shows their totals, and no sum of them', async () => {
  const consumable = (id: string, unit: string, quantity: number) =>
    sampleResource(id, { base_type: 'continuous_consumable', parent_id: 'P', key: id, quantity, attributes: { unit } });
  const children = { a: consumable('a', 'µl', 300), b: consumable('b', 'mg', 5) };
  const pool = sampleResource('P', { resource_name: 'pool', base_type: 'pool', quantity: 305, children });
  respondAsResourceManager({ resources: [pool], respondToOther: () => pool });
  const { page, router } = mountComponent(ResourcePage);
  await router.push({ name: 'resource', params: { id: 'P' } });
  await vi.waitFor(() => expect(page.getAllByText('300 µl, 5 mg')).toHaveLength(1));
  expect(page.queryByText(/305/)).toBeNull();
});
