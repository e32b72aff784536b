import { describe, expect, it } from 'vitest';
import type { Node } from '#api/managers/node.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { exceedsConfirmed, type Decision } from './decision.ts';
import { decideCancel, decideCancelNow, decideCancelWhenFree } from './cancelGuards.ts';
import { decidePause, decideResubmit, decideResume, decideRetry } from './guards.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';

const twoSteps = [sampleStep(), sampleStep({ name: 'Read', node: 'reader' })];
const queued = sampleWorkflow({ workflow_id: 'b', name: 'B', steps: twoSteps });
const running = sampleWorkflow({ workflow_id: 'a', name: 'A', steps: twoSteps }, { running: true });
const pausedWorkflow = sampleWorkflow({ workflow_id: 'a', name: 'A', steps: twoSteps }, { paused: true });
const ended = sampleWorkflow({ name: 'A', steps: twoSteps }, { completed: true });

const lab = (node: Node | null, ...workflows: Workflow[]) => ({
  nodes: node === null ? {} : { arm: node, reader: sampleNode() },
  workflows,
});
const readyNode = sampleNode();
const busyNode = sampleNode({ busy: true, ready: false });
const unreachableNode = sampleNode({ disconnected: true, errored: true, ready: false });
const limitedNode = sampleNode({ busy: true, ready: false }, ['lock', 'unlock', 'reset']);
const wait = sampleStep({ node: null, action: 'wait', name: 'Wait' });

function describeDecision(decision: Decision): string {
  return decision.allowed ? decision.effects.join(' ') : `refused: ${decision.reason}`;
}

describe('pausing a workflow', () => {
  it.each([
    [
      'it has ended, and a pause would stop its node for all workflows',
      ended,
      lab(readyNode),
      /^refused: It has ended.*arm/,
    ],
    [
      'it is queued, and its node works for another workflow',
      queued,
      lab(busyNode, running, queued),
      /^refused: .*“A”/,
    ],
    ['it is already paused', pausedWorkflow, lab(readyNode), /^refused: It is paused already/],
    [
      'it is at a built-in step',
      sampleWorkflow({ steps: [wait] }, { running: true }),
      lab(readyNode),
      /^refused: .*\(wait\)/,
    ],
    [
      'it is before a built-in step, where a pause could never be undone',
      sampleWorkflow({ steps: [sampleStep(), wait] }, { running: true }),
      lab(busyNode),
      /^refused: Step 2, the next one/,
    ],
    [
      'its node is unreachable, so that a pause changes nothing',
      running,
      lab(unreachableNode, running),
      /^refused: arm can’t be reached/,
    ],
    [
      'it runs, with the effects on the node and of resuming',
      running,
      lab(busyNode, running),
      /^arm gets the pause.*step 1 is started again/,
    ],
    [
      'its node can’t be paused and continues',
      running,
      lab(limitedNode, running),
      /^arm can’t be paused: it finishes step 1/,
    ],
    [
      'it is queued on an idle node, where a pause blocks others',
      queued,
      lab(readyNode, queued, { ...queued, workflow_id: 'c' }),
      /another workflow in the queue/,
    ],
    ['it has no steps', sampleWorkflow({ steps: [] }), lab(readyNode), /^refused: It has no steps/],
  ])('is decided when %s', (_name, workflow, snapshot, expected) => {
    expect(describeDecision(decidePause(workflow, snapshot))).toMatch(expected);
  });
});

