/** Tests the workflows on the page of a workcell. */
import { within } from '@testing-library/dom';
import { expect, it, vi } from 'vitest';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { stubTableSize, mountComponent } from '../../fixtures/mounted.ts';
import { sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { workflowStateTexts } from '../../managers/workcell/workflowState.ts';
import WorkcellsPanel from './WorkcellsPanel.vue';

it('the row of a workflow names the workcell manager when its step has no node', async () => {
  stubTableSize();
  const wait = sampleStep({ name: 'Wait', node: null, action: 'wait' });
  const workflow = sampleWorkflow({ name: 'Incubate', steps: [wait] }, { running: true, current_step_index: 0 });
  respondAsManagers({
    workcell: ({ path }) => {
      if (path === '/state') return { ...workcellState, nodes: {} };
      return path === '/workflows/active' ? { [workflow.workflow_id]: workflow } : {};
    },
  });
  const { page, router } = mountComponent(WorkcellsPanel);
  await router.push('/workcells');
  await vi.waitFor(() => expect(page.getAllByRole('row', { name: /Incubate/ })).toHaveLength(1));
  const row = page.getByRole('row', { name: /Incubate/ });
  expect(within(row).getAllByText(workflowStateTexts.builtIn)).toHaveLength(1);
});
