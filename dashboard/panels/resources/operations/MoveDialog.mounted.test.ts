import { fireEvent } from '@testing-library/dom';
import { expect, it, vi } from 'vitest';
import { parseExactJson, stringifyExactJson } from '#api/exactJson.ts';
import { hostileJson } from '#api/fixtures/hostileNumbers.ts';
import type { Resource } from '#api/managers/resourceTypes.ts';
import {
  respondAsResourceManager,
  sampleResource,
  type ResourceRequest,
} from '#dashboard/fixtures/resourceResponses.ts';
import { click, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { toResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';
import { resourcesTexts } from '../texts.ts';
import MoveDialog from './MoveDialog.vue';

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

const rack = sampleResource('G', {
  resource_name: 'rack',
  base_type: 'grid',
  rows: 1,
  columns: 3,
  children: [
    sampleResource('G1', {
      resource_name: 'rack_row',
      base_type: 'row',
      parent_id: 'G',
      key: '0',
      columns: 3,
      children: [sampleResource('X', { parent_id: 'G1', key: '0' }), null, null],
    }),
  ],
});

async function openMove(
  moved: Resource,
  others: readonly Resource[],
  respondToOther: (request: ResourceRequest) => unknown,
) {
  const responses = respondAsResourceManager({ resources: [moved, ...others], respondToOther });
  const mounted = mountComponent(MoveDialog, { row: toResourceRow(moved) });
  const field = await vi.waitFor(() => mounted.page.getByRole<HTMLInputElement>('combobox', { name: texts.target }));
  const list = async (text: string) => {
    await vi.waitFor(() => {
      fireEvent.input(field, { target: { value: text } });
      expect(mounted.page.getAllByRole('option').length).toBeGreaterThan(0);
    });
    return mounted.page.getAllByRole('option');
  };
  return { ...mounted, responses, list };
}

it('a tube is moved into an empty position of a rack with all its digits', async () => {
  const tube = sampleResource('T', { resource_name: 'tube', attributes: parseExactJson(hostileJson) as never });
  const line = (rack.children as readonly Resource[])[0]!;
  const { page, responses, list } = await openMove(tube, [rack], ({ method, path }) => {
    if (method === 'GET') return path.endsWith('/T') ? new Response(stringifyExactJson(tube)) : line;
    return { ...line, children: [null, null, { ...tube, attributes: {}, parent_id: 'G1', key: '2' }] };
  });
  await click((await list('rack'))[0]!);
  const position = page.getByLabelText<HTMLSelectElement>(texts.position);
  expect([...position.options].map(({ text }) => text)).toEqual(['A2', 'A3']);
  await fireEvent.change(position, { target: { value: '1' } });
  await click(page.getByRole('button', { name: texts.move.replace(/…$/, '') }));
  await vi.waitFor(() => expect(responses.requests.at(-1)?.method).toBe('POST'));
  const [, { body } = {}] = vi.mocked(fetch).mock.calls.findLast(([url]) => String(url).endsWith('/G1/child/set'))!;
  expect(body).toContain(`"key":2`);
  expect(body).toContain(hostileJson);
});

it('a move into a position that was filled meanwhile names its resource and offers the other positions', async () => {
  const tube = sampleResource('T', { resource_name: 'tube' });
  const line = (rack.children as readonly Resource[])[0]!;
  const filledLine = {
    ...line,
    children: [...(line.children as Resource[]).slice(0, 2), sampleResource('N', { resource_name: 'new', key: '2' })],
  };
  const { page, responses, list } = await openMove(tube, [rack], ({ path }) =>
    path.endsWith('/T') ? tube : filledLine,
  );
  await click((await list('rack'))[0]!);
  const position = page.getByLabelText<HTMLSelectElement>(texts.position);
  await fireEvent.change(position, { target: { value: '1' } });
  await click(page.getByRole('button', { name: texts.move.replace(/…$/, '') }));
  const reason = resourceTexts.changed.occupied(texts.positionOf('A3', 'rack'), 'new');
  await vi.waitFor(() => expect(page.getByRole('alert').textContent).toContain(reason));
  expect(responses.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  await vi.waitFor(() => expect(page.getAllByText(texts.noPosition)).toHaveLength(1));
  expect([...position.options].map(({ text }) => text)).toContain('A2');
});

it('a move into a removed container names it, without a lookup that the manager logs as an error', async () => {
  const tube = sampleResource('T', { resource_name: 'tube' });
  const { page, responses, list } = await openMove(tube, [slot('slotB')], () => tube);
  await click((await list('slotB'))[0]!);
  responses.historyOf = (id) => (id === 'slotB' ? [{ ...slot('slotB'), version: 2, change_type: 'Removed' }] : []);
  await click(page.getByRole('button', { name: texts.move.replace(/…$/, '') }));
  await vi.waitFor(() => expect(page.getByRole('alert').textContent).toContain(resourceTexts.changed.missing('slotB')));
  expect(responses.requests.map(({ path }) => path)).not.toContain('/resource/slotB');
});

it('containers that accept nothing are listed with the reason and can not be chosen', async () => {
  const stack = sampleResource('S', {
    resource_name: 'stack_full',
    base_type: 'stack',
    capacity: 1,
    children: [slot('x')],
  });
  const { page, list } = await openMove(slot('moved'), [slot('slot_free'), stack, rack], () => undefined);
  const read = async (text: string) => (await list(text)).map(({ textContent }) => textContent);
  expect(await read('_f')).toEqual([expect.stringMatching(/^slot_free/), `stack_full${resourceTexts.notAllowed.full}`]);
  expect(await read('rack')).toEqual([`rack${texts.notTarget.contents}`, `rack_row${texts.notTarget.rowOf('rack')}`]);
  const [option] = await list('stack_full');
  await click(option!);
  expect(page.getByRole<HTMLInputElement>('combobox', { name: texts.target }).value).toBe('stack_full');
  expect(option?.getAttribute('aria-disabled')).toBe('true');
  await fireEvent.submit(page.getByRole('combobox', { name: texts.target }).closest('form')!);
  expect(page.getAllByText(texts.noTarget)).toHaveLength(1);
});
