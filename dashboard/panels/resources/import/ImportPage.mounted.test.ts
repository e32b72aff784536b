import { fireEvent, within } from '@testing-library/dom';
import { defineComponent, h, nextTick } from 'vue';
import { expect, it, vi } from 'vitest';
import type { Resource } from '#api/managers/resourceTypes.ts';
import {
  respondAsResourceManager,
  sampleResource,
  type ResourceResponses,
  type ResourceRequest,
} from '#dashboard/fixtures/resourceResponses.ts';
import { click, mountComponent, stubTableSize } from '#dashboard/fixtures/mounted.ts';
import { useOutcomes } from '#dashboard/managers/commands/outcomes.ts';
import { formatNumber } from '#api/countText.ts';
import { commonTexts } from '#dashboard/base/texts.ts';
import { maxImportBytes } from '#dashboard/components/form/useImportFile.ts';
import { batchTexts } from '../batch/texts.ts';
import ImportPage from './ImportPage.vue';
import { importTexts as texts } from './texts.ts';

const stack = sampleResource('01JAR5ZV1XJ6W3C1V5T0F2N8QY', {
  resource_name: 'stack',
  base_type: 'stack',
  children: [],
});
const existingResource = sampleResource('01JAR5ZV1XJ6W3C1V5T0F2N8QZ', {
  resource_name: 'bottle',
  base_type: 'continuous_consumable',
  quantity: 4,
  capacity: 10,
  attributes: {},
});

/** Mounts the page and selects a file. */
async function openImport(
  content: BlobPart,
  resources: readonly Resource[],
  respondToOther: (request: ResourceRequest) => unknown,
  templates: ResourceResponses['templates'] = [],
) {
  const responses = respondAsResourceManager({ resources, templates, respondToOther });
  let store: ReturnType<typeof useOutcomes> | undefined;
  const mounted = mountComponent(
    defineComponent(() => {
      store = useOutcomes();
      return () => h(ImportPage);
    }),
  );
  const input = mounted.page.getByLabelText<HTMLInputElement>('Choose a file');
  vi.spyOn(input, 'files', 'get').mockReturnValue([new File([content], 'plates.csv')] as unknown as FileList);
  fireEvent.change(input);
  return { page: mounted.page, router: mounted.router, responses, outcomes: () => store?.list ?? [] };
}

it('the import counts lines by effect, sends new resources by position, and recognizes them later', async () => {
  const csv = 'Name;Type;In;Position\np2;asset;stack;2\np1;asset;stack;1\nbottle;;;\nodd;spoon;;\n';
  const pushed: Resource[] = [];
  const { page, responses } = await openImport(csv, [stack, existingResource], ({ body }) => {
    pushed.push({ ...(body as { child: Resource }).child, parent_id: stack.resource_id, key: String(pushed.length) });
    responses.resources = [{ ...stack, children: [...pushed] }, existingResource];
    return responses.resources[0];
  });
  await vi.waitFor(() => expect(page.getAllByText(/2 new, 1 already there, 1 invalid/)).toHaveLength(1));
  expect(page.getAllByText(texts.facts(4, 'UTF-8', 'semicolons'))).toHaveLength(1);
  expect(responses.requests).toEqual([]);
  await click(page.getByRole('button', { name: texts.run(2) }));
  await vi.waitFor(() => expect(page.getAllByText(batchTexts.summary(2, 0, 0, 2))).toHaveLength(1));
  expect(pushed.map(({ resource_name: name }) => name)).toEqual(['p1', 'p2']);
  // The manager has them now, so importing the same file adds nothing.
  await click(page.getByRole('button', { name: texts.again }));
  const input = page.getByLabelText<HTMLInputElement>('Choose a file');
  vi.spyOn(input, 'files', 'get').mockReturnValue([new File([csv], 'plates.csv')] as unknown as FileList);
  fireEvent.change(input);
  await vi.waitFor(() => expect(page.getAllByText(/3 already there, 1 invalid/)).toHaveLength(1));
});

it('the import skips unused columns only after a confirmation', async () => {
  const { page, responses } = await openImport(
    'Name,Type,Volume (µl),Strain\nbroth,continuous_consumable,5,K-12\n',
    [stack],
    ({ body }) => body,
  );
  const run = () => page.getByRole('button', { name: texts.run(1) });
  await vi.waitFor(() => expect(page.getAllByText(texts.unused(['Strain']))).toHaveLength(1));
  expect(run().getAttribute('title')).toBe('Select what the unused columns are, or confirm that they are left out.');
  await click(run());
  expect(responses.requests).toEqual([]);
  await click(page.getByRole('checkbox', { name: texts.leaveOut(1) }));
  await click(run());
  await vi.waitFor(() => expect(responses.requests).toMatchObject([{ body: { resource_name: 'broth', quantity: 5 } }]));
});

