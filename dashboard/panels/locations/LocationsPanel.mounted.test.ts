import { afterEach, expect, it, vi } from 'vitest';
import { answerAsManagers } from '../../fixtures/managerAnswers.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import { ResourceTestWorker, servedResource } from '../../fixtures/resources.ts';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import LocationsPanel from './LocationsPanel.vue';
import { locationsTexts as texts } from './texts.ts';

afterEach(() => void vi.unstubAllGlobals());

it('the header counts locations with unknown contents separately', async () => {
  vi.stubGlobal('Worker', ResourceTestWorker);
  answerAsManagers({
    location: ({ path }) =>
      path === '/locations'
        ? [sampleLocation('deck', { resource_id: 'PLATE' }), sampleLocation('nest', { resource_id: 'MISSING' })]
        : [],
    resource: () => [servedResource('PLATE')],
  });
  const { page } = mountComponent(LocationsPanel);
  await vi.waitFor(() => expect(page.getAllByText(texts.summary(2, 1, 1))).toHaveLength(1));
});
