import { describe, expect, it } from 'vitest';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { blockedAppearance, workflowAppearances } from '#api/states.ts';
import { blockedText, blockingReason, explainWaiting, joinParts, stateAppearance } from './waiting.ts';

const growth = sampleWorkflow(
  { workflow_id: 'G', name: 'Growth assay, plate 14', steps: [sampleStep({ start_time: '2026-11-21T14:02:00' })] },
  { running: true },
);
const paused = sampleWorkflow(
  { workflow_id: 'H', name: 'Held', steps: [sampleStep({ start_time: '2026-11-21T14:02:00' })] },
  { paused: true },
);
const busy = sampleNode({ busy: true, ready: false });
const snapshot = { nodes: { arm: busy }, workflows: [growth] };
const broken = sampleNode({
  errored: true,
  ready: false,
  errors: [{ message: 'out of tips', logged_at: null, error_type: 'TipError' }],
});

const now = (status: Parameters<typeof sampleNode>[0]) => ({
  nodes: { arm: sampleNode({ ready: false, ...status }) },
  workflows: [],
});

describe('the reason why a workflow waits', () => {
  it.each([
    [['Node arm not ready: Node is busy'], snapshot, 'waiting for arm, busy with Growth assay, plate 14', false],
    [
      ['Node arm not ready: Node is busy', 'Node arm is locked by another action'],
      snapshot,
      'waiting for arm, busy with Growth assay, plate 14',
      false,
    ],
    [
      ['Node arm is locked by another action'],
      { nodes: {}, workflows: [] },
      'waiting for arm, which is about to do something else',
      false,
    ],
    [
      ['Node arm is locked by another action'],
      { nodes: { arm: sampleNode() }, workflows: [growth] },
      'waiting for arm, which is about to work for Growth assay, plate 14',
      false,
    ],
    [
      ['Node arm not ready: Node is busy'],
      { nodes: { arm: busy }, workflows: [paused] },
      'waiting for arm, busy with Held',
      false,
    ],
    [
      ['Node arm not ready: Node is in an error state'],
      { nodes: { arm: broken }, workflows: [] },
      'arm in error: out of tips',
      true,
    ],
    [
      ['Node arm not ready: Node is busy; Node is in an error state; Node is disconnected'],
      { nodes: {}, workflows: [] },
      'arm unreachable',
      true,
    ],
    [['Node arm not ready: Node is paused'], now({ paused: true }), 'arm paused', true],
    [['Node arm not ready: Node is locked'], now({ locked: true }), 'arm locked', true],
    [
      ['Node arm not ready: Node is initializing'],
      now({ initializing: true }),
      'waiting for arm, which is starting',
      false,
    ],
    [
      ["Node arm not ready: Node is missing configuration values: {'port'}"],
      now({ waiting_for_config: ['port'] }),
      'arm not configured: waits for configuration: port',
      true,
    ],
    [
      ['Node arm not ready: Node is ready'],
      { nodes: { arm: sampleNode({ stopped: true, ready: false }) }, workflows: [] },
      'arm stopped by a safety stop',
      true,
    ],
    [['Node arm not ready: Node is dreaming'], snapshot, 'waiting for arm: Node is dreaming', false],
    [['Waiting for Node arm to be ready'], snapshot, 'waiting for arm, which was not ready a moment ago', false],
    [
      ["Node arm is reserved by {'experiment_id': '01JEXPERIMENT000000ABCDEF'}"],
      snapshot,
      'waiting for arm, reserved by experiment …ABCDEF',
      false,
    ],
    [['Node arm not found'], snapshot, 'the workcell has no node arm', true],
    [
      ['Exception in scheduler: list index out of range'],
      snapshot,
      'the scheduler failed at it: list index out of range',
      true,
    ],
    [['Resource not found in location deck_1'], snapshot, 'Resource not found in location deck_1', false],
    [['Workflow is paused'], snapshot, 'queued behind Growth assay, plate 14', false],
    [[], snapshot, 'queued behind Growth assay, plate 14', false],
    [[], { nodes: {}, workflows: [paused] }, 'waiting for the scheduler', false],
    [
      ['Resource not found in location deck_1', 'Node arm not ready: Node is paused'],
      now({ paused: true }),
      'arm paused, and Resource not found in location deck_1',
      true,
    ],
  ])('is described for %j', (reasons, lab, expected, attention) => {
    const waiting = explainWaiting(reasons, 'me', lab);
    expect(joinParts(waiting.parts)).toBe(expected);
    expect(waiting.attention).toBe(attention);
  });

  it('links the node and the workflow that uses it', () => {
    expect(explainWaiting(['Node arm not ready: Node is busy'], 'me', snapshot).parts).toEqual([
      { text: 'waiting for ' },
      { text: 'arm', node: 'arm' },
      { text: ', busy with ' },
      { text: 'Growth assay, plate 14', workflow: 'G' },
    ]);
  });
});