describe('a queued workflow while no workflow runs', () => {
  const decisions = { pause: decidePause, cancel: decideCancel };
  const startedSteps = [sampleStep({ start_time: '2026-11-21T14:02:00' })];
  const pausedOther = sampleWorkflow({ workflow_id: 'a', name: 'A', steps: startedSteps }, { paused: true });
  it.each([
    [
      'pause',
      'of a paused workflow',
      { nodes: { arm: busyNode }, workflows: [pausedOther, queued] },
      /send pause to arm.*paused “A”/,
    ],
    [
      'cancel',
      'of a paused workflow',
      { nodes: { arm: busyNode }, workflows: [pausedOther, queued] },
      /send cancel to arm.*“A”/,
    ],
    [
      'cancel',
      'of an unknown workflow',
      { nodes: { arm: busyNode }, workflows: [queued] },
      /busy with something that is not/,
    ],
  ] as const)('does not offer %s, which would affect the step %s', (action, _whose, now, reason) => {
    expect(decisions[action](queued, now)).toMatchObject({
      allowed: false,
      reason: expect.stringMatching(reason) as string,
    });
  });

  it.each(['pause', 'cancel'] as const)('offers %s when the node does not support the command', (action) => {
    expect(decisions[action](queued, { nodes: { arm: limitedNode }, workflows: [pausedOther, queued] }).allowed).toBe(
      true,
    );
  });

  it('describes what a pause affects when the node does not support the command', () => {
    const decision = decidePause(queued, { nodes: { arm: limitedNode }, workflows: [queued] });
    expect(decision.allowed && decision.effects).toEqual(['Step 1 is not started until the workflow is resumed.']);
  });

  it.each(['pause', 'cancel'] as const)('offers %s when the node is idle', (action) => {
    expect(decisions[action](queued, { nodes: { arm: sampleNode() }, workflows: [queued] }).allowed).toBe(true);
  });

  it('offers a cancel of its own step after it was resumed and describes it', () => {
    const resumed = sampleWorkflow({ steps: startedSteps });
    const decision = decideCancel(resumed, { nodes: { arm: busyNode }, workflows: [resumed] });
    expect(decision.allowed && decision.effects.join(' ')).toMatch(/arm gets the cancel command: it is busy/);
    const pause = decidePause(resumed, { nodes: { arm: busyNode }, workflows: [resumed] });
    expect(pause.allowed && pause.effects).toHaveLength(1);
  });

  it('does not offer a cancel after a retry, because none of its steps is in progress', () => {
    const retriedWorkflow = sampleWorkflow({
      steps: [{ ...sampleStep(), start_time: '2026-11-21T14:02:00', end_time: '2026-11-21T14:03:00' }],
    });
    expect(decideCancel(retriedWorkflow, { nodes: { arm: busyNode }, workflows: [retriedWorkflow] }).allowed).toBe(
      false,
    );
  });

  it('offers a cancel of its own step while it is paused', () => {
    expect(decideCancel(pausedWorkflow, { nodes: { arm: busyNode }, workflows: [pausedWorkflow] }).allowed).toBe(true);
  });
});

describe('resuming a workflow', () => {
  const started = sampleWorkflow(
    { workflow_id: 'a', name: 'A', steps: [sampleStep({ start_time: '2026-11-21T14:00:00' })] },
    { paused: true },
  );
  it.each([
    ['it is not paused', running, lab(busyNode, running), /^refused: It is not paused/],
    ['it has ended', ended, lab(readyNode), /^refused: It has ended/],
    [
      'it is at a built-in step',
      sampleWorkflow({ steps: [wait] }, { paused: true }),
      lab(readyNode),
      /^refused: .*Submit it again/,
    ],
    ['the node still works on it', started, lab(busyNode), /^refused: arm is still working/],
    [
      'the node works for another one',
      started,
      lab(busyNode, { ...running, workflow_id: 'c', name: 'C' }),
      /^refused: .*“C”/,
    ],
    ['the node is unreachable', started, lab(unreachableNode), /^refused: arm can’t be reached/],
    [
      'the node gets no command for it, whichever workflow it works for',
      started,
      lab(limitedNode, { ...running, workflow_id: 'c', name: 'C' }),
      /^Step 1 is started again/,
    ],
    [
      'its step is run again',
      started,
      lab(sampleNode({ paused: true, busy: true })),
      /started again from its beginning/,
    ],
    ['its step had not begun', pausedWorkflow, lab(readyNode), /^arm gets the resume command.*is started on arm/],
  ])('is decided when %s', (_name, workflow, snapshot, expected) => {
    expect(describeDecision(decideResume(workflow, snapshot))).toMatch(expected);
  });
});

