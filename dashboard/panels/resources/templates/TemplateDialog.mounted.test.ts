import { expect, it, vi } from 'vitest';
import type { ResourceTemplate } from '#api/managers/resourceTypes.ts';
import { respondAsResourceManager } from '#dashboard/fixtures/resourceResponses.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { resourcesTexts, templateTexts as texts } from '../texts.ts';
import TemplateDialog from './TemplateDialog.vue';

const rack = {
  template_name: 'rack',
  resource_name: 'rack',
  base_type: 'discrete_consumable',
  description: 'A rack',
  required_overrides: [],
  tags: [],
  version: '1.0.0',
  default_values: { quantity: 96, capacity: 96 },
} as unknown as ResourceTemplate;
const createStoredTemplate = (overrides: Partial<ResourceTemplate>): ResourceTemplate => ({ ...rack, ...overrides });

async function openEditDialog() {
  const responses = respondAsResourceManager({
    templates: [rack],
    respondToOther: ({ body }) => ({ ...rack, ...(body as { updates: object }).updates }),
  });
  const close = vi.fn();
  const mounted = mountComponent(TemplateDialog, { mode: 'edit', template: rack, onClose: close });
  const field = (name: string) =>
    vi.waitFor(() => mounted.page.getByLabelText<HTMLInputElement>(name, { selector: 'input' }));
  // By then the manager's address is available.
  await vi.waitFor(() =>
    expect(fetch).toHaveBeenCalledWith(expect.stringContaining('/templates/query_all'), expect.anything()),
  );
  return { ...mounted, responses, close, field };
}

it('the dialog sends only edited fields, even if the template changed meanwhile', async () => {
  const { page, setProps, responses, field, close } = await openEditDialog();
  await fill(await field(texts.fields.version), '2.0.0');
  const theirs = createStoredTemplate({ description: 'Theirs' });
  responses.templates = [theirs];
  await setProps({ template: theirs });
  await click(page.getByRole('button', { name: texts.save }));
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(responses.requests.map(({ method, body }) => [method, body])).toEqual([
    ['PUT', { updates: { version: '2.0.0' } }],
  ]);
});

it('the dialog shows another user’s change to the same field before it overwrites it', async () => {
  const { page, responses, field, close } = await openEditDialog();
  await fill(await field(texts.fields.version), '2.0.0');
  responses.templates = [createStoredTemplate({ version: '1.5.0' })];
  await click(page.getByRole('button', { name: texts.save }));
  const message = resourcesTexts.edit.conflict(texts.fields.version, '“1.0.0”', '“1.5.0”', '“2.0.0”');
  await vi.waitFor(() => expect(page.getAllByText(message)).toHaveLength(1));
  expect(responses.requests).toEqual([]);
  expect(close).not.toHaveBeenCalled();
  await click(page.getByRole('button', { name: resourcesTexts.edit.overwrite }));
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(responses.requests.map(({ method, body }) => [method, body])).toEqual([
    ['PUT', { updates: { version: '2.0.0' } }],
  ]);
});
