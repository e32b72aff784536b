import { describe, expect, it } from 'vitest';
import type { NodeStatus } from '#api/managers/node.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { exceedsConfirmed } from './decision.ts';
import { nodeCommandTexts } from '../commands/nodeCommandTexts.ts';
import { commandsToAll, nodeCommands, type NodeCommand } from './nodeCommandTable.ts';
import { unsupportedCommands, listCommands, decideCommand, decideForAll, suggestCommand } from './nodeGuards.ts';
import { createNodeContext } from './nodeContext.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';

const steps = [sampleStep({ name: 'Fetch' }), sampleStep({ name: 'Move' })];
const running = sampleWorkflow({ steps }, { running: true, current_step_index: 1 });
const queued = sampleWorkflow({ workflow_id: 'other', name: 'Colour mix', steps });
const allCommands = [...nodeCommands];

/** The decision about a node with these flags, which works for `running` when it is busy. */
function decide(
  command: NodeCommand,
  status: Partial<NodeStatus> | null,
  commands: readonly string[] | null = allCommands,
) {
  const workflows = status?.busy === true ? [running] : [];
  return decideCommand(command, createNodeContext('arm', sampleNode(status, commands), workflows));
}

describe('decideCommand for a forbidden command', () => {
  it.each<[string, NodeCommand, Partial<NodeStatus> | null, RegExp]>([
    ['pause of a paused node', 'pause', { paused: true }, /paused already/],
    ['pause of a node in error', 'pause', { errored: true }, /reset it first/],
    ['pause of a stopped node', 'pause', { stopped: true }, /stopped already/],
    ['pause of a node that starts', 'pause', { initializing: true }, /starting up/],
    ['resume of a node that is not paused', 'resume', {}, /not paused/],
    ['cancel of an idle node', 'cancel', {}, /No action is running/],
    ['lock of a locked node', 'lock', { locked: true }, /locked already/],
    ['unlock of a node that is not locked', 'unlock', {}, /not locked/],
    ['a second safety stop', 'safety_stop', { stopped: true }, /stopped already/],
    ['shutdown of an unreachable node', 'shutdown', { disconnected: true, errored: true }, /can’t be reached/],
    ['lock of a node without a status', 'lock', null, /currently unknown/],
  ])('refuses %s', (_name, command, status, reason) => {
    expect(decide(command, status)).toEqual({ allowed: false, reason: expect.stringMatching(reason) });
  });

  it.each(allCommands)('refuses %s for a node that was never reached', (command) => {
    expect(decide(command, null, null)).toEqual({ allowed: false, reason: expect.stringMatching(/never reached/) });
  });

  it.each(allCommands)('refuses %s for a node that does not support it', (command) => {
    expect(decide(command, { paused: true, locked: true, busy: true }, [])).toEqual({
      allowed: false,
      reason: `arm does not support ${command}.`,
    });
  });
});

describe('a SiLA 2 node', () => {
  // Its registration may list commands, and a reset is otherwise sent to each disconnected node.
  const node = { ...sampleNode({ disconnected: true }, allCommands), node_url: 'sila://bench-4:50052' };
  const context = createNodeContext('arm', node, []);

  it.each(allCommands)('refuses %s with the reason, for itself and for all nodes at once', (command) => {
    const refusal = { allowed: false, reason: nodeCommandTexts.silaNode('arm') };
    expect(decideCommand(command, context)).toEqual(refusal);
    expect(decideCommand(command, createNodeContext('arm', { ...node, info: null }, []))).toEqual(refusal);
    const toAll = commandsToAll.find((candidate) => candidate === command);
    if (toAll !== undefined)
      expect(decideForAll(toAll, [context])).toEqual({
        recipients: [],
        skipped: [{ name: 'arm', reason: refusal.reason }],
      });
  });

  it('has no suggested command', () => {
    expect(suggestCommand(context)).toBeNull();
  });
});

