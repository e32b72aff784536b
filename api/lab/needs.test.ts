/** The table of what needs a person: each state of a node, with and without waiting workflows, and of a manager. */
import { describe, expect, it } from 'vitest';
import type { LabStop } from '../safetyStop/labStop.ts';
import type { StoppedNode } from '../commandRecord.ts';
import { managerStates, nodeStates, type ManagerState, type NodeState } from '../states.ts';
import { listNeeds, needReasonText, needText, type LabConditions, type Need, type NodeCondition } from './needs.ts';
import type { ManagerStatus } from './lab.ts';

const since = new Date(2026, 10, 28, 14, 2).toISOString();
const step = { id: 'w', name: 'Assay', step: 'Incubate', node: 'arm', start: since, since, longest_seconds: 60 };

const node = (state: NodeState, changes: Partial<NodeCondition> = {}): NodeCondition => ({
  name: 'arm',
  state,
  reason: null,
  since,
  ...changes,
});
const manager = (state: ManagerState, key: ManagerStatus['manager'] = 'data'): ManagerStatus => ({
  manager: key,
  name: 'Data Manager',
  url: 'http://127.0.0.1:8004/',
  state,
  reason: null,
  since,
  last_checked: null,
  last_healthy: null,
  latency_ms: null,
  usual_latency_ms: null,
  version: null,
  health: null,
});
const lab = (nodes: readonly NodeCondition[], changes: Partial<LabConditions> = {}): LabConditions => ({
  managers: [],
  activity: { nodes: { in_need: nodes } },
  ...changes,
});
const describeNeed = ({ name, appearance, blocked }: Need): string =>
  `${name}: ${appearance.label}${blocked === 0 ? '' : `, blocks ${blocked}`}`;
const list = (conditions: LabConditions): readonly string[] => listNeeds(conditions).map(describeNeed);

/** The item of a node with no waiting workflow, and with two. */
const nodeTable: Readonly<Record<NodeState, readonly [idle: string | null, blocking: string | null]>> = {
  disconnected: ['arm: Unreachable', 'arm: Unreachable, blocks 2'],
  stopped: ['arm: Stopped', 'arm: Stopped, blocks 2'],
  errored: ['arm: Error', 'arm: Error, blocks 2'],
  unconfigured: ['arm: Not configured', 'arm: Not configured, blocks 2'],
  unknown: [null, null],
  notReady: ['arm: Not ready', 'arm: Not ready, blocks 2'],
  locked: [null, 'arm: Locked, blocks 2'],
  paused: [null, 'arm: Paused, blocks 2'],
  initializing: [null, null],
  busy: [null, null],
  ready: [null, null],
};
const managerTable: Readonly<Record<ManagerState, string | null>> = {
  unknown: null,
  healthy: null,
  slow: null,
  unhealthy: 'Data Manager: Unhealthy',
  unreachable: 'Data Manager: Unreachable',
};

describe('listNeeds', () => {
  it.each(
    nodeStates.flatMap((state) =>
      [0, 2].flatMap((waiting) => managerStates.map((managerState) => [state, waiting, managerState] as const)),
    ),
  )(
    'contains the items of a node that is %s with %i waiting workflows, and of a manager that is %s',
    (state, waiting, managerState) => {
      const [idle, blocking] = nodeTable[state];
      const expected = [managerTable[managerState], waiting > 0 ? blocking : idle].filter((item) => item !== null);
      expect(list(lab([node(state, { waiting })], { managers: [manager(managerState)] }))).toEqual(expected);
    },
  );

  it('puts managers first, then nodes that block workflows, then other workflows, and nodes that block none last', () => {
    const nodes = [
      node('disconnected', { name: 'idle' }),
      node('locked', { name: 'locked', waiting: 3 }),
      node('notReady', { name: 'unready', waiting: 1 }),
      node('errored', { name: 'broken', waiting: 1 }),
    ];
    const blocked = { id: 'b', name: 'Wash', reason: 'the workcell has no node washer' };
    const activity = { nodes: { in_need: nodes }, overdue_steps: [step], blocked_workflows: [blocked] };
    const engine = { name: 'Cell', reason: '', since: null };
    expect(list({ managers: [manager('unhealthy')], activity, stopped_engine: engine })).toEqual([
      'Data Manager: Unhealthy',
      'Cell: Error',
      'broken: Error, blocks 1',
      'unready: Not ready, blocks 1',
      'locked: Locked, blocks 3',
      'Assay: Overdue, blocks 1',
      'Wash: Blocked, blocks 1',
      'idle: Unreachable',
    ]);
  });

  it('counts an overdue step with the node that causes it', () => {
    const activity = { nodes: { in_need: [node('errored', { waiting: 2 })] }, overdue_steps: [step] };
    expect(list({ managers: [], activity })).toEqual(['arm: Error, blocks 3']);
  });

  it('returns one item for a lab in which no manager responds', () => {
    const managers = [manager('unreachable'), manager('unreachable', 'event')];
    expect(list({ managers })).toEqual(['All 2 managers: Unreachable']);
  });

  it('contains nothing that is in maintenance', () => {
    const period = { from: since, until: since };
    const maintenance = [
      { kind: 'node' as const, id: 'arm', name: 'arm', ...period },
      { kind: 'manager' as const, id: 'data', name: 'Data', ...period },
    ];
    expect(list(lab([node('errored')], { managers: [manager('unhealthy')], maintenance }))).toEqual([]);
  });

  it('puts the safety stop and its unconfirmed nodes first, and adds the nodes that it has stopped to its item', () => {
    const stopped = (name: string, result: StoppedNode['result']): StoppedNode => ({
      name,
      workcell: '',
      result,
      reason: '',
      did: ['safety_stop'],
      before: [],
    });
    const stop: LabStop = {
      id: 'stop',
      at: since,
      machine: null,
      application: null,
      nodes: [stopped('arm', 'confirmed'), stopped('lift', 'refused'), stopped('mover', 'held')],
    };
    const nodes = [
      node('stopped', { waiting: 2 }),
      node('errored', { name: 'lift' }),
      node('locked', { name: 'mover', flags: ['busy'], waiting: 1 }),
      node('errored', { name: 'reader' }),
    ];
    expect(list(lab(nodes, { managers: [manager('unhealthy')], safety_stop: stop }))).toEqual([
      'Safety stop: Stopped, blocks 2',
      'lift: Not stopped',
      'mover: Not stopped',
      'Data Manager: Unhealthy',
      'reader: Error',
    ]);
    const released = { ...stop, nodes: stop.nodes.map((part) => ({ ...part, released_at: since })) };
    expect(list(lab([node('stopped')], { safety_stop: released }))).toEqual(['Safety stop: Stopped', 'arm: Stopped']);
  });
});

it('the text of an item contains its state, its start, its reason and the waiting workflows', () => {
  const [arm] = listNeeds(lab([node('paused', { reason: 'door open.', flags: ['busy'], waiting: 1 })]));
  expect(arm).toMatchObject({ command: 'resume', advice: 'Resume it' });
  const format = () => '14:02';
  expect(arm && needText(arm, format)).toBe('arm: Paused, busy since 14:02: door open. One workflow waits for it');
  const [assay] = listNeeds({ managers: [], activity: { nodes: null, overdue_steps: [step] } });
  expect(assay && needReasonText(assay)).toBe('step “Incubate” on arm; earlier runs took at most 1 min');
});