it('the import updates existing resources only if the user selects this', async () => {
  const csv = 'Name,Quantity,Capacity\nbottle,12,20\n';
  const { page, responses } = await openImport(csv, [existingResource], ({ path, query }) =>
    path.endsWith('capacity') || path.endsWith('quantity')
      ? { ...existingResource, ...Object.fromEntries([...query].map(([field, value]) => [field, Number(value)])) }
      : existingResource,
  );
  await vi.waitFor(() => expect(page.getAllByText(/1 changed/)).toHaveLength(1));
  expect(page.getByRole('button', { name: texts.run(0) }).getAttribute('aria-disabled')).toBe('true');
  await click(page.getByRole('checkbox', { name: texts.update(1) }));
  await click(page.getByRole('button', { name: texts.run(0, 1) }));
  await vi.waitFor(() => expect(page.getAllByText(batchTexts.summary(1, 0, 0))).toHaveLength(1));
  expect(responses.requests.map(({ path, query }) => `${path.split('/').at(-1) ?? ''}?${query.toString()}`)).toEqual([
    // Checks whether the resource still has the values in the preview.
    `${existingResource.resource_id}?`,
    'capacity?capacity=20',
    'quantity?quantity=12',
  ]);
});

it('the import confirms no line whose response differs, and sends no update of a changed resource', async () => {
  const csv = 'Name,Type,Quantity\nbottle,,8\nbroth,asset,\n';
  let currentResource = existingResource;
  const { page, responses, outcomes } = await openImport(csv, [existingResource], ({ method }) =>
    method === 'GET' ? currentResource : { ...existingResource, resource_name: 'other' },
  );
  await vi.waitFor(() => expect(page.getAllByText(/1 new, 1 changed/)).toHaveLength(1));
  await click(page.getByRole('checkbox', { name: texts.update(1) }));
  await click(page.getByRole('button', { name: texts.run(1, 1) }));
  await vi.waitFor(() => expect(page.getAllByText(batchTexts.summary(0, 2, 0))).toHaveLength(1));
  expect(outcomes()).toMatchObject([{ state: 'unclear' }]);
  // The quantity changes before the import, so the line is read again and not sent.
  currentResource = { ...existingResource, quantity: 3 };
  const sentCount = responses.requests.filter(({ method }) => method !== 'GET').length;
  await click(page.getByRole('button', { name: batchTexts.retry(2) }));
  await vi.waitFor(() => expect(outcomes()[0]).toMatchObject({ text: expect.stringContaining('1 not sent') }));
  expect(responses.requests.filter(({ path }) => path.endsWith('/quantity'))).toHaveLength(1);
  expect(sentCount).toBe(2);
});

it('the use of a column can be selected, and two columns with the use Name are reported', async () => {
  const { page } = await openImport('What,Barcode\ntube,0012\n', [stack], ({ body }) => body);
  await vi.waitFor(() => expect(page.getAllByText('Select the column that has the names.')).toHaveLength(1));
  const use = async (heading: string, title: string) => {
    const select = page.getByLabelText<HTMLSelectElement>(`What “${heading}” is`);
    const position = [...select.options].findIndex(({ text }) => text === title);
    fireEvent.change(select, { target: { value: String(position) } });
    await nextTick();
  };
  await use('What', texts.uses.name);
  await use('Barcode', texts.uses.name);
  await vi.waitFor(() => expect(page.getAllByText(texts.twice([texts.uses.name]))).toHaveLength(1));
  await use('Barcode', texts.uses.attribute);
  await vi.waitFor(() => expect(page.getAllByText(/1 invalid/)).toHaveLength(1));
  const type = page.getByLabelText<HTMLSelectElement>('Type for lines without a type');
  const asset = [...type.options].findIndex(({ text }) => text === 'Asset');
  fireEvent.change(type, { target: { value: String(asset) } });
  await vi.waitFor(() => expect(page.getAllByText(/1 new/)).toHaveLength(1));
});

