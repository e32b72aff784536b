/** The forms of a node's actions. */
import { expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { respondAsManagers } from '#dashboard/fixtures/managerResponses.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleNode } from '#dashboard/fixtures/sampleWorkflow.ts';
import { useWorkcellState } from '#dashboard/managers/workcell/workcellQueries.ts';
import { providePageCommands } from '../commands/pageCommands.ts';
import NodeActions from './NodeActions.vue';

const actionOf = (name: string) => ({
  name,
  description: '',
  args: { note: { name: 'note', argument_type: 'str', required: true, description: '' } },
});
const node = sampleNode();
const actions = { aspirate: actionOf('aspirate'), dispense: actionOf('dispense') };

it('a form keeps its text while the form of another action is shown', async () => {
  respondAsManagers({
    workcell: ({ path }) => (path === '/state' ? { ...workcellState, workflow_queue: [], nodes: { arm: node } } : {}),
  });
  const props = { name: 'arm', node: { ...node, info: { ...node.info, actions } }, sentActions: [] };
  const { page, router } = mountComponent(
    defineComponent(() => {
      providePageCommands();
      const state = useWorkcellState();
      return () => (state.data.value === undefined ? null : h(NodeActions, props as never));
    }),
  );
  await router.push('/workcells/nodes/arm');
  const toggle = async (name: string) => click(await page.findByRole('button', { name: new RegExp(name) }));
  await toggle('aspirate');
  await fill(await page.findByLabelText('note'), 'slowly');
  await toggle('dispense');
  await vi.waitFor(() => expect(page.getAllByLabelText('note')).toHaveLength(2));
  const [first] = page.getAllByLabelText<HTMLInputElement>('note');
  expect(first?.closest<HTMLElement>('li > div')?.style.display).toBe('none');
  await toggle('aspirate');
  await vi.waitFor(() => expect(first?.closest<HTMLElement>('li > div')?.style.display).toBe(''));
  expect(first?.value).toBe('slowly');
});
