import { fireEvent, within } from '@testing-library/dom';
import { nextTick } from 'vue';
import { expect, it, vi } from 'vitest';
import {
  respondAsResourceManager,
  sampleResource,
  type ResourceResponses,
} from '#dashboard/fixtures/resourceResponses.ts';
import { commonTexts } from '#dashboard/base/texts.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { resourcesTexts } from '../texts.ts';
import { batchTexts, fillTexts as texts } from '../batch/texts.ts';
import FillPage from './FillPage.vue';

const strip = sampleResource('STRIP', {
  resource_name: 'strip',
  base_type: 'row',
  columns: 4,
  children: [null, sampleResource('HELD', { resource_name: 'held', parent_id: 'STRIP', key: '1' }), null, null],
});

async function openFillPage(id: string) {
  const mounted = mountComponent(FillPage);
  await mounted.router.push({ path: `/resources/${id}/fill` });
  await vi.waitFor(() => expect(mounted.page.getByRole('heading', { level: 1 }).textContent).not.toBe(''));
  return mounted;
}
const listAddRequests = ({ requests }: ResourceResponses) =>
  requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body] as const);

it('the page shows places and conflicts, and adds each resource with one request', async () => {
  const responses = respondAsResourceManager({
    resources: [strip],
    respondToOther: ({ body }) => body,
  });
  const { page } = await openFillPage('STRIP');
  await vi.waitFor(() => expect(page.getAllByText(texts.occupant('A2', 'held'))).toHaveLength(1));
  await fill(page.getByLabelText(texts.patternField), 'tube_{1..4}');
  await vi.waitFor(() => expect(page.getAllByText(texts.planned(3))).toHaveLength(1));
  expect(page.getAllByText(texts.noRoom(1, 'tube_4'))).toHaveLength(1);
  expect(page.getAllByRole('gridcell', { name: texts.well('A3', 'tube_2') })).toHaveLength(1);
  await click(page.getByRole('button', { name: texts.add(3) }));
  await vi.waitFor(() => expect(page.getAllByText(batchTexts.summary(3, 0, 0))).toHaveLength(1));
  expect(listAddRequests(responses)).toMatchObject([
    ['/resource/add', { base_type: 'continuous_consumable', resource_name: 'tube_1', parent_id: 'STRIP', key: '0' }],
    ['/resource/add', { resource_name: 'tube_2', key: '2', quantity: 0 }],
    ['/resource/add', { resource_name: 'tube_3', key: '3' }],
  ]);
});

it('the page counts the rejected resources and sends only these again', async () => {
  let isFull = true;
  const stack = sampleResource('STACK', { resource_name: 'stack', base_type: 'stack', children: [] });
  const responses = respondAsResourceManager({
    resources: [stack],
    respondToOther: ({ method, body }) => {
      if (method === 'GET') return undefined;
      const { child } = body as { child: { resource_name: string } };
      return isFull && child.resource_name === 'p2'
        ? Response.json({ detail: 'Cannot push: it is full' }, { status: 500 })
        : { ...stack, children: [{ ...sampleResource('P'), ...child }] };
    },
  });
  const { page } = await openFillPage('STACK');
  await vi.waitFor(() => expect(page.getAllByText(texts.endHint.stack)).toHaveLength(1));
  await fill(page.getByLabelText(texts.patternField), 'p{1..3}');
  await click(await vi.waitFor(() => page.getByRole('button', { name: texts.add(3) })));
  await vi.waitFor(() => expect(page.getAllByText(batchTexts.summary(2, 1, 0))).toHaveLength(1));
  expect(listAddRequests(responses).map(([path]) => path)).toEqual(
    Array.from({ length: 3 }, () => '/resource/STACK/push'),
  );
  isFull = false;
  responses.requests.splice(0);
  await click(page.getByRole('button', { name: batchTexts.retry(1) }));
  await vi.waitFor(() => expect(page.getAllByText(batchTexts.summary(3, 0, 0))).toHaveLength(1));
  // The result of the first request is unknown, so all resources are read once; a lookup by ID would be logged as an error.
  expect(responses.requests.map(({ method }) => method)).toEqual(['POST']);
});

it('the page shows the required fields of a template once and sends them with each resource', async () => {
  const template = {
    template_name: 'bottle',
    resource_name: 'bottle_template',
    base_type: 'continuous_consumable',
    required_overrides: ['resource_name', 'attributes.lot'],
    default_values: { quantity: 0, attributes: { unit: 'ml' } },
  };
  const box = sampleResource('BOX', { resource_name: 'box', base_type: 'collection', children: {} });
  const responses = respondAsResourceManager({
    resources: [box],
    templates: [template],
    respondToOther: ({ body }) => body,
  });
  const { page } = await openFillPage('BOX');
  await fill(await vi.waitFor(() => page.getByLabelText(texts.patternField)), 'b{1..2}');
  await click(page.getByRole('button', { name: resourcesTexts.adding.fromTemplate }));
  const lot = await vi.waitFor(() => page.getByLabelText('lot', { selector: 'input' }));
  await click(page.getByRole('button', { name: texts.add(2) }));
  expect(listAddRequests(responses)).toEqual([]);
  fireEvent.input(lot, { target: { value: 'L 7' } });
  await nextTick();
  await click(page.getByRole('button', { name: texts.add(2) }));
  await vi.waitFor(() => expect(listAddRequests(responses)).toHaveLength(2));
  expect(listAddRequests(responses)[1]?.[1]).toMatchObject({
    resource_name: 'b2',
    key: 'b2',
    template_name: 'bottle',
    attributes: { unit: 'ml', lot: 'L 7' },
  });
});

it('leaving the page requires a confirmation before typed text is lost', async () => {
  respondAsResourceManager({ resources: [strip] });
  const { page, router } = await openFillPage('STRIP');
  await router.push('/resources');
  await router.push('/resources/STRIP/fill');
  await fill(await page.findByLabelText(texts.patternField), 'tube_{1..2}');
  void router.push('/resources');
  const answer = async (name: string) =>
    click(within(await page.findByRole('alertdialog')).getByRole('button', { name }));
  await answer(commonTexts.continueEditing);
  expect(router.currentRoute.value.path).toBe('/resources/STRIP/fill');
  void router.push('/resources');
  await answer(commonTexts.discard);
  await vi.waitFor(() => expect(router.currentRoute.value.path).toBe('/resources'));
});