describe('decideCommand for a permitted command', () => {
  it.each<[string, NodeCommand, Partial<NodeStatus>, boolean, boolean, RegExp]>([
    ['pause of an idle node without a confirmation', 'pause', {}, false, false, /accepts no actions/],
    [
      'pause of a busy node after a confirmation',
      'pause',
      { busy: true },
      true,
      false,
      /step 2 of 2, Move, of “Growth assay”/,
    ],
    [
      'resume of an idle node without a confirmation',
      'resume',
      { paused: true },
      false,
      false,
      /accepts actions again/,
    ],
    [
      'resume of a paused action after a confirmation',
      'resume',
      { paused: true, busy: true },
      true,
      false,
      /may move at once/,
    ],
    ['cancel with the workflow that it ends', 'cancel', { busy: true }, true, true, /“Growth assay” ends there/],
    ['lock without a confirmation', 'lock', {}, false, false, /until it is unlocked/],
    ['unlock without a confirmation', 'unlock', { locked: true }, false, false, /accepts actions again/],
    ['the position without a confirmation', 'get_location', { errored: true }, false, false, /nothing moves/],
    [
      'the safety stop without a confirmation',
      'safety_stop',
      { busy: true },
      false,
      true,
      /stops whatever it is doing/,
    ],
    ['reset of an error', 'reset', { errored: true }, true, false, /Check the instrument first/],
    ['reset of a busy node as dangerous', 'reset', { busy: true }, true, true, /may end that action/],
    [
      'reset of an unreachable node',
      'reset',
      { disconnected: true, errored: true },
      true,
      false,
      /contacts it again immediately/,
    ],
    ['shutdown', 'shutdown', {}, true, true, /must be started by hand/],
    ['shutdown of a busy node', 'shutdown', { busy: true }, true, true, /that action is lost/],
  ])('offers %s', (_name, command, status, needsConfirmation, dangerous, effect) => {
    const decision = decide(command, status);
    expect(decision).toMatchObject({ allowed: true, needsConfirmation, dangerous });
    expect(decision.allowed && decision.effects.join(' ')).toMatch(effect);
  });

  it('offers reset with the workflow that starts afterwards, and requires another confirmation when one has arrived', () => {
    const arm = sampleNode({ errored: true, ready: false });
    const waiting = (id: string, submitted_time: string) =>
      sampleWorkflow({ workflow_id: id, name: id, submitted_time });
    const offer = (...workflows: Workflow[]) => decideCommand('reset', createNodeContext('arm', arm, workflows));
    const now = offer(waiting('later', '2026-11-21T14:05:00'), waiting('first', '2026-11-21T14:01:00'));
    expect(now.allowed && now.effects.join(' ')).toMatch(/“first” waits for it and starts.*5 s; 1 more workflow waits/);
    const previousDecision = offer();
    expect(previousDecision.allowed && now.allowed && exceedsConfirmed(previousDecision.impacts, now.impacts)).toBe(
      true,
    );
    expect(previousDecision.allowed && previousDecision.effects.join(' ')).not.toMatch(/waits for it/);
  });

  it('offers reset of an unreachable node even if the node does not list it', () => {
    expect(decide('reset', { disconnected: true, errored: true }, [])).toMatchObject({ allowed: true });
  });

  it('states the number of workflows that wait for the node', () => {
    const decision = decideCommand('lock', createNodeContext('arm', sampleNode(), [queued]));
    expect(decision.allowed && decision.effects).toContain('1 workflow in the queue will wait for it.');
  });

  it('is based on the paused workflow whose action the node still executes', () => {
    const paused = sampleWorkflow({ steps: [sampleStep({ start_time: '2026-11-21T14:00:00' })] }, { paused: true });
    const busy = sampleNode({ busy: true });
    expect(createNodeContext('arm', busy, [paused]).workflow).toBe(paused);
    expect(createNodeContext('arm', sampleNode(), [paused]).workflow).toBeNull();
    expect(createNodeContext('arm', busy, [sampleWorkflow({}, { paused: true })]).workflow).toBeNull();
  });

  it('mentions an action that no workflow started', () => {
    const decision = decideCommand('cancel', createNodeContext('arm', sampleNode({ running_actions: ['x'] }), []));
    expect(decision.allowed && decision.effects.join(' ')).toMatch(/an action of no active workflow/);
  });
});

