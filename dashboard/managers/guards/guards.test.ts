import { describe, expect, it } from 'vitest';
import type { Node } from '../../../api/managers/node.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import { isWorse, type Decision } from './decision.ts';
import { decideCancel, decideCancelNow, decideCancelWhenFree } from './cancelGuards.ts';
import { decidePause, decideResubmit, decideResume, decideRetry } from './guards.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/workflow.ts';

const two = [sampleStep(), sampleStep({ name: 'Read', node: 'reader' })];
const queued = sampleWorkflow({ workflow_id: 'b', name: 'B', steps: two });
const running = sampleWorkflow({ workflow_id: 'a', name: 'A', steps: two }, { running: true });
const paused = sampleWorkflow({ workflow_id: 'a', name: 'A', steps: two }, { paused: true });
const ended = sampleWorkflow({ name: 'A', steps: two }, { completed: true });

const lab = (node: Node | null, ...workflows: Workflow[]) => ({
  nodes: node === null ? {} : { arm: node, reader: sampleNode() },
  workflows,
});
const ready = sampleNode();
const busy = sampleNode({ busy: true, ready: false });
const away = sampleNode({ disconnected: true, errored: true, ready: false });
const simple = sampleNode({ busy: true, ready: false }, ['lock', 'unlock', 'reset']);
const wait = sampleStep({ node: null, action: 'wait', name: 'Wait' });

function words(decision: Decision): string {
  return decision.allowed ? decision.effects.join(' ') : `refused: ${decision.why}`;
}

describe('pausing', () => {
  it.each([
    ['one that ended would pause its node for everybody', ended, lab(ready), /^refused: It has ended.*arm/],
    ['a queued one would pause the node that works for another', queued, lab(busy, running, queued), /^refused: .*“A”/],
    ['twice', paused, lab(ready), /^refused: It is paused already/],
    ['at a built-in step', sampleWorkflow({ steps: [wait] }, { running: true }), lab(ready), /^refused: .*\(wait\)/],
    [
      'before a built-in step could never be undone',
      sampleWorkflow({ steps: [sampleStep(), wait] }, { running: true }),
      lab(busy),
      /^refused: Step 2, the next one/,
    ],
    ['where the node is away changes nothing', running, lab(away, running), /^refused: arm can’t be reached/],
    [
      'one that runs: the node and what resuming does',
      running,
      lab(busy, running),
      /^arm gets the pause.*step 1 is started again/,
    ],
    ['a node that can’t be paused goes on', running, lab(simple, running), /^arm can’t be paused: it finishes step 1/],
    [
      'a queued one on an idle node blocks others',
      queued,
      lab(ready, queued, { ...queued, workflow_id: 'c' }),
      /another workflow in the queue/,
    ],
    ['without steps', sampleWorkflow({ steps: [] }), lab(ready), /^refused: It has no steps/],
  ])('%s', (_name, workflow, now, expected) => {
    expect(words(decidePause(workflow, now))).toMatch(expected);
  });
});

describe('a queued workflow whose node is busy for no running workflow', () => {
  const decisions = { pause: decidePause, cancel: decideCancel };
  const began = [sampleStep({ start_time: '2026-11-21T14:02:00' })];
  const held = sampleWorkflow({ workflow_id: 'a', name: 'A', steps: began }, { paused: true });
  it.each([
    ['pause', 'of a paused one', { nodes: { arm: busy }, workflows: [held, queued] }, /send pause to arm.*paused “A”/],
    ['cancel', 'of a paused one', { nodes: { arm: busy }, workflows: [held, queued] }, /send cancel to arm.*“A”/],
    ['cancel', 'of nobody we know', { nodes: { arm: busy }, workflows: [queued] }, /busy with something that is not/],
  ] as const)('%s would hit the step %s', (action, _whose, now, why) => {
    expect(decisions[action](queued, now)).toMatchObject({ allowed: false, why: expect.stringMatching(why) as string });
  });

  it.each(['pause', 'cancel'] as const)('%s is fine where the node doesn’t know the command', (action) => {
    expect(decisions[action](queued, { nodes: { arm: simple }, workflows: [held, queued] }).allowed).toBe(true);
  });

  it.each(['pause', 'cancel'] as const)('%s is fine where the node is free', (action) => {
    expect(decisions[action](queued, { nodes: { arm: sampleNode() }, workflows: [queued] }).allowed).toBe(true);
  });

  it('one that was resumed may cancel what its node still does for it, and says so', () => {
    const resumed = sampleWorkflow({ steps: began });
    const decision = decideCancel(resumed, { nodes: { arm: busy }, workflows: [resumed] });
    expect(decision.allowed && decision.effects.join(' ')).toMatch(/arm gets the cancel command: it is busy/);
    const pause = decidePause(resumed, { nodes: { arm: busy }, workflows: [resumed] });
    expect(pause.allowed && pause.effects).toHaveLength(1);
  });

  it('one that was tried again has no step going', () => {
    const again = sampleWorkflow({
      steps: [{ ...sampleStep(), start_time: '2026-11-21T14:02:00', end_time: '2026-11-21T14:03:00' }],
    });
    expect(decideCancel(again, { nodes: { arm: busy }, workflows: [again] }).allowed).toBe(false);
  });

  it('a paused one may cancel what its own node still does', () => {
    expect(decideCancel(held, { nodes: { arm: busy }, workflows: [held] }).allowed).toBe(true);
  });
});

