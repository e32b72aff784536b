import { waitFor } from '@testing-library/dom';
import { afterEach, expect, it, vi } from 'vitest';
import { ref, shallowRef, type ComputedRef } from 'vue';
import type { Workflow } from '#api/managers/workflow.ts';
import { refreshQueries } from '#dashboard/fixtures/locationResponses.ts';
import { respondAsManagers } from '#dashboard/fixtures/managerResponses.ts';
import { runInComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import { useArchivedWorkflows } from '../workcellQueries.ts';
import { toWorkflowRow, type WorkflowRow } from '../workflowRow.ts';
import type { Archive } from './useArchive.ts';
import { useWorkflowRows } from './useWorkflowRows.ts';

afterEach(() => vi.useRealTimers());

/** Advances simulated time until `assertion` passes. */
async function advanceUntil(assertion: () => void): Promise<void> {
  for (let passedMs = 0; passedMs < 10_000; passedMs += 50) {
    await vi.advanceTimersByTimeAsync(50);
    try {
      return assertion();
    } catch {
      // It does not hold yet.
    }
  }
  assertion();
}

it('useWorkflowRows reads the archive again once after a newer list of active workflows', async () => {
  vi.useFakeTimers();
  respondAsManagers({ workcell: ({ path }) => (path === '/workflows/active' ? {} : undefined) });
  const retry = vi.fn();
  const receivedAt = shallowRef<number | null>(null);
  const newest = { data: ref({ rows: [], requestedCount: 50 }), receivedAt, retry };
  runInComponent(() => useWorkflowRows({ newest, lastRead: ref(null) } as unknown as Archive));
  await vi.advanceTimersByTimeAsync(100);
  receivedAt.value = Date.now();
  expect(retry).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5);
  refreshQueries();
  await advanceUntil(() => expect(retry).toHaveBeenCalledTimes(1));
  refreshQueries();
  await vi.advanceTimersByTimeAsync(50);
  expect(retry).toHaveBeenCalledTimes(1);
});

const failed = sampleWorkflow({}, { failed: true });
const { workflow_id: id } = failed;
const byId = (workflow: Workflow) => ({ [id]: workflow });

it('useWorkflowRows keeps the state of a retried workflow until its end has been read', async () => {
  let active = byId(sampleWorkflow({}, { running: true }));
  let respond = (_end: Workflow): void => undefined;
  respondAsManagers({
    workcell: ({ path }) => {
      if (path === '/workflows/active') return active;
      return path === `/workflow/${id}` ? new Promise((resolve) => (respond = resolve)) : undefined;
    },
  });
  const read = ref({ rows: [toWorkflowRow(failed)], requestedCount: 50 });
  const archive = { newest: { data: read, receivedAt: ref(null), retry: vi.fn() }, lastRead: read };
  let rows: ComputedRef<readonly WorkflowRow[]> | undefined;
  runInComponent(() => (rows = useWorkflowRows(archive as unknown as Archive)));
  const states = () => rows?.value.map(({ state }) => state);
  await waitFor(() => expect(states()).toEqual(['running']));
  active = {};
  const seen = new Set<string>();
  refreshQueries();
  await waitFor(() => {
    for (const state of states() ?? []) seen.add(state);
    respond(sampleWorkflow({}, { completed: true }));
    expect(states()).toEqual(['completed']);
  });
  expect([...seen]).not.toContain('failed');
});

it('useArchivedWorkflows shows a workflow as active when it was retried after the archive was read', async () => {
  vi.useFakeTimers();
  let active: Record<string, Workflow> = {};
  respondAsManagers({
    workcell: ({ path }) =>
      path === '/workflows/active' ? active : path === '/workflows/archived' ? byId(failed) : undefined,
  });
  let archived: ReturnType<typeof useArchivedWorkflows> | undefined;
  runInComponent(() => (archived = useArchivedWorkflows(50)));
  const status = () => archived?.data.value?.[id]?.status;
  await advanceUntil(() => expect(status()).toMatchObject({ failed: true }));
  active = byId(sampleWorkflow({}, { running: true }));
  refreshQueries();
  await advanceUntil(() => expect(status()).toMatchObject({ failed: false, running: true }));
});
