import { describe, expect, it } from 'vitest';
import type { Workflow } from '#api/managers/workflow.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { exceedsConfirmed, type Impact } from '../../managers/guards/decision.ts';
import { actionNames, decideAction, listActions, type ActionName } from './workflowActions.ts';

const queued = sampleWorkflow();
const paused = sampleWorkflow({}, { paused: true });
const busy = sampleNode({ busy: true, ready: false });
const lockOnlyNode = sampleNode({ busy: true, ready: false }, ['lock']);

describe('the actions of a workflow', () => {
  it.each([
    [queued, 'pause'],
    [paused, 'resume'],
    [sampleWorkflow({}, { completed: true }), 'pause'],
  ])('include either pause or resume, and the others', (workflow, first) => {
    expect(listActions(workflow)).toEqual([first, 'cancel', 'retry', 'resubmit']);
  });

  it('are limited to resubmit for a workflow without steps', () => {
    const empty = sampleWorkflow({ steps: [] });
    const allowed = actionNames.filter(
      (action) => decideAction(action, empty, { nodes: {}, workflows: [empty] }, 0).allowed,
    );
    expect(allowed).toEqual(['resubmit']);
  });
});

describe('the confirmed impact of a command on a workflow', () => {
  const steps = [sampleStep(), sampleStep({ node: 'reader' }), sampleStep()];
  const at = (index: number, flags: object = { running: true }) =>
    sampleWorkflow({ steps }, { current_step_index: index, ...flags });
  const impacts = (action: ActionName, workflow: Workflow, arm = busy, others: readonly Workflow[] = []) => {
    const lab = { nodes: { arm, reader: sampleNode() }, workflows: [workflow, ...others] };
    const decision = decideAction(action, workflow, lab, 0);
    return decision.allowed ? decision.impacts : null;
  };
  const isWorse = (previous: readonly Impact[] | null, now: readonly Impact[] | null) =>
    previous === null || now === null || exceedsConfirmed(previous, now);
  const idle = sampleNode();

  it.each(['pause', 'cancel'] as const)(
    'is not exceeded for %s by a later step, on another node or between two steps',
    (action) => {
      const confirmedImpacts = impacts(action, at(0));
      expect(isWorse(confirmedImpacts, impacts(action, at(1)))).toBe(false);
      expect(isWorse(confirmedImpacts, impacts(action, at(1, {}), idle))).toBe(false);
      expect(isWorse(confirmedImpacts, impacts(action, at(2, {}), idle))).toBe(false);
      expect(isWorse(impacts(action, at(1, {}), idle), impacts(action, at(2)))).toBe(false);
    },
  );
  it.each(['pause', 'cancel'] as const)('is exceeded for %s when a step has begun', (action) => {
    expect(isWorse(impacts(action, at(0, {}), idle), impacts(action, at(0)))).toBe(true);
  });
  it.each(['pause', 'cancel'] as const)('is exceeded for %s when the node no longer finishes its step', (action) => {
    expect(isWorse(impacts(action, at(0), lockOnlyNode), impacts(action, at(0)))).toBe(true);
    expect(isWorse(impacts(action, at(0)), impacts(action, at(0), lockOnlyNode))).toBe(false);
  });
  it('is exceeded for pause when other workflows will wait for the node', () => {
    const other = sampleWorkflow({ workflow_id: 'other' });
    expect(isWorse(impacts('pause', at(0)), impacts('pause', at(2, {}), idle, [other]))).toBe(true);
  });
  it('is exceeded for resume when the step would run twice', () => {
    const startedWorkflow = sampleWorkflow(
      { steps: [sampleStep({ start_time: '2026-11-21T14:00:00' })] },
      { paused: true },
    );
    expect(isWorse(impacts('resume', paused, idle), impacts('resume', startedWorkflow, idle))).toBe(true);
    expect(isWorse(impacts('resume', startedWorkflow, idle), impacts('resume', paused, idle))).toBe(false);
  });
});
