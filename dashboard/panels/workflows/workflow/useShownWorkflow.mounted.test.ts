/**
 * Tests a running workflow that disappears from the list of active ones: its manager restarted without its store, or it
 * ended.
 */
import { afterEach, expect, it, vi } from 'vitest';
import workcellState from '#api/samples/workcell_state.json' with { type: 'json' };
import { respondAsManagers } from '#dashboard/fixtures/managerResponses.ts';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import { workflowsTexts } from '../texts.ts';
import WorkflowPage from './WorkflowPage.vue';

afterEach(() => void vi.useRealTimers());

it('a lost workflow is shown as lost, with a fixed duration and without commands', async () => {
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
  respondAsManagers({
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
  const { page, router } = mountComponent(WorkflowPage);
  await router.push(`/workflows/${running.workflow_id}`);
  const until = (check: () => void) =>
    vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(500);
      check();
    });
  await until(() => expect(page.getAllByText(/Running step 1 of 1/).length).toBeGreaterThan(0));
  isLost = true;
  await until(() => expect(page.getAllByText(workflowsTexts.page.lostTitle)).toHaveLength(1));
  expect(page.getAllByText(/Unknown; last known: Running step 1 of 1/)).toHaveLength(1);
  for (const name of ['Pause…', 'Cancel…'])
    expect(page.getByRole('button', { name }).getAttribute('title')).toBe(workflowsTexts.actions.lost);
  const durations = () => page.getAllByText(/^at least /).map(({ textContent }) => textContent);
  const durationsBefore = durations();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(durations()).toEqual(durationsBefore);
});

it('a workflow that ended during its first request is read again', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const running = sampleWorkflow({ steps: [sampleStep({ status: 'running' })] }, { running: true });
  const ended = {
    ...running,
    ...sampleWorkflow({ steps: [sampleStep({ status: 'succeeded' })] }, { completed: true }),
  };
  let answerFirst: (body: unknown) => void = () => undefined;
  const firstAnswer = new Promise((resolve) => (answerFirst = resolve));
  let hasEnded = false;
  let reads = 0;
  let lists = 0;
  respondAsManagers({
    workcell: ({ path }) => {
      if (path === '/state') return { ...workcellState, workflow_queue: hasEnded ? [] : [running], nodes: {} };
      if (path === '/workflows/active') {
        if (hasEnded) lists += 1;
        return hasEnded ? {} : { [running.workflow_id]: running };
      }
      if (!path.startsWith('/workflow/')) return undefined;
      reads += 1;
      return reads === 1 ? firstAnswer : ended;
    },
  });
  const { page, router } = mountComponent(WorkflowPage);
  await router.push(`/workflows/${running.workflow_id}`);
  const until = (check: () => void) =>
    vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(100);
      check();
    });
  await until(() => expect(page.getAllByText(/Running step 1 of 1/).length).toBeGreaterThan(0));
  hasEnded = true;
  await until(() => expect(lists).toBeGreaterThan(0));
  answerFirst(running);
  await vi.advanceTimersByTimeAsync(2000);
  expect(reads).toBe(2);
  expect(page.getAllByText('Completed').length).toBeGreaterThan(0);
});
