import { describe, expect, it } from 'vitest';
import type { NodeStatus } from '#api/managers/node.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import {
  failureText,
  listNodes,
  progress,
  stepErrorSentences,
  stepState,
  waitingFor,
  workflowState,
  workflowText,
} from './workflowState.ts';

describe('workflowState', () => {
  it.each([
    [{}, 'queued'],
    [{ running: true }, 'running'],
    [{ has_started: true }, 'running'],
    [{ paused: true, running: true }, 'paused'],
    [{ cancelled: true, paused: true }, 'cancelled'],
    [{ failed: true, cancelled: true }, 'failed'],
    [{ completed: true, failed: true }, 'completed'],
  ] as const)('returns for the flags %j: %s', (flags, state) => {
    expect(workflowState(sampleWorkflow({}, flags))).toBe(state);
  });

  it.each([
    ['cancelled', 'cancelled'],
    ['running', 'cancelled'],
    ['not_started', 'cancelled'],
    ['succeeded', 'completed'],
  ] as const)('follows the last step, %s, when the manager sets completed and cancelled: %s', (status, state) => {
    const steps = [sampleStep({ status })];
    expect(workflowState(sampleWorkflow({ steps }, { completed: true, cancelled: true }))).toBe(state);
  });
});

describe('the text of a workflow’s state', () => {
  const steps = [sampleStep(), sampleStep(), sampleStep()];
  it.each([
    [{ running: true, current_step_index: 1 }, 'Running step 2 of 3'],
    [{ current_step_index: 1 }, 'Queued for step 2 of 3'],
    [{ has_started: true, current_step_index: 1 }, 'Running: step 2 of 3 is next'],
    [{}, 'Queued'],
    [{ completed: true, current_step_index: 2 }, 'Completed'],
    [{ failed: true, current_step_index: 7 }, 'Failed at step 3 of 3'],
  ])('is derived from the flags %j: “%s”', (flags, expected) => {
    expect(workflowText(sampleWorkflow({ steps }, flags), {})).toBe(expected);
  });

  it('exists for a workflow without steps', () => {
    expect(workflowText(sampleWorkflow({ steps: [] }, { completed: true }), {})).toBe('Completed');
    expect(workflowText(sampleWorkflow({ steps: [] }, {}), {})).toBe('Queued');
  });
});

describe('a workflow whose node may still execute its step', () => {
  const running = sampleStep({ result: { action_id: 'action-1', status: 'running' } });
  const arm = (status: Partial<NodeStatus>) => sampleNode({ busy: true, running_actions: ['action-1'], ...status });

  it.each([
    ['cancelled', {}, 'Cancelling: arm is still finishing step 1'],
    ['paused', {}, 'Pausing: arm is still finishing step 1'],
    ['cancelled', { locked: true }, 'Cancelling: arm is still finishing step 1'],
    ['paused', { paused: true }, 'Paused at step 1 of 1'],
    ['cancelled', { running_actions: ['of another workflow'] }, 'Cancelled at step 1 of 1'],
    ['cancelled', { busy: false, running_actions: [] }, 'Cancelled at step 1 of 1'],
    ['failed', {}, 'Failed at step 1 of 1'],
  ] satisfies readonly (readonly [string, Partial<NodeStatus>, string])[])(
    'has a text when it is %s and its node is %j: “%s”',
    (flag, status, text) => {
      const workflow = sampleWorkflow({ steps: [running] }, { [flag]: true });
      expect(workflowText(workflow, { arm: arm(status) })).toBe(text);
    },
  );
});

describe('stepState', () => {
  const at = (workflow: Partial<Workflow['status']>, step: Parameters<typeof sampleStep>[0]) =>
    stepState(sampleWorkflow({ steps: [sampleStep(step)] }, workflow), 0);

  it.each([
    ['a late poll wrote “running” into a cancelled workflow', { cancelled: true }, { status: 'running' }, 'cancelled'],
    ['the node of a paused workflow continues', { paused: true }, { status: 'running' }, 'paused'],
    [
      'a running built-in step reports “not started”',
      { running: true },
      { status: 'not_started', node: null },
      'running',
    ],
    ['a running workflow whose node has not responded yet', { running: true }, { status: 'not_started' }, 'running'],
    ['a retried built-in step', { running: true }, { status: 'failed', node: null }, 'running'],
    ['a step that is still to be retried', {}, { status: 'failed' }, 'waiting'],
    ['a queued workflow', {}, { status: 'not_started' }, 'waiting'],
    ['“not ready” is not a failure', {}, { status: 'not_ready' }, 'waiting'],
    ['a state of a later MADSci', { running: true }, { status: 'calibrating' }, 'unknown'],
  ])('corrects the state of a step: %s', (_name, workflow, step, state) => {
    expect(at(workflow, step)).toBe(state);
  });

  it('is unknown for a missing step', () => {
    expect(stepState(sampleWorkflow({ steps: [] }, {}), 3)).toBe('unknown');
  });
});

describe('details of a workflow’s state', () => {
  const failed = sampleStep({
    status: 'failed',
    result: { action_id: 'a', status: 'failed', errors: [{ message: 'out of tips' }, { error_type: 'TipError' }] },
  });

  it('contain no waiting reasons of a running workflow', () => {
    const scheduler_metadata = { reasons: ['Node arm not ready: Node is busy'] };
    expect(waitingFor(sampleWorkflow({ scheduler_metadata }, {}))).toEqual(scheduler_metadata.reasons);
    expect(waitingFor(sampleWorkflow({ scheduler_metadata }, { running: true }))).toEqual([]);
  });

  it('contain the messages of errors, or their types', () => {
    expect(stepErrorSentences(failed)).toEqual(['out of tips', 'TipError']);
    expect(failureText(sampleWorkflow({ steps: [failed] }, { failed: true }))).toBe('out of tips; TipError');
    expect(failureText(sampleWorkflow({ steps: [failed] }, { running: true }))).toBe('');
  });

  it('count the completed steps and name each node once', () => {
    const steps = [
      sampleStep({ status: 'succeeded', node: 'a' }),
      sampleStep({ node: 'b' }),
      sampleStep({ node: 'a' }),
    ];
    expect(progress(sampleWorkflow({ steps }, { current_step_index: 1 }))).toEqual({ done: 1, total: 3 });
    expect(listNodes({ steps: [...steps, sampleStep({ node: null })] })).toEqual(['a', 'b']);
  });

  it('count after a retry only the steps before the current one', () => {
    const steps = Array.from({ length: 4 }, () => sampleStep({ status: 'succeeded' }));
    expect(progress(sampleWorkflow({ steps }, { running: true, current_step_index: 1 })).done).toBe(1);
    expect(progress(sampleWorkflow({ steps }, { failed: true, current_step_index: 1 })).done).toBe(2);
    expect(progress(sampleWorkflow({ steps }, { completed: true, current_step_index: 3 })).done).toBe(4);
    expect(stepState(sampleWorkflow({ steps }, { running: true, current_step_index: 1 }), 2)).toBe('waiting');
  });
});
