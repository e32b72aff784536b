/** The plate of a resource's page: operations on its wells. */
import { fireEvent, within } from '@testing-library/dom';
import { nextTick } from 'vue';
import { expect, it, vi } from 'vitest';
import type { Resource } from '#api/managers/resourceTypes.ts';
import { respondAsResourceManager, sampleResource } from '#dashboard/fixtures/resourceResponses.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { toResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { resourcesTexts } from '../texts.ts';
import { batchTexts, bulkTexts } from '../batch/texts.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';
import PlaceView from './PlaceView.vue';

const well = (id: string, key: string, quantity: number) =>
  sampleResource(id, { resource_name: id, base_type: 'consumable', quantity, capacity: 9, parent_id: 'R', key });
const strip = sampleResource('R', {
  resource_name: 'strip',
  base_type: 'row',
  columns: 3,
  children: [well('a', '0', 1), well('b', '1', 1), null],
});

const wells: Readonly<Record<string, Resource>> = { a: well('a', '0', 1), b: well('b', '1', 1), R: strip };

async function mountPlate(respond: (path: string) => unknown) {
  const responses = respondAsResourceManager({
    resources: [strip],
    respondToOther: ({ method, path }) => (method === 'GET' ? wells[path.split('/')[2] ?? ''] : respond(path)),
  });
  const mounted = mountComponent(PlaceView, { row: toResourceRow(strip), blocked: null });
  await vi.waitFor(() => expect(mounted.page.getAllByRole('gridcell', { name: /^A1, a/ })).toHaveLength(1));
  return { ...mounted, responses };
}

it('a batch continues while the page is out of date, in which no other one starts', async () => {
  const pending: (() => void)[] = [];
  const { page, setProps } = await mountPlate(
    (path) => new Promise((resolve) => pending.push(() => resolve(well(path.split('/')[2] ?? '', '0', 5)))),
  );
  page.getByRole('gridcell', { name: /^A1, a/ }).focus();
  await fireEvent.keyDown(document.activeElement!, { key: 'a', ctrlKey: true });
  await nextTick();
  await click(page.getByRole('button', { name: bulkTexts.quantity }));
  await fill(page.getByLabelText(bulkTexts.quantityField), '5');
  await click(page.getByRole('button', { name: resourcesTexts.operations.save }));
  await vi.waitFor(() => expect(pending).toHaveLength(2));
  await setProps({ blocked: 'The manager does not respond.' });
  expect(page.getByRole('button', { name: bulkTexts.quantity, hidden: true }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  expect(page.getAllByRole('region', { name: batchTexts.title })).toHaveLength(1);
  for (const respond of pending) respond();
  await vi.waitFor(() => expect(page.queryByRole('region', { name: batchTexts.title })).toBeNull());
});

it('an empty well offers to add a resource with its unit there', async () => {
  const { page, router, responses } = await mountPlate(() => ({ ...well('new', '2', 4), resource_name: 'sample' }));
  page.getByRole('gridcell', { name: /^A1, a/ }).focus();
  expect(page.queryByRole('button', { name: resourcesTexts.add })).toBeNull();
  await fireEvent.keyDown(document.activeElement!, { key: 'End' });
  await nextTick();
  await click(await page.findByRole('button', { name: resourcesTexts.add }));
  const dialog = within(await page.findByRole('dialog'));
  expect(dialog.getAllByRole('heading', { name: resourcesTexts.adding.titleAt('A3') })).toHaveLength(1);
  const type = dialog.getByLabelText<HTMLSelectElement>(resourcesTexts.adding.type);
  const consumable = [...type.options].find(({ text }) => text === resourceTexts.type('continuous_consumable'));
  await fireEvent.change(type, { target: { value: consumable?.value } });
  await fill(await dialog.findByLabelText(resourcesTexts.adding.name), 'sample');
  await fill(dialog.getByLabelText(resourcesTexts.adding.quantity), '4');
  await fill(dialog.getByLabelText(resourcesTexts.adding.unit), 'µl');
  const push = vi.spyOn(router, 'push');
  await click(dialog.getByRole('button', { name: resourcesTexts.adding.add }));
  await vi.waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
  expect(responses.requests.findLast(({ method }) => method === 'POST')?.body).toMatchObject({
    resource_name: 'sample',
    parent_id: 'R',
    key: '2',
    quantity: 4,
    attributes: { unit: 'µl' },
  });
  expect(push).not.toHaveBeenCalled();
});
