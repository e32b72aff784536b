import { fireEvent } from '@testing-library/dom';
import { afterEach, expect, it, vi } from 'vitest';
import { respondAsResourceManager, sampleResource } from '../../../fixtures/resourceResponses.ts';
import { click, mountComponent } from '../../../fixtures/mounted.ts';
import { toResourceRow } from '../../../managers/resource/resourceRow.ts';
import { resourcesTexts } from '../texts.ts';
import MoveDialog from './MoveDialog.vue';

afterEach(() => void vi.unstubAllGlobals());

const texts = resourcesTexts.operations;
const slot = (id: string) => sampleResource(id, { resource_name: id, base_type: 'slot', capacity: 1, children: [] });

it('a move that the manager rejects keeps the dialog with its target and shows the reason', async () => {
  const tube = sampleResource('T', { resource_name: 'tube' });
  const responses = respondAsResourceManager({
    resources: [tube, slot('slotB'), slot('slotC')],
    respondToOther: ({ method, path }) =>
      method === 'GET'
        ? path.endsWith('/T')
          ? tube
          : slot('slotB')
        : Response.json({ detail: 'The slot is in use' }, { status: 500 }),
  });
  const onClose = vi.fn();
  const { page } = mountComponent(MoveDialog, { row: toResourceRow(tube), onClose });
  const field = await vi.waitFor(() => page.getByRole<HTMLInputElement>('combobox', { name: texts.target }));
  await vi.waitFor(() => {
    fireEvent.input(field, { target: { value: 'slotB' } });
    expect(page.getAllByRole('option')).toHaveLength(1);
  });
  await click(page.getAllByRole('option')[0]!);
  const move = () => click(page.getByRole('button', { name: texts.move.replace(/…$/, '') }));
  await move();
  await vi.waitFor(() => expect(page.getByRole('alert').textContent).toContain('The slot is in use'));
  expect(field.value).toBe('slotB');
  expect(onClose).not.toHaveBeenCalled();
  // A changed text is no target: nothing is sent to the earlier one.
  responses.requests.splice(0);
  await fireEvent.input(field, { target: { value: 'gridM' } });
  await move();
  expect(responses.requests).toEqual([]);
});
