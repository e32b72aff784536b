/** Tests a workflow with so many steps that the current one is far below the top of the page. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WorkflowStatus } from '../../../../api/managers/workflow.ts';
import { respondAsLab } from '../../../fixtures/workcellResponses.ts';
import { mountComponent } from '../../../fixtures/mounted.ts';
import { sampleStep, sampleWorkflow } from '../../../fixtures/sampleWorkflow.ts';
import WorkflowPage from './WorkflowPage.vue';

// Rendering 330 steps takes seconds, and on a busy machine longer than the usual timeout.
vi.setConfig({ testTimeout: 60_000 });

afterEach(() => void vi.unstubAllGlobals());
let scrolledTo: (string | undefined)[] = [];
beforeEach(() => {
  scrolledTo = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolledTo.push(this instanceof HTMLElement ? this.dataset['step'] : undefined);
  });
});

async function openWorkflowPage(stepCount: number, flags: Partial<WorkflowStatus>, query = '') {
  const steps = Array.from({ length: stepCount }, (_step, index) =>
    sampleStep({
      step_id: `step ${index}`,
      name: `Step ${index + 1}`,
      status: index < 321 ? 'succeeded' : index === 321 ? 'running' : 'not_started',
    }),
  );
  const workflow = sampleWorkflow({ steps }, flags);
  respondAsLab({ active: [workflow], respondToOther: async () => workflow });
  const { router } = mountComponent(WorkflowPage);
  await router.push(`/workflows/${workflow.workflow_id}${query}`);
  // A query by text scans all elements each time, which takes seconds on a busy machine.
  await vi.waitFor(() => expect(document.querySelector('[data-step="0"]')?.textContent).toContain('Step 1'));
  await new Promise((resolve) => void setTimeout(resolve, 0));
}

it('the page of a workflow with 330 steps scrolls to the running step', async () => {
  await openWorkflowPage(330, { running: true, current_step_index: 321 });
  await vi.waitFor(() => expect(scrolledTo).toEqual(['321']));
});

it('the page of a workflow with 330 steps scrolls to the step in its address', async () => {
  await openWorkflowPage(330, { running: true, current_step_index: 321 }, '?step=7');
  await vi.waitFor(() => expect(scrolledTo).toEqual(['7']));
});

it.each([
  ['a completed workflow', 330, { completed: true, current_step_index: 329 }],
  ['a short workflow', 10, { running: true, current_step_index: 3 }],
])('the page of %s does not scroll', async (_name, count, flags) => {
  await openWorkflowPage(count, flags);
  expect(scrolledTo).toEqual([]);
});
