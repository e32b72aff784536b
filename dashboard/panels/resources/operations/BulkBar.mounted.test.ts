import { fireEvent, within } from '@testing-library/dom';
import { defineComponent, h, nextTick, ref, type Ref } from 'vue';
import { expect, it, vi } from 'vitest';
import type { Resource } from '#api/managers/resourceTypes.ts';
import {
  respondAsResourceManager,
  sampleResource,
  type ResourceRequest,
} from '#dashboard/fixtures/resourceResponses.ts';
import { click, fill, mountComponent, press } from '#dashboard/fixtures/mounted.ts';
import { useCommandLog } from '#dashboard/managers/commands/commandLog.ts';
import { useOutcomes } from '#dashboard/managers/commands/outcomes.ts';
import { toResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { resourcesTexts } from '../texts.ts';
import { batchTexts, bulkTexts as texts } from '../batch/texts.ts';
import { schemaFormTexts } from '#dashboard/components/form/texts.ts';
import BulkBar from './BulkBar.vue';

const well = (id: string, overrides: Partial<Resource> = {}) =>
  sampleResource(id, {
    resource_name: id,
    base_type: 'continuous_consumable',
    quantity: 1,
    capacity: 10,
    ...overrides,
  });
const wells = [well('a', { attributes: { unit: 'ul', od: 1 } }), well('b', { attributes: { unit: 'ul' } })];
const stack = sampleResource('S', { resource_name: 'stack', base_type: 'stack', capacity: 1, children: [] });

async function mountBulkBar(
  respondToOther: (request: ResourceRequest) => unknown,
  rows: Ref<readonly Resource[]> = ref(wells),
) {
  const onDone = vi.fn();
  const responses = respondAsResourceManager({ resources: [...wells, stack], respondToOther });
  let store: ReturnType<typeof useOutcomes> | undefined;
  const { page } = mountComponent(
    defineComponent(() => {
      store = useOutcomes();
      return () => h(BulkBar, { rows: rows.value.map((resource) => toResourceRow(resource)), onDone });
    }),
  );
  // The manager's address is available after the first request.
  await vi.waitFor(() =>
    expect(fetch).toHaveBeenCalledWith(expect.stringContaining('/resource/query'), expect.anything()),
  );
  const findButton = (name: string) => page.getByRole('button', { name });
  const dialog = () => within(page.getByRole('dialog'));
  return { page, responses, onDone, findButton, dialog, outcomes: () => store?.list ?? [] };
}
const { storedAsZero } = schemaFormTexts.problems;
const idIn = (path: string) => path.split('/')[2] ?? '';

it('the bar sets an attribute on each resource, records each result and repeats only failures', async () => {
  let isLocked = true;
  const { responses, onDone, findButton, dialog } = await mountBulkBar(({ method, path, body }) => {
    if (path.endsWith('/lock') && idIn(path) === 'b' && isLocked)
      return Response.json({ detail: 'Resource b is already locked' }, { status: 409 });
    if (path === '/resource/update') return body;
    return method === 'GET' || path.includes('lock')
      ? wells.find(({ resource_id: id }) => id === idIn(path))
      : undefined;
  });
  await click(findButton(texts.attributes));
  await fill(dialog().getByLabelText(texts.attributeField), 'od');
  expect(dialog().getAllByText(texts.currentValues(['1', resourcesTexts.history.nothing], 2))).toHaveLength(1);
  await click(dialog().getByRole('button', { name: texts.setAction(2) }));
  expect(dialog().getAllByText('Enter a value, or choose to remove the attribute.')).toHaveLength(1);
  await fill(dialog().getByLabelText(texts.valueField), '-0');
  await click(dialog().getByRole('button', { name: texts.setAction(2) }));
  expect(dialog().getAllByText(schemaFormTexts.json.asText(storedAsZero('-0')))).toHaveLength(1);
  await fill(dialog().getByLabelText(texts.valueField), '0.5');
  await click(dialog().getByRole('button', { name: texts.setAction(2) }));
  await vi.waitFor(() => expect(dialog().getAllByText(batchTexts.summary(1, 1, 0))).toHaveLength(1));
  const updates = () => responses.requests.filter(({ path }) => path === '/resource/update').map(({ body }) => body);
  expect(updates()).toMatchObject([{ resource_id: 'a', quantity: 1, attributes: { unit: 'ul', od: 0.5 } }]);
  expect(onDone).not.toHaveBeenCalled();
  // The event manager is unavailable, so the record is pending.
  expect(useCommandLog().pending.map(({ record }) => record.targets)).toEqual([
    [
      { id: 'b', name: 'b', result: 'failed', reason: expect.stringContaining('locked') },
      { id: 'a', name: 'a', result: 'done', reason: '' },
    ],
  ]);
  isLocked = false;
  await click(dialog().getByRole('button', { name: batchTexts.retry(1) }));
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(updates()).toMatchObject([{ resource_id: 'a' }, { resource_id: 'b', attributes: { unit: 'ul', od: 0.5 } }]);
});

it('the dialog warns that not all resources fit into the target and sends nothing', async () => {
  const { page, findButton, responses, dialog } = await mountBulkBar(() => undefined);
  await click(findButton(texts.move));
  const target = dialog().getByRole('combobox', { name: resourcesTexts.operations.target });
  await vi.waitFor(() => {
    fireEvent.input(target, { target: { value: 'stack' } });
    expect(page.getAllByRole('option', { name: /^stack/ })).toHaveLength(1);
  });
  fireEvent.mouseDown(page.getByRole('option', { name: /^stack/ }));
  await click(page.getByRole('option', { name: /^stack/ }));
  await vi.waitFor(() => expect(dialog().getByRole('alert').textContent).toBe(texts.room(1)));
  await click(dialog().getByRole('button', { name: texts.moveAction(2) }));
  expect(responses.requests).toEqual([]);
});

it.each([
  ['sends nothing for a resource that has changed', 7, 5, 'failed', 0],
  ['does not confirm a resource whose response shows another quantity', 1, 1, 'unclear', 2],
  ['confirms resources whose responses show the new quantity', 1, 5, 'done', 2],
])('the bar %s', async (_what, currentQuantity, confirmedQuantity, state, count) => {
  const { responses, findButton, dialog, outcomes } = await mountBulkBar(({ method, path }) =>
    well(idIn(path), { quantity: method === 'GET' ? currentQuantity : confirmedQuantity, attributes: { unit: 'ul' } }),
  );
  await click(findButton(texts.quantity));
  await fill(dialog().getByLabelText(texts.quantityField), '5');
  fireEvent.submit(document.querySelector('form')!);
  await vi.waitFor(() => expect(outcomes()).toMatchObject([{ state }]));
  expect(responses.requests.filter(({ method }) => method !== 'GET')).toHaveLength(count);
});

it('a new operation can start after the results of one with pending requests were closed', async () => {
  const pendingResponses: ((response: object) => void)[] = [];
  const { responses, findButton, dialog, outcomes } = await mountBulkBar(({ method, path }) =>
    method === 'GET'
      ? well(idIn(path), { attributes: { unit: 'ul' } })
      : new Promise((resolve) => pendingResponses.push(resolve)),
  );
  const setQuantity = async (quantity: string) => {
    await click(findButton(texts.quantity));
    await fill(dialog().getByLabelText(texts.quantityField), quantity);
    fireEvent.submit(document.querySelector('form')!);
    await vi.waitFor(() => expect(dialog().getAllByRole('region', { name: batchTexts.title })).toHaveLength(1));
  };
  const countSent = () => responses.requests.filter(({ method }) => method !== 'GET').length;
  await setQuantity('5');
  await vi.waitFor(() => expect(countSent()).toBe(2));
  await press('Escape');
  await setQuantity('6');
  await vi.waitFor(() => expect(countSent()).toBe(4));
  expect(outcomes()).toHaveLength(2);
  for (const respond of pendingResponses) respond({});
  await vi.waitFor(() => expect(outcomes().map(({ state }) => state)).not.toContain('running'));
});

it.each([
  ['removes', texts.remove, texts.removeAction(2)],
  ['changes', texts.quantity, resourcesTexts.operations.save],
])(
  'the bar %s the resources that the dialog lists, also if others are selected meanwhile',
  async (_what, button, action) => {
    const rows = ref<readonly Resource[]>(wells);
    const { page, responses, findButton } = await mountBulkBar(
      ({ path }) => well(idIn(path), { attributes: { unit: 'ul' } }),
      rows,
    );
    await click(findButton(button));
    // The same positions of a plate contain other resources now.
    rows.value = [well('c', { quantity: 5 }), well('d', { quantity: 5 })];
    await nextTick();
    const field = page.queryByLabelText(texts.quantityField);
    if (field !== null) await fill(field, '7');
    await click(page.getByRole('button', { name: action }));
    const sent = () => responses.requests.filter(({ method }) => method !== 'GET').map(({ path }) => idIn(path));
    await vi.waitFor(() => expect(sent()).toEqual(['a', 'b']));
  },
);

it('the bar subtracts an amount from each resource in its unit, so that it counts as use', async () => {
  const { page, responses, findButton, dialog } = await mountBulkBar(({ method, path, query }) =>
    well(idIn(path), {
      quantity: method === 'GET' ? 1 : 1 - Number(query.get('amount')),
      attributes: { unit: 'ul' },
    }),
  );
  await click(findButton(texts.quantity));
  await click(dialog().getByRole('button', { name: resourcesTexts.operations.decrease }));
  expect(dialog().getAllByText('ul')).toHaveLength(1);
  await fill(dialog().getByLabelText(texts.quantityField), '2');
  await click(dialog().getByRole('button', { name: resourcesTexts.operations.save }));
  expect(dialog().getAllByText(resourcesTexts.operations.overAmount('1'))).toHaveLength(1);
  await fill(dialog().getByLabelText(texts.quantityField), '0,25');
  await click(dialog().getByRole('button', { name: resourcesTexts.operations.save }));
  const sent = () => responses.requests.filter(({ method }) => method !== 'GET');
  await vi.waitFor(() => expect(sent().map(({ query }) => query.get('amount'))).toEqual(['0.25', '0.25']));
  expect(sent().map(({ path }) => path)).toEqual(['/resource/a/quantity/decrease', '/resource/b/quantity/decrease']);
  await vi.waitFor(() => expect(useCommandLog().pending.map(({ record }) => record.targets?.length)).toEqual([2]));
  expect(page.queryByRole('alertdialog')).toBeNull();
});
