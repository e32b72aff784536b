import { waitFor } from '@testing-library/dom';
import { expect, it, vi } from 'vitest';
import {
  respondAsLocationManager,
  withLoadedLocations,
  refreshQueries,
} from '#dashboard/fixtures/locationResponses.ts';
import { sampleLocation } from '#dashboard/fixtures/sampleLocation.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import RepresentationDialog from './RepresentationDialog.vue';
import { representationTexts as texts } from '../texts.ts';

it('a representation is saved for the selected node, even if another one is inserted before it', async () => {
  const rack = sampleLocation('rack');
  const manager = respondAsLocationManager({
    locations: [rack, sampleLocation('bench', { representations: { mover: 1 } })],
    respondToOther: ({ method }) =>
      method === 'GET' ? rack : sampleLocation('rack', { representations: { mover: { slot: 1 } } }),
  });
  const onClose = vi.fn();
  const { page } = mountComponent(withLoadedLocations(RepresentationDialog), { location: rack, node: null, onClose });
  const list = await waitFor(() => page.getByLabelText<HTMLSelectElement>(texts.node));
  expect(list.selectedOptions[0]?.text).toBe('mover');
  manager.locations = [rack, sampleLocation('bench', { representations: { arm: 1, mover: 1 } })];
  refreshQueries();
  await waitFor(() => expect(list.options).toHaveLength(2));
  expect(list.selectedOptions[0]?.text).toBe('mover');
  await fill(page.getByLabelText(texts.value), '{"slot": 1}');
  await click(page.getByRole('button', { name: texts.save }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(manager.requests.map(({ path }) => path)).toEqual([expect.stringMatching(/\/mover$/)]);
});
