import { defineComponent, h } from 'vue';
import { expect, it, vi } from 'vitest';
import { respondAsLab } from '#dashboard/fixtures/workcellResponses.ts';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import { providePageCommands } from '../commands/pageCommands.ts';
import { workcellTexts } from '../texts.ts';
import NodeActions from './NodeActions.vue';

const texts = workcellTexts.send;
const id = '01JWORKFLOW000000000000001';
const node = sampleNode();
node.info = {
  node_name: 'arm',
  capabilities: { admin_commands: [] },
  actions: { home: { name: 'home', description: 'Go home. It takes a minute.', args: {}, locations: {}, files: {} } },
} as never;

const Page = defineComponent({
  setup() {
    providePageCommands();
    return () =>
      h(NodeActions, {
        name: 'arm',
        node,
        sentActions: [
          { id, action: 'home' },
          { id: 'other', action: 'wash' },
        ],
      });
  },
});

it('the sent action is shown below its form with its values', async () => {
  respondAsLab({
    nodes: { arm: node },
    active: [
      sampleWorkflow({ workflow_id: id, steps: [sampleStep({ action: 'home', args: { speed: 3, axis: 'z' } })] }),
    ],
  });
  const { page, router } = mountComponent(Page);
  expect(page.getAllByText('Go home.')).toHaveLength(1);
  expect(page.queryByText('It takes a minute.')).toBeNull();
  await router.push('/?action=home');
  const sentRegion = await page.findByRole('region', { name: texts.sent });
  expect(page.getAllByText('It takes a minute.')).toHaveLength(1);
  await vi.waitFor(() => expect(sentRegion.textContent).toContain(`speed: 3, axis: z`));
  const button = page.getByRole('button', { name: texts.send });
  expect(button.compareDocumentPosition(sentRegion) & Node.DOCUMENT_POSITION_FOLLOWING).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  );
  // The other one belongs to an action whose form is closed.
  expect(sentRegion.querySelectorAll('ul.sent > li')).toHaveLength(1);
});