describe('a confirmed impact', () => {
  const later = sampleWorkflow({ steps }, { running: true });
  const impacts = (command: NodeCommand, status: Partial<NodeStatus>, workflows: readonly Workflow[]) => {
    const decision = decideCommand(command, createNodeContext('arm', sampleNode(status, allCommands), workflows));
    return decision.allowed ? decision.impacts : [];
  };
  const other = sampleWorkflow({ workflow_id: 'other', steps }, { running: true });
  const busy = { busy: true };
  it.each<
    [
      string,
      NodeCommand,
      Parameters<typeof impacts>[1],
      readonly Workflow[],
      Partial<NodeStatus>,
      readonly Workflow[],
      boolean,
    ]
  >([
    ['another step of the same workflow', 'cancel', busy, [running], busy, [later], false],
    ['another workflow', 'cancel', busy, [running], busy, [other], true],
    ['an action that no workflow started', 'cancel', busy, [running], busy, [], true],
    ['work on an idle node', 'shutdown', {}, [], busy, [running], true],
    ['no work any more', 'shutdown', busy, [running], {}, [], false],
    ['more waiting workflows', 'pause', {}, [], {}, [queued], false],
    ['work that a reset would end', 'reset', { errored: true }, [], { errored: true, busy: true }, [running], true],
    ['an error of a node that was unreachable', 'reset', { disconnected: true }, [], { errored: true }, [], true],
    ['a lock, independent of the node’s work', 'lock', {}, [], busy, [running], false],
  ])('is compared with the current one: %s', (_name, command, status, workflows, newStatus, newWorkflows, exceeds) => {
    const confirmed = impacts(command, status, workflows);
    expect(exceedsConfirmed(confirmed, impacts(command, newStatus, newWorkflows))).toBe(exceeds);
  });
});

describe('suggestCommand', () => {
  it.each<[string, Partial<NodeStatus> | null, NodeCommand | null]>([
    ['an error', { errored: true }, 'reset'],
    ['a stop', { stopped: true }, 'reset'],
    ['an unreachable node', { disconnected: true, errored: true }, 'reset'],
    ['a pause', { paused: true }, 'resume'],
    ['a lock', { locked: true }, 'unlock'],
    ['a busy node', { busy: true }, null],
    ['a ready node', {}, null],
    ['an unknown node', null, null],
  ])('returns the command for %s', (_name, status, command) => {
    expect(suggestCommand(createNodeContext('arm', sampleNode(status), []))).toBe(command);
  });

  it('returns null when the node does not support the command', () => {
    expect(suggestCommand(createNodeContext('arm', sampleNode({ paused: true }, ['reset']), []))).toBeNull();
  });
});

describe('decideForAll', () => {
  const all = [
    createNodeContext('ready', sampleNode(), []),
    createNodeContext('busy', sampleNode({ busy: true }), []),
    createNodeContext('broken', sampleNode({ errored: true }), []),
    createNodeContext('lost', sampleNode({ disconnected: true, errored: true }), []),
    createNodeContext('simple', sampleNode({}, ['reset', 'lock', 'unlock', 'shutdown']), []),
    createNodeContext('new', sampleNode(null, null), []),
  ];
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

  it.each([
    ['pause', ['ready', 'busy'], ['broken', 'lost', 'simple', 'new']],
    ['resume', [], ['ready', 'busy', 'broken', 'lost', 'simple', 'new']],
    ['lock', ['ready', 'busy', 'broken', 'simple'], ['lost', 'new']],
    ['reset', ['broken', 'lost'], ['ready', 'busy', 'simple', 'new']],
    ['cancel', ['busy'], ['ready', 'broken', 'lost', 'simple', 'new']],
    ['shutdown', ['ready', 'busy', 'broken', 'simple'], ['lost', 'new']],
  ] as const)(
    'sends %s to every node that can execute it and gives a reason for the others',
    (command, recipients, skipped) => {
      const decision = decideForAll(command, all);
      expect(names(decision.recipients)).toEqual(recipients);
      expect(names(decision.skipped)).toEqual(skipped);
      expect(decision.skipped.every(({ reason }) => reason !== '')).toBe(true);
    },
  );
});

describe('listCommands and unsupportedCommands', () => {
  it('list the commands of the node in the order of the menu, and those that it lacks', () => {
    expect(listCommands(sampleNode({}, ['shutdown', 'lock', 'reset', 'unlock']))).toEqual([
      'reset',
      'unlock',
      'lock',
      'shutdown',
    ]);
    expect(unsupportedCommands(sampleNode({}, ['lock', 'reset', 'unlock', 'shutdown']))).toEqual([
      'safety_stop',
      'pause',
      'resume',
      'cancel',
      'get_location',
    ]);
  });
  it('list nothing for a node that was never reached', () => {
    expect(listCommands(sampleNode(null, null))).toEqual([]);
    expect(unsupportedCommands(sampleNode(null, null))).toEqual([]);
  });
});
