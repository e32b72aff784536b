import { describe, expect, it } from 'vitest';
import { sampleNode, sampleStep, sampleWorkflow } from '../../managers/sampleWorkflow.ts';
import { actionNames, decide, samePromise, shownActions } from './decide.ts';

const queued = sampleWorkflow();
const held = sampleWorkflow({}, { paused: true });
const busy = sampleNode({ busy: true, ready: false });
const simple = sampleNode({ busy: true, ready: false }, ['lock']);

describe('what is shown', () => {
  it.each([
    [queued, 'pause'],
    [held, 'resume'],
    [sampleWorkflow({}, { completed: true }), 'pause'],
  ])('is one of pause and resume, and the rest', (workflow, first) => {
    expect(shownActions(workflow)).toEqual([first, 'cancel', 'retry', 'resubmit']);
  });

  it('decides everything of a workflow without steps', () => {
    const empty = sampleWorkflow({ steps: [] });
    const decisions = actionNames.map((action) => decide(action, empty, { nodes: {}, workflows: [empty] }, 0).allowed);
    expect(decisions).toEqual([false, false, false, false, true]);
  });
});

describe('what was agreed to', () => {
  const running = sampleWorkflow({ steps: [sampleStep(), sampleStep()] }, { running: true });
  const lab = { nodes: { arm: busy }, workflows: [running] };
  const agreed = decide('pause', running, lab, 0);
  it('holds while the effects are the same', () => {
    expect(samePromise(agreed, decide('pause', running, lab, 0))).toBe(true);
  });
  it('no longer holds when they change, or it is refused', () => {
    const simpler = { nodes: { arm: simple }, workflows: [running] };
    expect(samePromise(agreed, decide('pause', running, simpler, 0))).toBe(false);
    expect(samePromise(agreed, { allowed: false, why: '' })).toBe(false);
  });
});