it('leaving the page requires a confirmation while a file is loaded and not imported', async () => {
  const { page, router } = await openImport('Name,Type\ntube,asset\n', [stack], ({ body }) => body);
  const answer = async (name: string) =>
    click(within(await page.findByRole('alertdialog')).getByRole('button', { name }));
  await vi.waitFor(() => expect(page.getAllByText(/1 new/)).toHaveLength(1));
  const { path } = router.currentRoute.value;
  void router.push('/resources');
  await answer(commonTexts.continueEditing);
  expect(router.currentRoute.value.path).toBe(path);
  await click(page.getByRole('button', { name: texts.run(1) }));
  await vi.waitFor(() => expect(page.getAllByText(batchTexts.summary(1, 0, 0))).toHaveLength(1));
  await router.push('/resources');
  expect(router.currentRoute.value.path).toBe('/resources');
});

it('a binary file is rejected', async () => {
  const { page } = await openImport('PK\0\0', [stack], () => undefined);
  await vi.waitFor(() => expect(page.getByRole('alert').textContent).toContain('not a text file'));
});

const bottle = {
  template_name: 'bottle',
  resource_name: 'bottle',
  base_type: 'continuous_consumable',
  default_values: { quantity: 5, capacity: 10 },
};

it('the import waits for templates and shows why they can’t be read', async () => {
  const csv = 'Name,Type,Template\nb2,continuous_consumable,bottle\n';
  const refusal = Response.json({ detail: 'No database' }, { status: 500 });
  const { page, responses } = await openImport(csv, [stack], ({ body }) => body, refusal);
  await vi.waitFor(() => expect(page.getAllByText(/No database/)).toHaveLength(1));
  expect(page.queryByRole('heading', { name: 'Preview' })).toBeNull();
  responses.templates = [bottle];
  await click(page.getByRole('button', { name: commonTexts.retryNow }));
  await click(await vi.waitFor(() => page.getByRole('button', { name: texts.run(1) })));
  await vi.waitFor(() => expect(page.getAllByText(batchTexts.summary(1, 0, 0))).toHaveLength(1));
  expect(responses.requests.map(({ body }) => body)).toMatchObject([
    { resource_name: 'b2', quantity: 5, capacity: 10 },
  ]);
});

it('the import needs no templates when no line names one', async () => {
  const refusal = Response.json({ detail: 'No database' }, { status: 500 });
  const { page } = await openImport('Name,Type,Template\nb2,asset,\n', [stack], ({ body }) => body, refusal);
  await vi.waitFor(() => expect(page.getAllByRole('button', { name: texts.run(1) })).toHaveLength(1));
});

it('a file above the size limit is not read', async () => {
  const { page } = await openImport(`Name\n${'x'.repeat(maxImportBytes)}`, [stack], () => undefined);
  await vi.waitFor(() => expect(page.getByRole('alert').textContent).toBe('plates.csv is larger than 5 MB.'));
  expect(page.queryByRole('heading', { name: 'Columns' })).toBeNull();
});

it('the import preview shows the numbers that were read', async () => {
  stubTableSize();
  const csv = 'Name;Type;Quantity;Capacity\nbroth;continuous_consumable;1.250,5;2.000,5\n';
  const { page } = await openImport(csv, [stack], () => undefined);
  await vi.waitFor(() => expect(page.getAllByText(/1 new/)).toHaveLength(1));
  await vi.waitFor(() => expect(page.getAllByText(formatNumber(1250.5))).toHaveLength(1));
  expect(page.getAllByText(formatNumber(2000.5))).toHaveLength(1);
});

it('the import reads a file again in the encoding that the user chooses', async () => {
  // “試薬” in Shift_JIS.
  const content = Uint8Array.from([...new TextEncoder().encode('Name,Type\n'), 0x8e, 0x8e, 0x96, 0xf2, 0x2c, 0x0a]);
  const { page } = await openImport(content, [], () => undefined);
  await vi.waitFor(() => expect(page.getAllByText(texts.facts(1, 'Shift_JIS', 'commas'))).toHaveLength(1));
  expect(page.getAllByText('試薬').length).toBeGreaterThan(0);
  const encoding = page.getByLabelText<HTMLSelectElement>('Encoding');
  const option = [...encoding.options].find(({ text }) => text === 'GBK');
  fireEvent.change(encoding, { target: { value: option?.value } });
  await vi.waitFor(() => expect(page.getAllByText(texts.facts(1, 'GBK', 'commas'))).toHaveLength(1));
  expect(page.queryAllByText('試薬')).toEqual([]);
});