describe('resuming', () => {
  const started = sampleWorkflow(
    { workflow_id: 'a', name: 'A', steps: [sampleStep({ start_time: '2026-11-21T14:00:00' })] },
    { paused: true },
  );
  it.each([
    ['what isn’t paused', running, lab(busy, running), /^refused: It is not paused/],
    ['what ended', ended, lab(ready), /^refused: It has ended/],
    [
      'at a built-in step',
      sampleWorkflow({ steps: [wait] }, { paused: true }),
      lab(ready),
      /^refused: .*Submit it again/,
    ],
    ['while the node still works on it', started, lab(busy), /^refused: arm is still working/],
    [
      'while the node works for another',
      started,
      lab(busy, { ...running, workflow_id: 'c', name: 'C' }),
      /^refused: .*“C”/,
    ],
    ['while the node is away', started, lab(away), /^refused: arm can’t be reached/],
    [
      'on a node that gets no command of it, whoever it works for',
      started,
      lab(simple, { ...running, workflow_id: 'c', name: 'C' }),
      /^Step 1 is started again/,
    ],
    ['runs the step again', started, lab(sampleNode({ paused: true, busy: true })), /started again from its beginning/],
    ['starts a step that had not begun', paused, lab(ready), /^arm gets the resume command.*is started on arm/],
  ])('%s', (_name, workflow, now, expected) => {
    expect(words(decideResume(workflow, now))).toMatch(expected);
  });
});

