/** The start and end times of a workflow and its steps are readable without hovering. */
import { beforeEach, expect, it, vi } from 'vitest';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleTime } from '#dashboard/fixtures/sampleLabStatus.ts';
import { sampleStep, sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import { workflowsTexts } from '../texts.ts';
import StepTable from './StepTable.vue';
import WorkflowFacts from './WorkflowFacts.vue';

// No manager responds.
beforeEach(() => void vi.stubGlobal('fetch', () => new Promise(() => undefined)));

it('each step shows its start and end with seconds, or since when it has been running', () => {
  const start_time = sampleTime(13, 52);
  const end_time = new Date(Date.parse(start_time) + 660).toISOString();
  const workflow = sampleWorkflow(
    {
      steps: [
        sampleStep({ step_id: 'a', status: 'succeeded', start_time, end_time }),
        sampleStep({ step_id: 'b', status: 'running', start_time: end_time }),
        sampleStep({ step_id: 'c' }),
      ],
    },
    { running: true, current_step_index: 1 },
  );
  const { page } = mountComponent(StepTable, { workflow, open: new Set(), links: new Map(), stale: false });
  const { fromTo } = workflowsTexts.steps;
  expect(page.getByText(fromTo('13:52:00', '13:52:00')).parentElement?.textContent).toContain('660 ms');
  expect(page.getAllByText(fromTo('13:52:00', null))).toHaveLength(1);
});

it('the page shows no elapsed time for a workflow that was retried after it had ended', async () => {
  const start_time = sampleTime(9, 0);
  const workflow = sampleWorkflow({ start_time, steps: [sampleStep()] });
  const { page, setProps } = mountComponent(WorkflowFacts, { workflow, parent: null });
  expect(page.queryAllByText(/\d+ (min|h|d)/)).not.toHaveLength(0);
  await setProps({ workflow: { ...workflow, end_time: sampleTime(9, 30) } });
  expect(page.queryAllByText(/\d+ (min|h|d)/)).toHaveLength(0);
});
