import { defineComponent, h } from 'vue';
import { expect, it, vi } from 'vitest';
import type { Resource } from '#api/managers/resourceTypes.ts';
import { respondAsResourceManager, sampleResource } from '#dashboard/fixtures/resourceResponses.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { useResources } from '#dashboard/managers/resource/useResources.ts';
import { resourcesTexts } from '../texts.ts';
import EditDialog from './EditDialog.vue';

it('the dialog describes another user’s change by the label of the field and quoted values', async () => {
  const texts = resourcesTexts.edit;
  const initialResource = sampleResource('ONE', { resource_name: 'one', resource_description: '' });
  let isChanged = false;
  respondAsResourceManager({
    resources: [initialResource],
    respondToOther: () => {
      const response = isChanged ? { ...initialResource, resource_description: 'from API' } : initialResource;
      isChanged = true;
      return response;
    },
  });
  const host = defineComponent({
    props: { open: Boolean },
    setup(input) {
      useResources();
      return () => (input.open ? h(EditDialog, { id: 'ONE', name: 'one' }) : null);
    },
  });
  const { page, setProps } = mountComponent(host, { open: false });
  // The manager's address is available after the first request.
  await vi.waitFor(() =>
    expect(fetch).toHaveBeenCalledWith(expect.stringContaining('/resource/query'), expect.anything()),
  );
  await setProps({ open: true });
  await fill(await vi.waitFor(() => page.getByLabelText<HTMLInputElement>(texts.description)), 'mine');
  await click(page.getByRole('button', { name: texts.save }));
  const message = `${texts.description}: it was not set, is now “from API”, and would be “mine”`;
  await vi.waitFor(() => expect(page.getAllByText(message)).toHaveLength(1));
});

function openDialog(resource: Resource) {
  const responses = respondAsResourceManager({ resources: [resource], respondToOther: () => resource });
  const { page } = mountComponent(
    defineComponent(() => {
      const { index } = useResources();
      return () => (index.value.byId.has('ONE') ? h(EditDialog, { id: 'ONE', name: 'one' }) : null);
    }),
  );
  return { page, responses };
}

it('the dialog states that a changed unit keeps the number, and that a low mark as a text is ignored', async () => {
  const texts = resourcesTexts.edit;
  const attributes = { unit: 'mL' };
  const { page } = openDialog(sampleResource('ONE', { base_type: 'consumable', quantity: 5, attributes }));
  const field = await vi.waitFor(() => page.getByLabelText<HTMLInputElement>(texts.attributes));
  expect(page.queryAllByRole('status')).toHaveLength(0);
  await fill(field, '{"unit": "µL", "low_mark": "12"}');
  const notes = page.getAllByRole('status').map(({ textContent }) => textContent);
  expect(notes).toEqual([resourcesTexts.page.lowMarkIgnored('"12"'), texts.sameNumber('5 mL', '5 µL')]);
});

it('a name of blanks is refused with a reason', async () => {
  const texts = resourcesTexts.edit;
  const { page, responses } = openDialog(sampleResource('ONE', { resource_name: 'one', attributes: {} }));
  await fill(await vi.waitFor(() => page.getByLabelText<HTMLInputElement>(texts.name)), '  ');
  await click(page.getByRole('button', { name: texts.save }));
  expect(page.getAllByText(texts.noName)).toHaveLength(1);
  expect(responses.requests.map(({ method }) => method)).toEqual(['GET']);
});
