/** The workflows that a safety stop pauses, and the moment at which a release may resume them. */
import { describe, expect, it } from 'vitest';
import type { Workflow } from '../managers/workflow.ts';
import type { PausedWorkflow } from './labStop.ts';
import { findWaitingWorkflows, findWorkflowsToPause, resumeState } from './stoppedWorkflows.ts';

function workflow(nodes: readonly (string | null)[], status: Partial<Workflow['status']> = {}): Workflow {
  const flags = { paused: false, completed: false, failed: false, cancelled: false, running: false, terminal: false };
  return {
    name: 'Assay',
    workflow_id: '01JDMWORKFLOW0000000000000',
    steps: nodes.map((node) => ({ node })),
    status: { current_step_index: 0, ...flags, ...status },
  } as unknown as Workflow;
}

describe('findWorkflowsToPause', () => {
  it.each<[string, Workflow, Partial<PausedWorkflow> | null]>([
    ['a queued workflow for the node', workflow(['arm']), { node: 'arm', step: 0, was_running: false }],
    [
      'a workflow that runs elsewhere and continues there',
      workflow(['reader', 'arm'], { running: true }),
      { node: 'arm', was_running: true },
    ],
    [
      'a workflow whose next step is a further one on the node',
      workflow(['arm', 'arm'], { running: true }),
      { step: 0 },
    ],
    ['a workflow whose last step runs on the node', workflow(['arm'], { running: true }), null],
    ['a queued workflow for another node', workflow(['reader', 'arm']), null],
    ['a workflow that is paused already', workflow(['arm'], { paused: true }), null],
    ['a workflow that has ended', workflow(['arm'], { terminal: true }), null],
    ['a built-in step', workflow([null]), null],
  ])('treats %s', (_what, candidate, expected) => {
    const found = findWorkflowsToPause({ a: candidate }, new Set(['arm']));
    if (expected === null) expect(found).toEqual([]);
    else expect(found).toMatchObject([expected]);
  });

  it('finds the workflows that start when the node is released', () => {
    const workflows = { a: workflow(['arm']), b: workflow(['arm'], { running: true }), c: workflow(['reader']) };
    expect(findWaitingWorkflows(workflows, new Set(['arm']))).toEqual(['Assay']);
  });
});

describe('resumeState', () => {
  const paused: PausedWorkflow = { id: 'w', name: 'Assay', node: 'arm', step: 0, was_running: false };
  const current = (status: Partial<Workflow['status']>) => workflow(['arm', 'arm'], { paused: true, ...status });

  it.each<[string, PausedWorkflow, Workflow | undefined, readonly string[], string]>([
    ['is ready outside the queue', paused, current({}), [], 'ready'],
    ['waits while a resume would queue it twice', paused, current({}), ['w'], 'waiting'],
    ['waits while its step would start twice', { ...paused, was_running: true }, current({}), [], 'waiting'],
    [
      'is ready after the end of its step',
      { ...paused, was_running: true },
      current({ current_step_index: 1 }),
      [],
      'ready',
    ],
    ['is done if a person resumed it', paused, current({ paused: false }), [], 'done'],
    ['is done if it was cancelled', paused, current({ terminal: true }), [], 'done'],
    ['is done if it was archived', paused, undefined, [], 'done'],
  ])('%s', (_what, workflowOfStop, now, queue, expected) => {
    expect(resumeState(workflowOfStop, now, new Set(queue))).toBe(expected);
  });
});
