/** Tests the list of resources, from the response of the resource manager to the rows on the page. */
import { beforeEach, expect, it, vi } from 'vitest';
import { click, stubTableSize, mountComponent } from '../../fixtures/mounted.ts';
import { respondAsResourceManager, sampleResource } from '../../fixtures/resourceResponses.ts';
import ResourcesPanel from './ResourcesPanel.vue';
import { resourcesTexts as texts } from './texts.ts';

beforeEach(() => stubTableSize());
const consumable = (id: string, quantity: number, lowMark: number | null) =>
  sampleResource(id, {
    resource_name: id,
    base_type: 'discrete_consumable',
    quantity,
    capacity: 96,
    attributes: lowMark === null ? {} : { low_mark: lowMark },
  });
/** This low resource is in a rack: the tree shows it only after the rack is expanded. */
const tips = consumable('tips', 4, 10);
const rack = sampleResource('rack', {
  resource_name: 'rack',
  base_type: 'container',
  children: { left: { ...tips, parent_id: 'rack', key: 'left' } },
});
const resources = [
  rack,
  tips,
  consumable('full', 96, 10),
  consumable('used up', 0, 5),
  consumable('unmarked', 0, null),
];

it('a click on the number of low resources lists them at any depth', async () => {
  respondAsResourceManager({ resources });
  const { page, router } = mountComponent(ResourcesPanel);
  await router.push('/resources');
  const link = await vi.waitFor(() => page.getByRole('link', { name: texts.low(2) }));
  await click(link);
  const names = () => [...document.querySelectorAll('a[data-row]')].map((row) => row.textContent?.trim()).toSorted();
  await vi.waitFor(() => expect(names()).toEqual(['tips', 'used up']));
});
