/**
 * A table of dialogs whose object is replaced by another one between opening and sending, as by a list that changed or a
 * stale property: what is sent belongs to the object that the dialog showed when it opened.
 */
import { fireEvent, within } from '@testing-library/dom';
import { expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick, type Component } from 'vue';
import workcellState from '../../api/samples/workcell_state.json' with { type: 'json' };
import type { ManagerKey } from '../../api/managers.ts';
import { respondAsManagers, type ManagerRequest } from '../fixtures/managerResponses.ts';
import { click, fill, mountComponent, type Mounted } from '../fixtures/mounted.ts';
import { ResourceTestWorker, sampleResource } from '../fixtures/resourceResponses.ts';
import { sampleLocation } from '../fixtures/sampleLocation.ts';
import { sampleExperiment } from '../fixtures/sampleRecords.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../fixtures/sampleWorkflow.ts';
import { toResourceRow } from '../managers/resource/resourceRow.ts';
import { useResources } from '../managers/resource/useResources.ts';
import { useAddress } from '../managers/transport/clients.ts';
import { useWorkcellState } from '../managers/workcell/workcellQueries.ts';
import ExperimentControls from '../panels/experiments/page/ExperimentControls.vue';
import { experimentsTexts } from '../panels/experiments/texts.ts';
import { withLoadedLocations } from '../fixtures/locationResponses.ts';
import AddRecordButton from '../managers/records/AddRecordButton.vue';
import { recordsTexts } from '../managers/records/texts.ts';
import AddLocation from '../panels/locations/adding/AddDialog.vue';
import { addingTexts, representationTexts, importingTexts, templatesTexts } from '../panels/locations/texts.ts';
import ImportLocations from '../panels/locations/importing/ImportDialog.vue';
import Representations from '../panels/locations/page/Representations.vue';
import TemplatePanel from '../panels/locations/templates/TemplatePanel.vue';
import OperationMenu from '../panels/resources/operations/OperationMenu.vue';
import { resourcesTexts, templateTexts } from '../panels/resources/texts.ts';
import { providePageCommands } from '../panels/workcells/commands/pageCommands.ts';
import WorkflowControls from '../panels/workflows/workflow/WorkflowControls.vue';

interface Subject {
  readonly manager: ManagerKey;
  readonly component: Component;
  readonly props: (name: 'A' | 'B') => Record<string, unknown>;
  readonly open: (page: Mounted['page']) => Promise<unknown>;
  /** Fills the dialog's form, if it has one. */
  readonly enter?: (page: Mounted['page']) => Promise<unknown>;
  readonly response: (request: ManagerRequest) => unknown;
  /** Whether the dialog closes with its object. */
  readonly closes?: boolean;
}

const texts = resourcesTexts.operations;
const tube = (id: string) =>
  sampleResource(id, { resource_name: `tube_${id}`, base_type: 'continuous_consumable', quantity: 5, capacity: 9 });
const isRead = ({ method, path }: ManagerRequest): boolean => method === 'GET' || /query/.test(path);
const withResources = (component: Component): Component =>
  defineComponent({
    props: { row: { type: Object, required: true } },
    setup(props) {
      const { index } = useResources();
      return () =>
        index.value.byId.size === 0 ? null : h(component, { ...props, blocked: null, afterRemoval: () => undefined });
    },
  });
const resource = (open: Subject['open'], enter?: Subject['enter']): Subject => ({
  manager: 'resource',
  component: withResources(OperationMenu),
  props: (name) => ({ row: toResourceRow(tube(name)) }),
  open,
  ...(enter === undefined ? {} : { enter }),
  response: ({ path, body }) => {
    if (path === '/resource/query') return [tube('A'), tube('B')];
    if (path === '/templates/query_all') return [];
    if (path === '/template/create')
      return { ...tube('T'), template_name: (body as { template_name: string }).template_name };
    return path === '/resource/update' ? body : tube(/\/resource\/([AB])/.exec(path)?.[1] ?? 'A');
  },
});
const inMenu =
  (name: string): Subject['open'] =>
  async (page) => {
    await click(await page.findByRole('button', { name: texts.menu('tube_A') }));
    await click(await page.findByRole('menuitem', { name }));
  };
const byButton =
  (name: string): Subject['open'] =>
  async (page) =>
    click(await page.findByRole('button', { name }));
const enterText =
  (label: string, text: string): Subject['enter'] =>
  async (page) =>
    fill(await page.findByLabelText(label), text);

const location = (name: string) => sampleLocation(name, { representations: { arm: { x: name } } });
const workflow = (id: string) =>
  sampleWorkflow(
    { workflow_id: id, name: id, steps: [sampleStep({ start_time: '2026-11-21T14:00:00' })] },
    { running: true },
  );
const withWorkcell = (component: Component, names: readonly string[]): Component =>
  defineComponent({
    props: Object.fromEntries(names.map((name) => [name, null])),
    setup(props) {
      providePageCommands();
      const state = useWorkcellState();
      return () => (state.data.value === undefined ? null : h(component, { ...props }));
    },
  });
const labState = {
  ...workcellState,
  workflow_queue: [workflow('A'), workflow('B')],
  nodes: { arm: sampleNode({ busy: true, ready: false }), reader: sampleNode() },
};

