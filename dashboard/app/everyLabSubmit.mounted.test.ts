/** Like `everySubmit.mounted.test.ts`, for forms on pages that send commands to the lab. */
import { fireEvent } from '@testing-library/dom';
import { defineComponent, h, nextTick, type Component } from 'vue';
import { describe, it } from 'vitest';
import workcellState from '../../api/samples/workcell_state.json' with { type: 'json' };
import { respondAsManagers } from '../fixtures/managerResponses.ts';
import { mountComponent } from '../fixtures/mounted.ts';
import { sampleLocation } from '../fixtures/sampleLocation.ts';
import { findForm, submitForm } from '../fixtures/submitForm.ts';
import { sampleNode } from '../fixtures/sampleWorkflow.ts';
import { useWorkcellState } from '../managers/workcell/workcellQueries.ts';
import ArchiveDialog from '../panels/events/ArchiveDialog.vue';
import ImportDialog from '../panels/locations/importing/ImportDialog.vue';
import { importingTexts } from '../panels/locations/texts.ts';
import LocationPage from '../panels/locations/page/LocationPage.vue';
import RepresentationDialog from '../panels/locations/page/RepresentationDialog.vue';
import AddNode from '../panels/workcells/AddNode.vue';
import { providePageCommands } from '../panels/workcells/commands/pageCommands.ts';
import ActionForm from '../panels/workcells/node/ActionForm.vue';
import TemplatesDialog from '../panels/workflows/submit/drafts/TemplatesDialog.vue';
import CommandConfirmation from './notices/CommandConfirmation.vue';
import OutcomeList from './notices/OutcomeList.vue';

describe('a form of the lab', () => {
  const action = {
    name: 'move',
    description: '',
    args: { to: { name: 'to', description: '', argument_type: 'str', required: true, default: null } },
    locations: {},
    files: {},
  };
  const node = sampleNode();
  const nodes = { arm: { ...node, info: { ...node.info!, actions: { move: action } } } };
  const state = { ...workcellState, workflow_queue: [], nodes };
  const bench = sampleLocation('bench', { representations: { arm: {} } });
  const respond = () =>
    void respondAsManagers({
      workcell: ({ path }) => (path === '/state' ? state : {}),
      location: ({ path }) =>
        path === '/locations' ? [bench] : path.startsWith('/location/') || path === '/location' ? bench : [],
      event: () => ({}),
    });
  /** A page that may send commands, rendered after the workcell has been read. */
  const onPage = (form: Component, props: Record<string, unknown>) =>
    defineComponent(() => {
      providePageCommands();
      const read = useWorkcellState();
      return () => (read.data.value === undefined ? null : [h(form, props), h(OutcomeList), h(CommandConfirmation)]);
    });

  it.each<[string, Component, Record<string, unknown>]>([
    ['a new node', AddNode, {}],
    ['an action', ActionForm, { node: 'arm', action, sentActions: [] }],
    [
      'a saved template without a name',
      TemplatesDialog,
      { modelValue: true, store: localStorage, templates: [], text: 'a', suggested: '' },
    ],
    ['events that are archived', ArchiveDialog, { mode: 'selected', ids: ['A'] }],
    ['events before a time', ArchiveDialog, { mode: 'before', ids: [] }],
    ['events that are deleted', ArchiveDialog, { mode: 'delete', ids: [] }],
    ['a representation', RepresentationDialog, { location: bench, node: 'arm' }],
    ['a new representation', RepresentationDialog, { location: bench, node: null }],
  ])('shows an outcome when it is submitted unchanged: %s', async (_name, form, props) => {
    respond();
    mountComponent(onPage(form, props));
    await submitForm(await findForm());
  });

  it.each([
    ['is cleared', '', 'before'],
    ['is negative', '-1', 'delete'],
  ])('shows why events can’t be archived or deleted when the field %s', async (_what, value, kind) => {
    respond();
    mountComponent(ArchiveDialog, { mode: kind, ids: [] });
    const form = await findForm();
    fireEvent.input(form.querySelector('input')!, { target: { value } });
    await nextTick();
    await submitForm(form);
  });

  it('shows why a file of locations contains nothing to import', async () => {
    respond();
    const { page } = mountComponent(ImportDialog);
    const file = await page.findByLabelText(importingTexts.file);
    fireEvent.change(file, { target: { files: [new File(['[{"location_name": "a b"}]'], 'bench.json')] } });
    await page.findByRole('button', { name: importingTexts.action(0) });
    await submitForm(await findForm());
  });

  it('shows an outcome when no resource is chosen to be attached', async () => {
    respond();
    const { router } = mountComponent(LocationPage);
    await router.push('/locations/bench');
    await submitForm(await findForm());
  });
});
