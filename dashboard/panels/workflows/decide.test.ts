import { describe, expect, it } from 'vitest';
import { sampleNode, sampleStep, sampleWorkflow } from '../../managers/sampleWorkflow.ts';
import { actionNames, decide, samePromise, shownActions } from './decide.ts';

const queued = sampleWorkflow({ workflow_id: 'b', name: 'B' });
const began = [sampleStep({ start_time: '2026-11-21T14:02:00' })];
const held = sampleWorkflow({ workflow_id: 'a', name: 'A', steps: began }, { paused: true });
const busy = sampleNode({ busy: true, ready: false });
const simple = sampleNode({ busy: true, ready: false }, ['lock']);

describe('a queued workflow whose node is busy for no running workflow', () => {
  it.each([
    ['pause', 'of a paused one', { nodes: { arm: busy }, workflows: [held, queued] }, /send pause to arm.*paused “A”/],
    ['cancel', 'of a paused one', { nodes: { arm: busy }, workflows: [held, queued] }, /send cancel to arm.*“A”/],
    ['cancel', 'of nobody we know', { nodes: { arm: busy }, workflows: [queued] }, /busy with something that is not/],
  ] as const)('%s would hit the step %s', (action, _whose, lab, why) => {
    expect(decide(action, queued, lab, 0)).toMatchObject({ allowed: false, why: expect.stringMatching(why) as string });
  });

  it.each(['pause', 'cancel'] as const)('%s is fine where the node doesn’t know the command', (action) => {
    expect(decide(action, queued, { nodes: { arm: simple }, workflows: [held, queued] }, 0).allowed).toBe(true);
  });

  it.each(['pause', 'cancel'] as const)('%s is fine where the node is free', (action) => {
    expect(decide(action, queued, { nodes: { arm: sampleNode() }, workflows: [queued] }, 0).allowed).toBe(true);
  });

  it('one that was resumed may cancel what its node still does for it, and says so', () => {
    const resumed = sampleWorkflow({ steps: began });
    const decision = decide('cancel', resumed, { nodes: { arm: busy }, workflows: [resumed] }, 0);
    expect(decision.allowed && decision.effects.join(' ')).toMatch(/arm gets the cancel command: it is busy/);
    const pause = decide('pause', resumed, { nodes: { arm: busy }, workflows: [resumed] }, 0);
    expect(pause.allowed && pause.effects).toHaveLength(1);
  });

  it('one that was tried again has no step going', () => {
    const again = sampleWorkflow({
      steps: [{ ...sampleStep(), start_time: '2026-11-21T14:02:00', end_time: '2026-11-21T14:03:00' }],
    });
    expect(decide('cancel', again, { nodes: { arm: busy }, workflows: [again] }, 0).allowed).toBe(false);
  });

  it('a paused one may cancel what its own node still does', () => {
    expect(decide('cancel', held, { nodes: { arm: busy }, workflows: [held] }, 0).allowed).toBe(true);
  });
});

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
