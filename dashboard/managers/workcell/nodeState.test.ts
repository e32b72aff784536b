import { describe, expect, it } from 'vitest';
import { countWithoutSafetyStop, nodeAppearance, nodeReason, nodeState, workflowRunningOn } from './nodeState.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';

describe('nodeState', () => {
  it.each([
    [{}, 'ready'],
    [{ busy: true, ready: false }, 'busy'],
    [{ busy: true, locked: true }, 'locked'],
    [{ paused: true, busy: true }, 'paused'],
    [{ errored: true, locked: true }, 'errored'],
    [{ stopped: true, errored: true }, 'stopped'],
    [{ errored: true, disconnected: true }, 'disconnected'],
    [{ initializing: true, ready: false }, 'initializing'],
    [{ waiting_for_config: ['port'] }, 'unconfigured'],
    [{ ready: false }, 'notReady'],
  ])('returns for the flags %j: %s', (status, state) => {
    expect(nodeState(sampleNode(status))).toBe(state);
  });

  it('is ready without the flag “disconnected” of 0.7.1', () => {
    const { disconnected: _gone, ...status } = sampleNode().status!;
    expect(nodeState({ status })).toBe('ready');
  });

  it('is unknown for a node without a status', () => {
    expect(nodeState(sampleNode(null))).toBe('unknown');
    expect(nodeReason(sampleNode(null))).toMatch(/not reached/);
  });
});

describe('the text of a node’s state', () => {
  it.each([
    [{}, 'Ready'],
    [{ busy: true }, 'Busy'],
    [{ busy: true, locked: true }, 'Locked, busy'],
    [{ busy: true, paused: true, locked: true }, 'Locked, busy, paused'],
    [{ stopped: true, busy: true, locked: true, errored: true }, 'Stopped, busy, error, locked'],
    [{ errored: true, busy: true }, 'Error, busy'],
    [{ disconnected: true, busy: true }, 'Unreachable, busy'],
    [{ disconnected: true, errored: true }, 'Unreachable'],
    [null, 'Unknown'],
  ])('is derived from the flags %j: “%s”', (status, text) => {
    expect(nodeAppearance(sampleNode(status)).label).toBe(text);
  });
});

describe('the reason of a node’s error', () => {
  const errors = [
    { message: 'old', logged_at: '2026-11-21T13:00:00' },
    { message: 'motor stalled', logged_at: '2026-11-21T14:00:00' },
  ];

  it('is the newest error while the node is in error', () => {
    const node = sampleNode({ errored: true, errors });
    expect(nodeReason(node)).toBe('motor stalled');
  });

  it('is empty after a reset, although the node still lists its errors', () => {
    const node = sampleNode({ errors });
    expect(nodeReason(node)).toBe('');
  });
});

it('workflowRunningOn returns the workflow that runs a step on the node', () => {
  const steps = [sampleStep({ node: 'arm' }), sampleStep({ node: 'reader' })];
  const queued = sampleWorkflow({ workflow_id: 'queued', steps });
  const running = sampleWorkflow({ workflow_id: 'running', steps }, { running: true });
  const pastWorkflow = sampleWorkflow({ workflow_id: 'past', steps }, { running: true, current_step_index: 1 });
  expect(workflowRunningOn('arm', [queued, pastWorkflow, running])?.workflow_id).toBe('running');
  expect(workflowRunningOn('gripper', [queued, pastWorkflow, running])).toBeNull();
});

describe('countWithoutSafetyStop', () => {
  it('counts nodes that list no safety stop, but not nodes with unknown commands', () => {
    const nodes = { a: sampleNode(), b: sampleNode({}, ['lock']), c: sampleNode(null, null), d: sampleNode(null, []) };
    expect(countWithoutSafetyStop(nodes)).toBe(2);
  });
});
