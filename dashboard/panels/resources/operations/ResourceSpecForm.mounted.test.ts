import { defineComponent, h } from 'vue';
import { expect, it, vi } from 'vitest';
import { resourceApi } from '#api/managers/resource.ts';
import { respondAsResourceManager } from '#dashboard/fixtures/resourceResponses.ts';
import { click, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { useManagerQuery } from '#dashboard/managers/transport/poll/managerQuery.ts';
import { resourcesTexts } from '../texts.ts';
import { getSpecType, type ResourceSpec } from './resourceSpec.ts';
import ResourceSpecForm from './ResourceSpecForm.vue';

const template = (template_name: string, base_type: string) => ({
  template_name,
  resource_name: template_name,
  base_type,
  required_overrides: [],
  default_values: {},
});

it('the form keeps the selected template when another one is inserted before it', async () => {
  const bottle = template('bottle', 'continuous_consumable');
  const responses = respondAsResourceManager({ templates: [bottle] });
  let refresh = async (): Promise<unknown> => undefined;
  const specs: (ResourceSpec | null)[] = [];
  const host = defineComponent(() => {
    ({ refresh } = useManagerQuery(resourceApi, 'getTemplates', { schedule: 'resourceTemplates' }));
    return () => h(ResourceSpecForm, { includesName: true, onChange: (spec: ResourceSpec | null) => specs.push(spec) });
  });
  const { page } = mountComponent(host);
  await click(page.getByRole('button', { name: resourcesTexts.adding.fromTemplate }));
  const select = await vi.waitFor(() => page.getByLabelText<HTMLSelectElement>(resourcesTexts.adding.template));
  responses.templates = [template('adapter', 'asset'), bottle];
  await refresh();
  await vi.waitFor(() => expect([...select.options].map(({ text }) => text)).toEqual(['adapter', 'bottle']));
  expect(select.selectedOptions[0]?.text).toBe('bottle');
  const lastSpec = specs.at(-1) ?? null;
  expect(lastSpec === null ? null : getSpecType(lastSpec)).toBe('continuous_consumable');
});

it('the form shows that the templates could not be loaded, not that there are none', async () => {
  respondAsResourceManager({ templates: Response.json({ detail: 'broken' }, { status: 400 }) });
  const { page } = mountComponent(ResourceSpecForm, { includesName: true });
  await click(page.getByRole('button', { name: resourcesTexts.adding.fromTemplate }));
  const message = await page.findByText(/could not be loaded/);
  expect(message.textContent).toContain('broken');
  expect(page.queryByText(resourcesTexts.adding.noTemplates)).toBeNull();
});