describe('cancelling', () => {
  it.each([
    ['one that ended would cancel what its node does now', ended, lab(busy), /^refused: It has ended.*arm/],
    ['a queued one would cancel what the node does for another', queued, lab(busy, running, queued), /^refused: .*“A”/],
    ['a built-in step', sampleWorkflow({ steps: [wait] }, { running: true }), lab(ready), /^refused: .*can’t cancel/],
    [
      'paused at a built-in step',
      sampleWorkflow({ steps: [wait] }, { paused: true }),
      lab(ready),
      /^refused: .*restarts/,
    ],
    ['where the node is away', running, lab(away, running), /^refused: arm can’t be reached/],
    ['one that runs', running, lab(busy, running), /ends its action of step 1\. One later step will be skipped/],
    ['a queued one whose node is free', queued, lab(ready, queued), /^It is taken out of the queue before step 1/],
    [
      'a queued one whose node can’t cancel, though it is busy',
      queued,
      lab(simple, running, queued),
      /^It is taken out/,
    ],
    ['a queued one whose node nobody knows', queued, lab(null, queued), /^It is taken out/],
  ])('%s', (_name, workflow, now, expected) => {
    expect(words(decideCancel(workflow, now))).toMatch(expected);
  });

  describe('of one that waits behind another', () => {
    const now = lab(busy, running, queued);
    it('says whose node it is, and can be held until that is free', () => {
      expect(decideCancel(queued, now)).toMatchObject({ allowed: false, busyNode: 'arm' });
      const held = decideCancelWhenFree(queued, now);
      expect(words(held)).toMatch(/as soon as arm no longer works for “A”.*next to start.*page is closed/);
      // What it agrees to is its own step, should that start first, and nobody else's.
      const free = decideCancel(queued, lab(ready, queued));
      const started = decideCancel(running, lab(busy, running));
      for (const later of [free, started])
        expect(held.allowed && later.allowed && !isWorse(held.hits, later.hits)).toBe(true);
      const both = decideCancelNow(queued, now);
      expect(held.allowed && both.allowed && isWorse(held.hits, both.hits)).toBe(true);
    });

    it('can be cancelled at once, with the victim named to be typed', () => {
      const both = decideCancelNow(queued, now);
      expect(both).toMatchObject({ allowed: true, typed: 'A', dangerous: true });
      expect(words(both)).toMatch(/arm gets the cancel command.*step 1 of “A”, which ends as cancelled/);
      // Another victim is another question; none at all is none.
      const other = sampleWorkflow({ workflow_id: 'c', name: 'C', steps: two }, { running: true });
      const changed = decideCancelNow(queued, lab(busy, other, queued));
      expect(both.allowed && changed.allowed && isWorse(both.hits, changed.hits)).toBe(true);
      expect(decideCancelNow(queued, lab(ready, queued))).toEqual(decideCancel(queued, lab(ready, queued)));
      expect(decideCancelNow(queued, lab(busy, queued))).toMatchObject({ allowed: true, typed: 'arm' });
    });
  });

  it('of a running transfer offers to cancel the workflow that carries for it', () => {
    const move = sampleStep({ node: null, action: 'transfer', args: { source: 'deck', target: 'reader' } });
    const start_time = '2026-11-21T14:00:00';
    const parent = sampleWorkflow({ workflow_id: 'p', steps: [move], start_time }, { running: true });
    const child = sampleWorkflow({
      workflow_id: 'c',
      name: "Transfer: 'deck' -> 'reader'",
      submitted_time: '2026-11-21T14:00:01',
    });
    expect(decideCancel(parent, lab(ready, parent, child))).toMatchObject({
      allowed: false,
      instead: { id: 'c', name: child.name },
    });
    expect(decideCancel(parent, lab(ready, parent))).not.toHaveProperty('instead');
  });

  it('is dangerous', () => {
    expect(decideCancel(running, lab(busy, running))).toMatchObject({ allowed: true, dangerous: true });
  });
});

describe('trying again', () => {
  const failed = sampleWorkflow(
    { steps: [sampleStep({ status: 'succeeded' }), sampleStep({ name: 'Read', node: 'reader' })] },
    { failed: true, current_step_index: 1 },
  );
  const farther = sampleWorkflow(
    {
      steps: Array.from({ length: 300 }, (_, index) =>
        sampleStep({ status: index < 49 ? 'succeeded' : 'not_started' }),
      ),
    },
    { failed: true, current_step_index: 49 },
  );
  it.each([
    ['one that runs', running, 0, /^refused: It has not ended/],
    ['from a step that isn’t there', failed, 7, /^refused/],
    ['from the chosen step, with what must still hold', failed, 1, /step 2, Read.*What the step that was completed/],
    [
      'says how many before it were done, and how many not',
      farther,
      299,
      /What the 49 steps .*250 steps before it were not/,
    ],
    ['a complete one starts at its first step whatever is chosen', ended, 1, /starts it again at its first step/],
  ])('%s', (_name, workflow, index, expected) => {
    expect(words(decideRetry(workflow, index))).toMatch(expected);
  });
});

describe('submitting again', () => {
  it('is a new submission that keeps the owner', () => {
    const decision = decideResubmit(ended);
    expect(decision.submitPage).toBe(false);
    expect(words(decision)).toMatch(/same experiment and owner/);
  });

  it('asks for the files again', () => {
    const decision = decideResubmit({ ...ended, parameters: { file_inputs: [{ key: 'protocol' }] } });
    expect(decision.submitPage).toBe(true);
    expect(words(decision)).toMatch(/protocol/);
  });

  it('opens the submit page where the definition is not known', () => {
    expect(decideResubmit({ ...ended, workflow_definition_id: null }).submitPage).toBe(true);
  });
});
