import { defineComponent, h } from 'vue';
import { beforeEach, expect, it, vi } from 'vitest';
import { click, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleStep, sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import { errorTexts } from '#dashboard/managers/errors/errorText.ts';
import { workflowsTexts } from '../texts.ts';
import StepTable from './StepTable.vue';
import WorkflowFacts from './WorkflowFacts.vue';

// No manager responds.
beforeEach(() => void vi.stubGlobal('fetch', () => new Promise(() => undefined)));

const child = '01M7YEVB2R7MFAXG5HCXD0PDDV';
const raw = `Transfer workflow failed during execution: Workflow Move it (${child}) failed on step 0: 'pick' with result:\n action_id='01M815MJ9D44CMP2VBSNSJ9MX3' status=<ActionStatus.FAILED: 'failed'> errors=[Error(message='gripper stalled', logged_at=datetime.datetime(2026, 11, 22, 8, 23, 21, 133405), error_type=None)] json_result=None files=None.`;
const workflow = sampleWorkflow(
  {
    steps: [
      sampleStep({ step_id: 'a', status: 'succeeded' }),
      sampleStep({
        step_id: 'b',
        name: 'Move plate',
        node: null,
        status: 'failed',
        result: { action_id: child, status: 'failed', errors: [{ message: raw }] },
      }),
    ],
  },
  { failed: true, current_step_index: 1 },
);

it('the cause of a failure is shown once, with a link to its workflow and the manager’s text in a disclosure', () => {
  const Page = defineComponent({
    render: () => [
      h(WorkflowFacts, { workflow, parent: null }),
      h(StepTable, { workflow, open: new Set([1]), links: new Map(), stale: false }),
    ],
  });
  const { page } = mountComponent(Page);
  expect(page.getAllByText(/gripper stalled/, { ignore: 'pre' })).toHaveLength(1);
  expect(page.getByRole('link', { name: child }).getAttribute('href')).toBe(`/workflows/${child}`);
  expect(page.getAllByText(errorTexts.raw)).toHaveLength(1);
  expect(page.getAllByText(/datetime\.datetime/)).toHaveLength(1);
  expect(page.getAllByText(workflowsTexts.steps.errorAbove)).toHaveLength(1);
});

it('the state links to the failed step', async () => {
  const onJump = vi.fn();
  const { page } = mountComponent(WorkflowFacts, { workflow, parent: null, jumps: true, onJump });
  await click(page.getByRole('button', { name: /Failed at step 2 of 2/ }));
  expect(onJump).toHaveBeenCalledWith(1);
});
