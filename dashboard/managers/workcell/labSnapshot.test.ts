import { describe, expect, it } from 'vitest';
import type { Workflow } from '#api/managers/workflow.ts';
import { decideCancel } from '../guards/cancelGuards.ts';
import { workflowInSnapshot, isUnclear, createLabSnapshot, findNodesBusyWithoutWorkflow } from './labSnapshot.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';

const at = (stamp: string | null | undefined) => (typeof stamp === 'string' ? Date.parse(`${stamp}Z`) : null);
const ended = '2026-11-21T14:00:00';
const now = Date.parse(`${ended}Z`) + 1000;
const steps = [sampleStep({ start_time: '2026-11-21T13:59:58', end_time: ended, status: 'succeeded' }), sampleStep()];
const queued = sampleWorkflow({ steps }, { current_step_index: 1 });
const running = sampleWorkflow({ steps }, { current_step_index: 1, running: true });
const busy = { arm: sampleNode({ busy: true, ready: false }) };

describe('a snapshot of the lab', () => {
  it.each<[string, Workflow, readonly Workflow[], Workflow]>([
    ['the state of a waiting or running workflow as it was read with the nodes', queued, [running], running],
    ['the known state of a workflow that is missing in the response with the nodes', queued, [], queued],
    [
      'an ended workflow as ended',
      sampleWorkflow({}, { completed: true }),
      [running],
      sampleWorkflow({}, { completed: true }),
    ],
    [
      'a paused workflow as paused',
      sampleWorkflow({}, { paused: true }),
      [running],
      sampleWorkflow({}, { paused: true }),
    ],
  ])('contains %s', (_name, workflow, queue, expected) => {
    const snapshot = { nodes: busy, workflow_queue: queue };
    expect(workflowInSnapshot(workflow, snapshot)).toEqual(expected);
    expect(createLabSnapshot(snapshot, [workflow], { now: () => now, parseStamp: at }).workflows).toEqual([expected]);
  });

  it('contains no nodes before the first response', () => {
    expect(createLabSnapshot(undefined, [queued], { now: () => now, parseStamp: at })).toMatchObject({
      nodes: {},
      workflows: [queued],
    });
  });
});

describe('a node that is busy while its workflow waits', () => {
  const reasonFor = (queue: readonly Workflow[], workflow: Workflow, time: number) => {
    const snapshot = { nodes: busy, workflow_queue: queue };
    const decision = decideCancel(
      workflowInSnapshot(workflow, snapshot),
      createLabSnapshot(snapshot, [workflow], { now: () => time, parseStamp: at }),
    );
    return decision.allowed ? 'offered' : decision.reason;
  };

  it('executes this workflow’s step when the response with the node shows that', () => {
    expect(reasonFor([running], queued, now)).toBe('offered');
  });
  it('may still execute the step that has just ended', () => {
    expect(reasonFor([queued], queued, now)).toMatch(/just changed/);
    expect(reasonFor([queued], queued, now + 60_000)).toMatch(/not this workflow/);
  });
  it('is not evaluated by a response without the workflow', () => {
    expect(reasonFor([], queued, now + 60_000)).toMatch(/just changed/);
  });
});

