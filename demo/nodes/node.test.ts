import { describe, expect, it } from 'vitest';
import { actionResult } from '../../api/managers/action.ts';
import { nodeInfo, nodeStatus } from '../../api/managers/node.ts';
import { ManualClock } from '../base/clock.ts';
import type { LogSink } from '../base/demoManager.ts';
import { Random } from '../base/random.ts';
import { textFile } from './definition.ts';
import { demoNodes } from './kinds.ts';
import { DemoNode } from './node.ts';

function createLab(name: string) {
  const clock = new ManualClock();
  const kind = demoNodes.find(([key]) => key === name)?.[1];
  if (kind === undefined) throw new Error(`no kind for ${name}`);
  const movedResources: string[][] = [];
  const world = {
    move(source: string, target: string) {
      movedResources.push([source, target]);
      return null;
    },
  };
  const node = new DemoNode({
    name,
    kind,
    clock,
    random: new Random(1, clock),
    world,
    url: () => 'http://127.0.0.1:1/',
  });
  const run = (action: string, args = {}) => {
    const result = node.start(action, args);
    return { id: result.action_id, result };
  };
  return { clock, node, run, movedResources };
}

it('a node logs locks, stops and exceptions to the event manager, and nothing else', () => {
  const clock = new ManualClock();
  const kind = demoNodes.find(([key]) => key === 'robotarm_1')?.[1];
  if (kind === undefined) throw new Error('no robot arm');
  const logged: string[] = [];
  const eventLog: LogSink = ({ message, source }) => void logged.push(`${message} ${source.node_id === node.id}`);
  const random = new Random(1, clock);
  const node: DemoNode = new DemoNode({
    name: 'robotarm_1',
    kind,
    clock,
    random,
    world: { move: () => null },
    url: () => 'x',
    eventLog,
  });
  for (const command of ['lock', 'unlock', 'pause', 'resume', 'safety_stop', 'reset']) node.command(command);
  node.breakDown('jammed', 'MotorError');
  expect(logged).toEqual([
    'Node locked true',
    'Node unlocked true',
    'Safety stop: all motion halted true',
    'Node exception true',
  ]);
});

describe('every node', () => {
  it.each(demoNodes)('describes itself as the contract requires: %s', (name) => {
    const { node } = createLab(name);
    expect(nodeInfo.safeParse(node.info()).error).toBeUndefined();
    expect(nodeStatus.safeParse(node.status()).error).toBeUndefined();
    expect(node.status().description).toBe('Node is ready');
  });
});

describe('an action', () => {
  it('succeeds immediately when it has no duration', () => {
    const { run } = createLab('advanced_example_node');
    const { result } = run('every_argument', { whole: 3 });
    expect(result).toMatchObject({ status: 'succeeded', json_result: { whole: 3 }, files: null });
    expect(actionResult.safeParse(result).error).toBeUndefined();
  });

  it('lasts for its duration on the clock and makes the node busy meanwhile', () => {
    const { run, node, clock } = createLab('advanced_example_node');
    const { id, result } = run('slow', { seconds: 8 });
    expect(result.status).toBe('running');
    expect(node.status()).toMatchObject({
      busy: true,
      ready: false,
      running_actions: [id],
      description: 'Node is busy',
    });
    clock.advance(8000);
    expect(node.result(id)?.status).toBe('succeeded');
    expect(node.history()[id]?.map((entry) => entry.status)).toEqual(['not_started', 'running', 'succeeded']);
  });

  it('is paused while its node is paused', () => {
    const { run, node, clock } = createLab('advanced_example_node');
    const { id } = run('slow', { seconds: 8 });
    clock.advance(3000);
    node.command('pause');
    clock.advance(60_000);
    expect(node.result(id)?.status).toBe('running');
    node.command('resume');
    clock.advance(4999);
    expect(node.result(id)?.status).toBe('running');
    clock.advance(1);
    expect(node.result(id)?.status).toBe('succeeded');
  });

  it('can be cancelled while it runs', () => {
    const { run, node } = createLab('advanced_example_node');
    const { id } = run('slow', { seconds: 8 });
    node.command('cancel');
    expect(node.result(id)?.status).toBe('cancelled');
    expect(node.status().ready).toBe(true);
  });

  it('fails without an effect on the node’s state', () => {
    const { run, node } = createLab('advanced_example_node');
    expect(run('fail').result).toMatchObject({
      status: 'failed',
      errors: [{ message: 'out of tips', error_type: 'TipError' }],
    });
    expect(node.status().ready).toBe(true);
  });

  it('blocks the node after an exception until a reset, and the error stays in the list', () => {
    const { run, node } = createLab('advanced_example_node');
    run('crash');
    expect(node.status()).toMatchObject({ errored: true, ready: false, description: 'Node is in an error state' });
    expect(run('fail').result).toMatchObject({ status: 'not_ready', errors: [{ error_type: 'NodeNotReady' }] });
    node.command('reset');
    expect(node.status()).toMatchObject({ errored: false, ready: true, errors: [{ message: 'motor stalled' }] });
  });

  it('receives files and produces files', () => {
    const { node, run } = createLab('advanced_example_node');
    const { json_result: counted } = node.start('count_bytes', {}, { document: textFile('a.txt', 'abc') });
    expect(counted).toEqual({ count: 3, unit: 'bytes' });
    const produced = run('make_files');
    expect(Object.values(node.files(produced.id)).map(({ filename }) => filename)).toEqual(['first.txt', 'second.txt']);
  });

  it.each([
    ['nope', {}, 404],
    ['every_argument', {}, 422],
    ['every_argument', { whole: 'x' }, 422],
    ['every_argument', { whole: 1.5 }, 422],
    ['every_argument', { whole: [1] }, 422],
    ['count_bytes', {}, 422],
  ])('is rejected: %s with the arguments %o', (name, args, status) => {
    const { node } = createLab('advanced_example_node');
    expect(() => node.start(name, args)).toThrow(expect.objectContaining({ status }));
  });

  it('accepts a number that is sent as text', () => {
    expect(createLab('advanced_example_node').run('every_argument', { whole: '3' }).result).toMatchObject({
      json_result: { whole: 3 },
    });
  });
});

describe('a node', () => {
  it('supports the commands of its kind', () => {
    expect(createLab('liquidhandler_1').node.commands()).toContain('safety_stop');
    const { node } = createLab('liquidhandler_2');
    expect(node.commands()).toEqual(['lock', 'reset', 'shutdown', 'unlock']);
    expect(node.command('cancel')).toMatchObject({
      success: false,
      errors: [{ error_type: 'AdminCommandNotImplemented' }],
    });
    expect(() => node.command('dance')).toThrow(expect.objectContaining({ status: 422 }));
  });

  it('stops at a safety stop without a change of its description', () => {
    const { node } = createLab('robotarm_1');
    node.command('safety_stop');
    expect(node.status()).toMatchObject({ stopped: true, ready: false, description: 'Node is ready' });
    expect(node.command('get_location').data).toMatchObject({ rail: 0 });
  });

  it('is unreachable after a shutdown', () => {
    const { node } = createLab('robotarm_1');
    node.command('shutdown');
    expect(node.reachable).toBe(false);
  });
});

it('a transfer moves the resource from one location to the other', () => {
  const { run, clock, movedResources } = createLab('robotarm_1');
  const place = (resource_id: string) => ({ representation: {}, resource_id });
  run('transfer', { source: place('A'), target: place('B') });
  clock.advance(8000);
  expect(movedResources).toEqual([['A', 'B']]);
});
