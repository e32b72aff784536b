import { expect, it } from 'vitest';
import { workflowStateTexts } from '../../dashboard/managers/workcell/workflowState.ts';
import type { NodeStatus } from '../../api/managers/node.ts';
import { nodeText, possibleStates, type WorkflowState } from './managerStates.ts';

const state = (description: string, index: number): WorkflowState => ({
  id: 'A',
  name: 'Assay',
  description,
  hasStarted: true,
  total: 39,
  index,
});
const { running, between, queued, queuedAt } = workflowStateTexts;

it('possibleStates returns the steps of a running workflow between two responses', () => {
  expect(possibleStates(state('Running step 1', 1), state('Running step 2', 2))).toEqual([
    running(2, 39),
    between(2, 39),
    running(3, 39),
    between(3, 39),
  ]);
});

it('possibleStates returns queued only for a workflow that ended and continued', () => {
  const states = possibleStates(state('Failed on step 1', 1), state('Running step 2', 2));
  expect(states).toEqual(expect.arrayContaining([queuedAt(3, 39), queued, running(3, 39)]));
  expect(possibleStates(state('Running step 1', 1), state('Running step 2', 2))).not.toContain(queuedAt(3, 39));
});

const ready: NodeStatus = {
  busy: false,
  running_actions: [],
  paused: false,
  locked: false,
  stopped: false,
  errored: false,
  disconnected: false,
  errors: [],
  initializing: false,
  waiting_for_config: [],
  config_values: {},
  ready: true,
  description: 'Node is ready',
};

it.each([
  ['Ready', {}],
  ['Not ready', { ready: false }],
  ['Locked, busy', { locked: true, busy: true, ready: false }],
  ['Stopped, busy, error, locked', { stopped: true, errored: true, locked: true, busy: true }],
  ['Unreachable', { disconnected: true, errored: true }],
  ['Error', { errored: true }],
])('nodeText describes a node as %s', (expected, changes) => {
  expect(nodeText({ ...ready, ...changes })).toBe(expected);
});