describe('a node that is busy without a workflow', () => {
  const idle = { arm: sampleNode() };
  const alone = { nodes: busy, workflows: [] };

  it('is unclear until several reads agree', () => {
    const first = findNodesBusyWithoutWorkflow(new Map(), alone, 1000);
    expect(isUnclear('arm', first, 1000)).toBe(true);
    const later = findNodesBusyWithoutWorkflow(first, alone, 7000);
    expect(isUnclear('arm', later, 7000)).toBe(false);
    expect(isUnclear('reader', later, 7000)).toBe(false);
  });

  it('becomes unclear again with each action, but not forever', () => {
    const nowAt = (action: string) => ({
      nodes: { arm: sampleNode({ busy: true, ready: false, running_actions: [action] }) },
      workflows: [],
    });
    let busyNodes = findNodesBusyWithoutWorkflow(new Map(), nowAt('A'), 0);
    busyNodes = findNodesBusyWithoutWorkflow(busyNodes, nowAt('B'), 3000);
    busyNodes = findNodesBusyWithoutWorkflow(busyNodes, nowAt('C'), 6000);
    expect(isUnclear('arm', busyNodes, 7000)).toBe(true);
    expect(isUnclear('arm', findNodesBusyWithoutWorkflow(busyNodes, nowAt('C'), 12_000), 12_000)).toBe(false);
    expect(isUnclear('arm', findNodesBusyWithoutWorkflow(busyNodes, nowAt('D'), 60_000), 60_000)).toBe(false);
  });

  it('is unclear while its action belongs to a step that has ended', () => {
    const nodes = { arm: sampleNode({ busy: true, ready: false, running_actions: ['A'] }) };
    const result = { action_id: 'A', status: 'succeeded' as const };
    const after = sampleWorkflow({ steps: [sampleStep({ status: 'succeeded', result }), sampleStep()] });
    const lagging = { nodes, workflows: [after] };
    const busyNodes = findNodesBusyWithoutWorkflow(findNodesBusyWithoutWorkflow(new Map(), lagging, 0), lagging, 9000);
    expect(isUnclear('arm', busyNodes, 9000)).toBe(true);
    expect(isUnclear('arm', findNodesBusyWithoutWorkflow(busyNodes, lagging, 60_000), 60_000)).toBe(false);
    const withoutOwner = { nodes, workflows: [sampleWorkflow()] };
    expect(
      isUnclear(
        'arm',
        findNodesBusyWithoutWorkflow(findNodesBusyWithoutWorkflow(new Map(), withoutOwner, 0), withoutOwner, 9000),
        9000,
      ),
    ).toBe(false);
  });

  it('stays unclear while its earlier actions turn out to belong to steps', () => {
    const nodes = (action: string) => ({ arm: sampleNode({ busy: true, ready: false, running_actions: [action] }) });
    const after = (action: string) =>
      sampleWorkflow({
        steps: [sampleStep({ result: { action_id: action, status: 'succeeded' as const } }), sampleStep()],
      });
    let busyNodes = findNodesBusyWithoutWorkflow(new Map(), { nodes: nodes('A'), workflows: [] }, 0);
    busyNodes = findNodesBusyWithoutWorkflow(busyNodes, { nodes: nodes('B'), workflows: [after('A')] }, 57_000);
    busyNodes = findNodesBusyWithoutWorkflow(busyNodes, { nodes: nodes('C'), workflows: [after('B')] }, 60_000);
    expect(isUnclear('arm', busyNodes, 60_000)).toBe(true);
    busyNodes = findNodesBusyWithoutWorkflow(busyNodes, { nodes: nodes('C'), workflows: [after('B')] }, 66_000);
    expect(isUnclear('arm', busyNodes, 66_000)).toBe(false);
  });

  it('is not reported once a workflow uses it or it is idle', () => {
    const first = findNodesBusyWithoutWorkflow(new Map(), alone, 1000);
    expect(findNodesBusyWithoutWorkflow(first, { nodes: busy, workflows: [running] }, 4000).size).toBe(0);
    expect(findNodesBusyWithoutWorkflow(first, { nodes: idle, workflows: [] }, 4000).size).toBe(0);
  });

  it('delays a cancel only until the check is complete', () => {
    const lab = {
      ...createLabSnapshot({ nodes: busy, workflow_queue: [queued] }, [queued], {
        now: () => now + 60_000,
        parseStamp: at,
      }),
    };
    expect(decideCancel(queued, { ...lab, isUnclear: () => true })).toMatchObject({ allowed: false, transient: true });
    expect(decideCancel(queued, lab)).not.toHaveProperty('transient');
  });
});
