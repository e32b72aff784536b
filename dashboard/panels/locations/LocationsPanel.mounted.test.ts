import { expect, it, vi } from 'vitest';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { ResourceTestWorker, sampleResource } from '../../fixtures/resourceResponses.ts';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import LocationsPanel from './LocationsPanel.vue';
import { locationsTexts as texts } from './texts.ts';

it('the header counts locations with unknown contents separately', async () => {
  vi.stubGlobal('Worker', ResourceTestWorker);
  respondAsManagers({
    location: ({ path }) =>
      path === '/locations'
        ? [sampleLocation('deck', { resource_id: 'PLATE' }), sampleLocation('nest', { resource_id: 'MISSING' })]
        : [],
    resource: () => [sampleResource('PLATE')],
  });
  const { page } = mountComponent(LocationsPanel);
  await vi.waitFor(() => expect(page.getAllByText(texts.summary(2, 1, 1))).toHaveLength(1));
});