it('a queued workflow names the last one that was submitted before it, and the number of the others', () => {
  const queued = (id: string, submitted: string) =>
    sampleWorkflow({ workflow_id: id, name: id, submitted_time: submitted }, {});
  const workflows = [
    queued('me', '2026-11-21T09:02'),
    queued('A', '2026-11-21T09:00'),
    queued('B', '2026-11-21T09:01'),
  ];
  const later = queued('later', '2026-11-21T09:03');
  expect(explainWaiting([], 'me', { nodes: {}, workflows: [...workflows, later] }).parts).toEqual([
    { text: 'queued behind ' },
    { text: 'B', workflow: 'B' },
    { text: ' and 1 more' },
  ]);
});

it('a workflow that needs a person to continue is shown as blocked', () => {
  expect(stateAppearance('running', { parts: [], attention: true })).toEqual(blockedAppearance);
  expect(stateAppearance('running', { parts: [], attention: false })).toEqual(workflowAppearances.running);
  expect(stateAppearance('queued', null)).toEqual(workflowAppearances.queued);
});

it('a running step waits for its unreachable node', () => {
  const workflow = sampleWorkflow({}, { running: true });
  const findWaitingReason = (disconnected: boolean) =>
    blockingReason(workflow, { nodes: { arm: sampleNode({ disconnected }) }, workflows: [workflow] });
  expect(findWaitingReason(false)).toBeNull();
  expect(findWaitingReason(true)).toEqual({
    parts: [{ text: 'arm', node: 'arm' }, { text: ' unreachable' }],
    attention: true,
  });
});

describe('the text of a blocked workflow', () => {
  const at = Date.parse('2026-11-21T15:00:00Z');
  const parseStamp = (stamp: string | null | undefined) => (stamp ? Date.parse(`${stamp}Z`) : null);
  const minutes = (count: number) => at - count * 60_000;
  const queued = sampleWorkflow({
    submitted_time: '2026-11-21T14:10:00',
    steps: [sampleStep({ node: 'arm' })],
    scheduler_metadata: { reasons: ['Node arm not ready: Node is in an error state'] },
  });
  it.each([
    ['the node failed after the submission', broken, minutes(40), 'Blocked 40 min · '],
    ['the node failed before the submission', broken, minutes(90), 'Blocked 50 min · '],
    ['the start of the state is unknown', broken, null, 'Blocked 50 min · '],
    ['the node only works', busy, minutes(40), ''],
  ])('contains the duration if %s', (_case, node, since, expected) => {
    const workflow =
      node === busy ? { ...queued, scheduler_metadata: { reasons: ['Node arm not ready: Node is busy'] } } : queued;
    const nodes = { arm: node };
    const waiting = blockingReason(workflow, { nodes, workflows: [workflow] });
    expect(blockedText(workflow, waiting, { nodes, since: () => since, parseStamp, now: at })).toBe(expected);
  });
});
