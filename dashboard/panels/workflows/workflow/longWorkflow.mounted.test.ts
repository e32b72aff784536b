/** Tests a workflow with more than 30 steps, whose current one may be far below the top of the page. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { WorkflowStatus } from '#api/managers/workflow.ts';
import { respondAsLab } from '#dashboard/fixtures/workcellResponses.ts';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleStep, sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import WorkflowPage from './WorkflowPage.vue';

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
      status: index < 33 ? 'succeeded' : index === 33 ? 'running' : 'not_started',
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

it('the page of a workflow with 40 steps scrolls to the running step', async () => {
  await openWorkflowPage(40, { running: true, current_step_index: 33 });
  await vi.waitFor(() => expect(scrolledTo).toEqual(['33']));
});

it('the page of a workflow with 40 steps scrolls to the step in its address', async () => {
  await openWorkflowPage(40, { running: true, current_step_index: 33 }, '?step=7');
  await vi.waitFor(() => expect(scrolledTo).toEqual(['7']));
});

it.each([
  ['a completed workflow', 40, { completed: true, current_step_index: 39 }],
  ['a short workflow', 10, { running: true, current_step_index: 3 }],
])('the page of %s does not scroll', async (_name, count, flags) => {
  await openWorkflowPage(count, flags);
  expect(scrolledTo).toEqual([]);
});