describe('cancelling a workflow', () => {
  it.each([
    [
      'it has ended, and a cancel would end the node’s current action',
      ended,
      lab(busyNode),
      /^refused: It has ended.*arm/,
    ],
    [
      'it is queued, and a cancel would end the node’s action for another workflow',
      queued,
      lab(busyNode, running, queued),
      /^refused: .*“A”/,
    ],
    [
      'it is at a built-in step',
      sampleWorkflow({ steps: [wait] }, { running: true }),
      lab(readyNode),
      /^refused: .*can’t cancel/,
    ],
    [
      'it is paused at a built-in step',
      sampleWorkflow({ steps: [wait] }, { paused: true }),
      lab(readyNode),
      /^refused: .*restarts/,
    ],
    ['the node is unreachable', running, lab(unreachableNode, running), /^refused: arm can’t be reached/],
    ['it runs', running, lab(busyNode, running), /ends its action of step 1\. One later step will be skipped/],
    [
      'it is queued and its node is idle',
      queued,
      lab(readyNode, queued),
      /^It is removed from the queue before step 1/,
    ],
    ['it is queued and its busy node can’t cancel', queued, lab(limitedNode, running, queued), /^It is removed/],
    ['it is queued and its node is unknown', queued, lab(null, queued), /^It is removed/],
  ])('is decided when %s', (_name, workflow, snapshot, expected) => {
    expect(describeDecision(decideCancel(workflow, snapshot))).toMatch(expected);
  });

  describe('that waits for another one', () => {
    const snapshot = lab(busyNode, running, queued);
    it('names the workflow that uses its node and can be deferred until the node is idle', () => {
      expect(decideCancel(queued, snapshot)).toMatchObject({ allowed: false, busyNode: 'arm' });
      const whenFree = decideCancelWhenFree(queued, snapshot);
      expect(describeDecision(whenFree)).toMatch(
        /as soon as arm no longer works for “A”.*next to start.*page is closed/,
      );
      // The confirmation covers the workflow's own step, should it start first, and no other work.
      const free = decideCancel(queued, lab(readyNode, queued));
      const started = decideCancel(running, lab(busyNode, running));
      for (const later of [free, started])
        expect(whenFree.allowed && later.allowed && !exceedsConfirmed(whenFree.impacts, later.impacts)).toBe(true);
      const decision = decideCancelNow(queued, snapshot);
      expect(whenFree.allowed && decision.allowed && exceedsConfirmed(whenFree.impacts, decision.impacts)).toBe(true);
    });

    it('is possible at once after the name of the affected workflow is typed', () => {
      const decision = decideCancelNow(queued, snapshot);
      expect(decision).toMatchObject({ allowed: true, confirmationName: 'A', dangerous: true });
      expect(describeDecision(decision)).toMatch(/arm gets the cancel command.*step 1 of “A”, which ends as cancelled/);
      // Another affected workflow needs a new confirmation; with none, the decision is that of a normal cancel.
      const other = sampleWorkflow({ workflow_id: 'c', name: 'C', steps: twoSteps }, { running: true });
      const changed = decideCancelNow(queued, lab(busyNode, other, queued));
      expect(decision.allowed && changed.allowed && exceedsConfirmed(decision.impacts, changed.impacts)).toBe(true);
      expect(decideCancelNow(queued, lab(readyNode, queued))).toEqual(decideCancel(queued, lab(readyNode, queued)));
      expect(decideCancelNow(queued, lab(busyNode, queued))).toMatchObject({ allowed: true, confirmationName: 'arm' });
    });
  });

  it('offers to cancel its transfer workflow when it runs a transfer', () => {
    const move = sampleStep({ node: null, action: 'transfer', args: { source: 'deck', target: 'reader' } });
    const start_time = '2026-11-21T14:00:00';
    const parent = sampleWorkflow({ workflow_id: 'p', steps: [move], start_time }, { running: true });
    const child = sampleWorkflow({
      workflow_id: 'c',
      name: "Transfer: 'deck' -> 'reader'",
      submitted_time: '2026-11-21T14:00:01',
    });
    expect(decideCancel(parent, lab(readyNode, parent, child))).toMatchObject({
      allowed: false,
      alternative: { id: 'c', name: child.name },
    });
    expect(decideCancel(parent, lab(readyNode, parent))).not.toHaveProperty('alternative');
  });

  it('is dangerous for a running workflow', () => {
    expect(decideCancel(running, lab(busyNode, running))).toMatchObject({ allowed: true, dangerous: true });
  });
});

describe('retrying a workflow', () => {
  const failed = sampleWorkflow(
    { steps: [sampleStep({ status: 'succeeded' }), sampleStep({ name: 'Read', node: 'reader' })] },
    { failed: true, current_step_index: 1 },
  );
  const manySteps = sampleWorkflow(
    {
      steps: Array.from({ length: 300 }, (_, index) =>
        sampleStep({ status: index < 49 ? 'succeeded' : 'not_started' }),
      ),
    },
    { failed: true, current_step_index: 49 },
  );
  it.each([
    ['it runs', running, 0, /^refused: It has not ended/],
    ['the step does not exist', failed, 7, /^refused/],
    [
      'it is retried from the chosen step, with the conditions',
      failed,
      1,
      /step 2, Read.*What the step that was completed/,
    ],
    [
      'it is retried, with the number of earlier steps that were completed',
      manySteps,
      299,
      /What the 49 steps .*250 steps before it were not/,
    ],
    ['it is completed, because it starts at its first step in any case', ended, 1, /starts it again at its first step/],
  ])('is decided when %s', (_name, workflow, index, expected) => {
    expect(describeDecision(decideRetry(workflow, index))).toMatch(expected);
  });
});

describe('resubmitting a workflow', () => {
  const submitted = {
    ...ended,
    step_definitions: ended.steps.map(({ name, action, node }) => ({ name, action, node })),
  };

  it('creates a new submission with the same owner', () => {
    const decision = decideResubmit(submitted);
    expect(decision.needsSubmitPage).toBe(false);
    expect(describeDecision(decision)).toMatch(/same experiment and owner/);
  });

  it('opens the submit page to select the files again', () => {
    const decision = decideResubmit({ ...submitted, parameters: { file_inputs: [{ key: 'protocol' }] } });
    expect(decision.needsSubmitPage).toBe(true);
    expect(describeDecision(decision)).toMatch(/protocol/);
  });

  it('opens the submit page when the definition is unknown', () => {
    expect(decideResubmit(ended).needsSubmitPage).toBe(true);
  });
});