const record = (kind: 'data' | 'note', enter: Subject['enter']): Subject => ({
  manager: kind === 'data' ? 'data' : 'event',
  component: AddRecordButton,
  props: (name) => ({
    record: kind,
    subject: { kind: 'experiment', id: name, name: `run ${name}`, owner: { experiment_id: name } },
  }),
  open: byButton(kind === 'data' ? recordsTexts.addData : recordsTexts.addNote),
  ...(enter && { enter }),
  response: ({ body }) => body,
});
const representation = (open: Subject['open']): Subject => ({
  manager: 'location',
  component: withWorkcell(Representations, ['location', 'blocked', 'readOnly']),
  props: (name) => ({ location: location(name), blocked: null, readOnly: false }),
  open,
  response: ({ path, query }) =>
    path === '/location' ? location(query['name'] ?? query['location_id']?.replace('id-of-', '') ?? 'A') : [],
});
/** A dialog without an object: what is sent belongs to its input. */
const locationInput = (component: Component, enter: Subject['enter']): Subject => ({
  manager: 'location',
  component: withLoadedLocations(component),
  props: () => ({}),
  open: async () => undefined,
  ...(enter && { enter }),
  response: ({ method, path }) => (method === 'GET' && path === '/locations' ? [location('B')] : []),
});

const subjects: Readonly<Record<string, Subject>> = {
  'setting a quantity': resource(byButton(texts.quantity), enterText(texts.amountField, '7')),
  'setting a capacity': resource(inMenu(texts.capacity), enterText(texts.capacityField, '8')),
  'setting a low mark': resource(inMenu(texts.lowMark), enterText(texts.lowMarkField, '2')),
  'editing a resource': resource(byButton(texts.edit), enterText(resourcesTexts.edit.description, 'new')),
  'removing a resource': resource(inMenu(texts.remove)),
  'emptying a resource': resource(inMenu(texts.empty)),
  'a template from a resource': resource(
    inMenu(templateTexts.fromResource),
    enterText(templateTexts.fields.name, 'kit'),
  ),
  'pausing an experiment': {
    manager: 'experiment',
    component: ExperimentControls,
    props: (name) => ({ experiment: sampleExperiment(name, { status: 'in_progress' }), blocked: null, openCount: 0 }),
    open: byButton(`${experimentsTexts.changes.pause.verb}…`),
    response: ({ path }) => sampleExperiment(/experiment\/([AB])/.exec(path)?.[1] ?? 'A', { status: 'in_progress' }),
  },
  'adding a note': record('note', enterText(recordsTexts.note.text, 'Spilled')),
  'adding data': record('data', async (page) => {
    await click(await page.findByRole('button', { name: recordsTexts.data.kinds.value }));
    await fill(page.getByLabelText(recordsTexts.data.name), 'od');
    await fill(page.getByLabelText(new RegExp(`^${recordsTexts.data.value}`), { selector: 'input' }), '1');
  }),
  'removing a representation': representation(byButton(representationTexts.remove)),
  'editing a representation': representation(byButton('Edit…')),
  'adding a representation': representation(byButton(representationTexts.add)),
  'adding a location': locationInput(AddLocation, enterText(addingTexts.name, 'A')),
  'importing locations': locationInput(ImportLocations, async (page) => {
    const files = [new File(['[{location_name: A}]'], 'locations.yaml')];
    fireEvent.change(await page.findByLabelText(importingTexts.file), { target: { files } });
    await page.findByRole('button', { name: importingTexts.action(1) });
  }),
  'deleting a template of locations': {
    manager: 'location',
    component: TemplatePanel,
    props: (name) => ({
      kind: 'location',
      template: { template_name: name, version: '1' },
      dependents: [],
      blocked: null,
    }),
    open: byButton(templatesTexts.delete),
    response: () => ['A', 'B'].map((name) => ({ template_name: name, version: '1' })),
  },
  'cancelling a workflow': {
    manager: 'workcell',
    component: withWorkcell(WorkflowControls, ['workflow', 'stale']),
    props: (name) => ({ workflow: workflow(name), stale: false }),
    open: byButton('Cancel…'),
    closes: true,
    response: ({ path }) =>
      path === '/workflows/active'
        ? { A: workflow('A'), B: workflow('B') }
        : workflow(/workflow\/([AB])/.exec(path)?.[1] ?? 'A'),
  },
};

it.each(Object.entries(subjects))('%s is sent for the object that the dialog showed', async (_what, subject) => {
  vi.stubGlobal('Worker', ResourceTestWorker);
  const requests = respondAsManagers({
    workcell: (request) =>
      request.path === '/state' ? labState : subject.manager === 'workcell' ? subject.response(request) : {},
    ...(subject.manager === 'workcell' ? {} : { [subject.manager]: subject.response }),
  });
  const host = defineComponent({
    props: { subject: { type: Object, required: true } },
    setup(props) {
      const address = useAddress(subject.manager);
      return () => (address.value === null ? null : h(subject.component, props['subject']));
    },
  });
  const frame = document.createElement('div');
  frame.className = 'frame';
  document.body.append(frame);
  const { page, setProps } = mountComponent(host, { subject: subject.props('A') });
  await subject.open(page);
  const dialog = await vi.waitFor(() => page.queryByRole('dialog') ?? page.getByRole('alertdialog'));
  await subject.enter?.(page);
  await setProps({ subject: subject.props('B') });
  await nextTick();
  if (subject.closes === true) return void (await vi.waitFor(() => expect(page.queryByRole('alertdialog')).toBeNull()));
  const buttons = within(dialog).queryAllByRole('button');
  const form = dialog.querySelector('form');
  if (form === null) fireEvent.click(buttons.at(-1)!);
  else fireEvent.submit(form);
  const sent = () => requests.filter((request) => request.manager === subject.manager && !isRead(request));
  await vi.waitFor(() => expect(sent().length).toBeGreaterThan(0));
  for (const { path, body } of sent()) expect(`${path} ${JSON.stringify(body)}`).toMatch(/\bA\b|tube_A/);
  for (const { path, body } of sent()) expect(`${path} ${JSON.stringify(body)}`).not.toMatch(/[/"]B\b|id-of-B|tube_B/);
});
