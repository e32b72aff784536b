/** A press of a submit button always has a visible outcome, also in an empty form. */
import { fireEvent } from '@testing-library/dom';
import { defineComponent, h, nextTick, type Component } from 'vue';
import { describe, expect, it, vi } from 'vitest';
import { respondAsManagers } from '../fixtures/managerResponses.ts';
import { click, mountComponent } from '../fixtures/mounted.ts';
import { respondAsResourceManager, sampleResource } from '../fixtures/resourceResponses.ts';
import { findForm, submitForm } from '../fixtures/submitForm.ts';
import { sampleLocation } from '../fixtures/sampleLocation.ts';
import AddDataDialog from '../managers/records/AddDataDialog.vue';
import AddNoteDialog from '../managers/records/AddNoteDialog.vue';
import { toResourceRow } from '../managers/resource/resourceRow.ts';
import { useAddress } from '../managers/transport/clients.ts';
import StartDialog from '../panels/experiments/StartDialog.vue';
import { templatesTexts, addingTexts } from '../panels/locations/texts.ts';
import { templateTexts, resourcesTexts } from '../panels/resources/texts.ts';
import AddLocation from '../panels/locations/adding/AddDialog.vue';
import EditLocation from '../panels/locations/page/EditDialog.vue';
import LocationTemplate from '../panels/locations/templates/TemplateDialog.vue';
import FillPage from '../panels/resources/fill/FillPage.vue';
import AddResource from '../panels/resources/operations/AddDialog.vue';
import AmountDialog from '../panels/resources/operations/AmountDialog.vue';
import BulkAttributeDialog from '../panels/resources/operations/BulkAttributeDialog.vue';
import BulkMoveDialog from '../panels/resources/operations/BulkMoveDialog.vue';
import ChildDialog from '../panels/resources/operations/ChildDialog.vue';
import EditResource from '../panels/resources/operations/EditDialog.vue';
import MoveDialog from '../panels/resources/operations/MoveDialog.vue';
import ScanField from '../panels/resources/scan/ScanField.vue';
import TemplateDialog from '../panels/resources/templates/TemplateDialog.vue';

const box = sampleResource('B', {
  base_type: 'container',
  children: { a: sampleResource('C', { parent_id: 'B', key: 'a' }) },
});
const stack = sampleResource('S', { base_type: 'stack', children: [] });
const row = toResourceRow(box);
const rules = { whole: false, capacity: null, least: 0, optional: false };

describe('a form that is submitted unchanged', () => {
  it.each<[string, Component, Record<string, unknown>]>([
    ['a new resource', AddResource, {}],
    ['a quantity', AmountDialog, { title: 'Quantity', field: 'Quantity', initial: null, rules }],
    ['a push', ChildDialog, { row: toResourceRow(stack), operation: 'push' }],
    ['a new child', ChildDialog, { row, operation: 'setChild' }],
    ['a move', MoveDialog, { row }],
    ['several moves', BulkMoveDialog, { rows: [row] }],
    ['an attribute', BulkAttributeDialog, { rows: [row] }],
    ['a new template', TemplateDialog, { mode: 'new' }],
    ['a scanned code', ScanField, {}],
  ])('reports missing input: %s', async (_name, form, props) => {
    respondAsResourceManager({ resources: [box, stack] });
    mountComponent(form, props);
    await submitForm(await findForm());
  });

  it.each<[string, Component, Record<string, unknown>, string]>([
    ['a resource', AddResource, {}, resourcesTexts.adding.name],
    ['a resource template', TemplateDialog, { mode: 'new' }, templateTexts.fields.name],
    ['a location template', LocationTemplate, { kind: 'location', stored: null }, templatesTexts.fields.template_name],
    [
      'a representation template',
      LocationTemplate,
      { kind: 'representation', stored: null },
      templatesTexts.fields.template_name,
    ],
  ])('refuses a name of blanks with the reason: %s', async (_name, form, props, label) => {
    respondAsManagers({ resource: () => [], location: () => [] });
    const { page } = mountComponent(form, props);
    const field = await vi.waitFor(() => page.getByLabelText(new RegExp(`^${label}`)));
    fireEvent.input(field, { target: { value: '  ' } });
    await nextTick();
    fireEvent.submit(await findForm());
    await vi.waitFor(() => expect(page.getAllByText('Required: blanks alone are not enough.')).toHaveLength(1));
  });

  it('shows that a resource was not changed', async () => {
    respondAsResourceManager({ resources: [box], respondToOther: () => box });
    const holder = defineComponent(() => {
      const address = useAddress('resource');
      return () => (address.value === null ? null : h(EditResource, { id: 'B', name: 'B' }));
    });
    const { page } = mountComponent(holder);
    await vi.waitFor(() => expect(page.getAllByLabelText(resourcesTexts.edit.name)).toHaveLength(1));
    await submitForm(await findForm());
  });

  it.each<[string, Component, Record<string, unknown>]>([
    ['a new experiment', StartDialog, { loadedRows: [] }],
    ['a new location', AddLocation, {}],
    ['a location', EditLocation, { location: sampleLocation('bench') }],
    ['new data', AddDataDialog, {}],
    ['a note', AddNoteDialog, {}],
    ['a new location template', LocationTemplate, { kind: 'location', stored: null }],
  ])('reports missing or unchanged input: %s', async (_name, form, props) => {
    respondAsManagers({ experiment: () => [], location: () => [] });
    mountComponent(form, props);
    await submitForm(await findForm());
  });

  it.each([
    ['no templates exist', () => []],
    ['the templates can’t be read', () => undefined],
    ['the templates are still being read', () => new Promise(() => undefined)],
  ])('shows why a location can’t be added from a template when %s', async (_name, templates) => {
    respondAsManagers({ location: ({ path }) => (path === '/locations' ? [] : templates()) });
    const { page } = mountComponent(AddLocation);
    await click(await page.findByRole('button', { name: addingTexts.fromTemplate }));
    const name = page.getByLabelText(addingTexts.name);
    fireEvent.input(name, { target: { value: 'shelf' } });
    await nextTick();
    await submitForm(await findForm());
  });
});

describe('the form that adds resources from a template', () => {
  const plainTemplate = {
    ...sampleResource('T', { base_type: 'asset' }),
    template_name: 'plain',
    required_overrides: [],
    default_values: {},
  };
  async function openTemplateForm(templates: readonly object[]) {
    const responses = respondAsResourceManager({ resources: [stack], templates, respondToOther: ({ body }) => body });
    const { page, router } = mountComponent(FillPage);
    await router.push('/resources/S/fill');
    await click(await vi.waitFor(() => page.getByRole('button', { name: resourcesTexts.adding.fromTemplate })));
    return { page, responses };
  }

  it('sends a request for a template without fields', async () => {
    const { page, responses } = await openTemplateForm([plainTemplate]);
    await vi.waitFor(() => expect(page.getAllByText(resourcesTexts.adding.noInputs)).toHaveLength(1));
    fireEvent.submit(await findForm());
    await vi.waitFor(() =>
      expect(responses.requests.filter(({ method }) => method === 'POST').length).toBeGreaterThan(0),
    );
  });

  it('shows on submit that there is no template', async () => {
    const { page } = await openTemplateForm([]);
    fireEvent.submit(await findForm());
    await vi.waitFor(() => expect(page.getByRole('alert').textContent).toContain(resourcesTexts.adding.noTemplates));
  });
});
