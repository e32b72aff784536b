import { expect, it, vi } from 'vitest';
import { componentTexts } from '../../components/texts.ts';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import { ResourceTestWorker } from '../../fixtures/resourceResponses.ts';
import { sampleLocation } from '../../fixtures/sampleLocation.ts';
import LocationPicker from './LocationPicker.vue';

it('the location picker shows how many further locations match', async () => {
  vi.stubGlobal('Worker', ResourceTestWorker);
  const locations = Array.from({ length: 103 }, (_, index) => sampleLocation(`nest_${index}`));
  respondAsManagers({ location: ({ path }) => (path === '/locations' ? locations : []), resource: () => [] });
  const { page } = mountComponent(LocationPicker, { label: 'From', modelValue: null });
  await click(page.getByRole('combobox'));
  await vi.waitFor(() => expect(document.body.textContent).toContain(componentTexts.combobox.more(3)));
});
