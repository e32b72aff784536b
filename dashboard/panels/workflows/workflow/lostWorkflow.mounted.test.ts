/** A running workflow whose manager restarts without its store. */
import { afterEach, expect, it, vi } from 'vitest';
import workcellState from '../../../../api/samples/workcell_state.json' with { type: 'json' };
import { answerAsManagers } from '../../../fixtures/managerAnswers.ts';
import { mounted } from '../../../fixtures/mounted.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../../fixtures/workflow.ts';
import { workflowsTexts } from '../texts.ts';
import WorkflowPage from './WorkflowPage.vue';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('is shown as lost, its duration stands still and no command is offered', async () => {
  vi.useFakeTimers({
    now: Date.UTC(2026, 10, 21, 14, 0, 0),
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
  const running = sampleWorkflow(
    {
      start_time: '2026-11-21T13:59:00',
      steps: [sampleStep({ status: 'running', start_time: '2026-11-21T13:59:00' })],
    },
    { running: true },
  );
  let isLost = false;
  answerAsManagers({
    workcell: ({ path }) => {
      if (path === '/state')
        return {
          ...workcellState,
          workflow_queue: isLost ? [] : [running],
          nodes: { arm: sampleNode({ busy: !isLost }) },
        };
      if (path === '/workflows/active') return isLost ? {} : { [running.workflow_id]: running };
      return path.startsWith('/workflow/') && !isLost ? running : undefined;
    },
  });
  const { page, router } = mounted(WorkflowPage);
  await router.push(`/workflows/${running.workflow_id}`);
  const until = (check: () => void) =>
    vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(500);
      check();
    });
  await until(() => expect(page.getAllByText(/Running step 1 of 1/).length).toBeGreaterThan(0));
  isLost = true;
  await until(() => expect(page.getByText(workflowsTexts.page.lostTitle)).toBeTruthy());
  expect(page.getByText(/Unknown; last known: Running step 1 of 1/)).toBeTruthy();
  for (const name of ['Pause…', 'Cancel…'])
    expect(page.getByRole('button', { name }).getAttribute('title')).toBe(workflowsTexts.actions.lost);
  const durations = () => page.getAllByText(/^at least /).map(({ textContent }) => textContent);
  const before = durations();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(durations()).toEqual(before);
});
