import { beforeEach, describe, expect, it } from 'vitest';
import { workcellHealth, workcellInfo, workcellState } from '../../api/managers/workcell.ts';
import { InternalFailure } from '../base/handlers.ts';
import { textFile } from '../nodes/definition.ts';
import type { Workflow } from '../../api/managers/workflow.ts';
import { TestLab } from './testLab.ts';

let lab: TestLab;
beforeEach(() => {
  lab = new TestLab();
});

const testNode = 'advanced_example_node';
const slow = (seconds: number, node = testNode) => ({ name: 'slow', node, action: 'slow', args: { seconds } });
const ownership = { ownership_info: JSON.stringify({ experiment_id: '01JEXPER1MENT0000000000000' }) };
const wait = (seconds: number) => ({ name: 'wait', action: 'wait', args: { seconds } });
const act = (action: string, overrides = {}) => ({ name: action, node: testNode, action, ...overrides });
const refusal = (status: number, message?: string | RegExp) =>
  expect.objectContaining({ status, ...(message === undefined ? {} : { message: expect.stringMatching(message) }) });

describe('the scheduler', () => {
  it('starts one step per tick in the order of submission and alternates between workflows', () => {
    const first = lab.run([wait(1), wait(1)]);
    const second = lab.run([wait(1)]);
    expect(first.status.description).toBe('Queued on step 0');
    lab.clock.advance(5000);
    expect(lab.get(first.workflow_id).status.description).toBe('Running step 0');
    expect(lab.get(second.workflow_id).scheduler_metadata).toMatchObject({ ready_to_run: true, priority: -1 });
    lab.clock.advance(5000);
    expect(lab.get(first.workflow_id).status).toMatchObject({ current_step_index: 1, running: true });
    lab.clock.advance(5000);
    expect(lab.get(first.workflow_id)).toMatchObject({
      status: { completed: true },
      duration: 'PT6S',
      completed_steps: 2,
    });
    expect(lab.get(second.workflow_id).status.description).toBe('Running step 0');
  });

  it('reports the reasons why a workflow waits', () => {
    const first = lab.run([slow(60)]);
    const second = lab.run([slow(1)]);
    lab.clock.advance(10_000);
    expect(lab.get(first.workflow_id).scheduler_metadata?.reasons).toEqual([
      'Workflow is already running',
      `Node ${testNode} not ready: Node is busy`,
    ]);
    expect(lab.get(second.workflow_id).scheduler_metadata?.reasons).toEqual([
      `Node ${testNode} not ready: Node is busy`,
    ]);
  });

  it('fails a wait that Python would reject', () => {
    const { workflow_id: id } = lab.run([wait(-1)]);
    lab.clock.advance(10_000);
    expect(lab.get(id)).toMatchObject({
      status: { failed: true },
      steps: [{ result: { errors: [{ message: 'sleep length must be non-negative' }] } }],
    });
  });

  it('detects the end of a long action at a later poll', () => {
    const { workflow_id: id } = lab.run([slow(8)]);
    lab.clock.advance(5000 + 8000);
    expect(lab.get(id).steps[0]?.status).toBe('running');
    lab.clock.advance(6000);
    expect(lab.get(id).steps[0]).toMatchObject({ status: 'succeeded', duration: null, result: { datapoints: {} } });
    expect(lab.get(id).steps[0]?.history?.map((entry) => entry.status)).toEqual(['running', 'succeeded']);
  });

  it('completes a workflow without steps and sets no start and end time for it', () => {
    const { workflow_id: id } = lab.run([]);
    lab.clock.advance(5000);
    expect(lab.get(id)).toMatchObject({ status: { completed: true }, start_time: null, end_time: null });
  });

  it('keeps an ended workflow active until the next tick', async () => {
    const { workflow_id: id } = lab.run([wait(1)]);
    lab.clock.advance(7000);
    expect(Object.keys((await lab.send('getActiveWorkflows')) as object)).toEqual([id]);
    lab.clock.advance(3000);
    expect(await lab.send('getActiveWorkflows')).toEqual({});
    expect(Object.keys((await lab.send('getArchivedWorkflows')) as object)).toEqual([id]);
  });

  it('delays a step until its conditions are met', () => {
    const condition = { condition_type: 'resource_present', location_name: 'liquidhandler_1.deck_1' };
    const { workflow_id: id } = lab.run([{ ...wait(1), conditions: [condition] }]);
    lab.clock.advance(5000);
    expect(lab.get(id).scheduler_metadata?.reasons).toEqual(['Resource not found in location liquidhandler_1.deck_1']);
    lab.resources['R1'] = { children: { 0: { resource_class: 'plate' } } };
    lab.clock.advance(10_000);
    expect(lab.get(id).status.completed).toBe(true);
  });
});

describe('steps of a workflow', () => {
  it('fail without an effect on the node, or block the node for all workflows until a reset', async () => {
    const failing = lab.run([act('fail'), wait(1)]);
    const crashing = lab.run([act('crash')]);
    const waiting = lab.run([act('every_argument', { args: { whole: 1 } })]);
    lab.clock.advance(6000);
    expect(lab.get(failing.workflow_id)).toMatchObject({
      status: { failed: true, ok: false, description: 'Failed on step 0' },
      steps: [
        { status: 'failed', result: { errors: [{ message: 'out of tips', error_type: 'TipError' }] } },
        { status: 'not_started' },
      ],
    });
    lab.clock.advance(15_000);
    expect(lab.get(crashing.workflow_id).status.failed).toBe(true);
    expect(lab.get(waiting.workflow_id).scheduler_metadata?.reasons).toEqual([
      `Node ${testNode} not ready: Node is in an error state`,
    ]);
    await lab.send('sendCommand', { command: 'reset', node: testNode });
    lab.clock.advance(10_000);
    expect(lab.get(waiting.workflow_id).status.completed).toBe(true);
    expect(lab.node(testNode).status().errors).toHaveLength(1);
  });

  it('forward values and files to later steps as datapoints', () => {
    const parameters = {
      json_inputs: [{ key: 'text', default: 'hi' }],
      file_inputs: [{ key: 'doc' }],
      feed_forward: [
        { key: 'file', parameter_type: 'feed_forward_file', step: 'make', label: 'second' },
        { key: 'label', parameter_type: 'feed_forward_json', step: 0, label: 'json_result' },
      ],
    };
    const { workflow_id: id } = lab.run(
      [
        act('make_files', { key: 'make', use_parameters: { args: { text: 'text' } } }),
        act('count_bytes', { files: { document: 'file' }, use_parameters: { args: { unit: 'label' } } }),
        act('count_bytes', { files: { document: 'doc' } }),
      ],
      { parameters },
      { paths: { doc: '/home/me/doc.txt' }, files: [textFile('doc', 'abcd')] },
    );
    lab.clock.advance(30_000);
    const finished = lab.get(id);
    expect(finished.status.description).toBe('Completed Successfully');
    expect(finished.parameter_values).toEqual({ text: 'hi', label: 'hi' });
    expect(finished.steps[2]?.file_paths?.['document']).toMatch(/^\/tmp\/tmp\w+\.txt$/);
    const result = (index: number) =>
      lab.data.get(String(finished.steps[index]?.result?.datapoints?.['json_result']))?.value;
    expect([result(1), result(2)]).toEqual([
      { count: 5, unit: 'hi' },
      { count: 4, unit: 'bytes' },
    ]);
    expect(finished.steps[0]?.result?.json_result).toBeNull();
  });

  it('receive the representation of a location that is given as a parameter', () => {
    const parameters = { json_inputs: [{ key: 'where' }] };
    const carry = { name: 'carry', node: 'robotarm_1', action: 'transfer' };
    const step = { ...carry, use_parameters: { locations: { source: 'where', target: 'where' } } };
    const values = { where: 'liquidhandler_1.deck_1' };
    const { workflow_id: id } = lab.run([step], { parameters }, { values });
    lab.clock.advance(4000);
    expect(lab.get(id).steps[0]?.locations?.['source']).toMatchObject({ location_name: values.where });
    lab.clock.advance(60_000);
    expect(lab.get(id)).toMatchObject({ status: { completed: true }, steps: [{ status: 'succeeded' }] });
  });

  it('move a resource by a child workflow for a transfer', () => {
    const args = { source: 'liquidhandler_1.deck_1', target: 'platereader_1.carriage' };
    const { workflow_id: id } = lab.run([{ name: 'move', action: 'transfer', args }]);
    lab.clock.advance(5000);
    expect(lab.get(id)).toMatchObject({
      status: { running: true },
      steps: [{ status: 'not_started', start_time: null }],
    });
    lab.clock.advance(30_000);
    const [step] = lab.get(id).steps;
    expect(step).toMatchObject({ status: 'succeeded', history: [], result: { datapoints: null } });
    expect(step?.start_time).toBe('2026-11-21T09:00:05.000000');
    expect(step?.result?.json_result).toMatchObject({ source_location_id: 'L1', target_location_id: 'L2' });
  });

  it('wait with their child workflow for a broken arm, and fail when the child is cancelled', async () => {
    const args = { source: 'liquidhandler_1.deck_1', target: 'platereader_1.carriage' };
    lab.node('robotarm_1').breakDown('motor stalled', 'HardwareError');
    const { workflow_id: id } = lab.run([{ name: 'move', action: 'transfer', args }], {}, { fields: ownership });
    lab.clock.advance(20_000);
    const activeRuns = (await lab.send('getActiveWorkflows')) as Record<string, Workflow>;
    const child = Object.values(activeRuns).find(({ workflow_id: other }) => other !== id);
    expect(child).toMatchObject({
      name: "Transfer: 'liquidhandler_1.deck_1' -> 'platereader_1.carriage'",
      scheduler_metadata: { reasons: ['Node robotarm_1 not ready: Node is in an error state'] },
    });
    // The child has no owner.
    expect(child?.ownership_info.experiment_id).toBeUndefined();
    expect(lab.get(id).status.description).toBe('Running step 0');
    await lab.change('cancel', child?.workflow_id ?? '');
    lab.clock.advance(3000);
    const [step] = lab.get(id).steps;
    expect(lab.get(id).status.failed).toBe(true);
    expect(step?.result?.errors?.[0]?.message).toBe(
      `Transfer workflow failed during execution: Workflow ${child?.name} (${child?.workflow_id}) was cancelled on step 0: 'carry'.`,
    );
  });

  it('fail when their node stays unreachable', () => {
    const { workflow_id: id } = lab.run([slow(60)]);
    lab.clock.advance(6000);
    lab.node(testNode).reachable = false;
    lab.clock.advance(60_000);
    expect(lab.get(id)).toMatchObject({ status: { failed: true }, steps: [{ status: 'unknown' }] });
  });
});

it('cancelling a queued workflow cancels the action of another workflow on its node', async () => {
  const running = lab.run([slow(60)]);
  const queued = lab.run([slow(60)]);
  lab.clock.advance(6000);
  expect((await lab.change('cancel', queued.workflow_id)).status.description).toBe('Cancelled on step 0');
  lab.clock.advance(20_000);
  expect(lab.get(running.workflow_id).status).toMatchObject({ cancelled: true, description: 'Cancelled on step 0' });
});

it('pausing a finished workflow leaves its node paused', async () => {
  const { workflow_id: id } = lab.run([slow(1)]);
  lab.clock.advance(20_000);
  expect(lab.get(id).status.completed).toBe(true);
  const paused = await lab.change('pause', id);
  expect(paused.status).toMatchObject({ completed: true, paused: true, description: 'Completed Successfully' });
  expect(Object.keys((await lab.send('getActiveWorkflows')) as object)).toEqual([id]);
  expect(lab.node(testNode).status().description).toBe('Node is paused');
  lab.clock.advance(5000);
  expect(await lab.send('getActiveWorkflows')).toEqual({});
});

it.each(['pause', 'cancel'] as const)(
  '%s during a built-in step returns a plain 500 and changes nothing',
  async (change) => {
    const { workflow_id: id } = lab.run([wait(60)]);
    lab.clock.advance(6000);
    await expect(lab.change(change, id)).rejects.toThrow(InternalFailure);
    expect(lab.get(id).status.description).toBe('Running step 0');
  },
);

it('a paused workflow proceeds to a built-in step and then rejects every command', async () => {
  const { workflow_id: id } = lab.run([
    { name: 'x', node: 'platereader_1', action: 'read_well', args: { well: 'A1' } },
    wait(1),
  ]);
  lab.clock.advance(6000);
  await lab.change('pause', id);
  lab.clock.advance(30_000);
  expect(lab.get(id).status).toMatchObject({ paused: true, current_step_index: 1, description: 'Paused on step 1' });
  await expect(lab.change('resume', id)).rejects.toThrow(InternalFailure);
  await expect(lab.change('cancel', id)).rejects.toThrow(InternalFailure);
  await expect(lab.change('retry', id)).rejects.toThrow('Workflow is not in a terminal state, cannot retry');
});

it('pausing stops a node that supports it, and the step is reported as running again', async () => {
  const { workflow_id: id } = lab.run([slow(20)]);
  lab.clock.advance(6000);
  const paused = await lab.change('pause', id);
  expect(paused).toMatchObject({
    status: { description: 'Paused on step 0', running: false },
    steps: [{ status: 'paused' }],
  });
  lab.clock.advance(60_000);
  expect(lab.get(id)).toMatchObject({ status: { paused: true }, steps: [{ status: 'running' }] });
});

it('resuming starts the action a second time', async () => {
  const { workflow_id: id } = lab.run([slow(20), slow(1)]);
  lab.clock.advance(6000);
  await lab.change('pause', id);
  lab.clock.advance(1000);
  expect((await lab.change('resume', id)).status).toMatchObject({ paused: false, has_started: false, queued: true });
  lab.clock.advance(120_000);
  expect(lab.get(id).status.completed).toBe(true);
  const starts = Object.keys(lab.node(testNode).history()).length;
  expect(starts).toBeGreaterThanOrEqual(2);
});

it('pausing and resuming between two ticks queues a workflow twice', async () => {
  const { workflow_id: id } = lab.run([slow(1)]);
  await lab.change('pause', id);
  await lab.change('resume', id);
  expect(await lab.send('getWorkflowQueue')).toHaveLength(2);
});

it('resuming a workflow that is not paused changes nothing', async () => {
  const run = lab.run([slow(1)]);
  expect(await lab.change('resume', run.workflow_id)).toEqual(run);
});

it('cancelling sets the end times, and a later poll may overwrite the step with “running”', async () => {
  const { workflow_id: id } = lab.run([
    { name: 'x', node: 'liquidhandler_2', action: 'run_command', args: { command: 'a' } },
  ]);
  lab.clock.advance(5500);
  const cancelled = await lab.change('cancel', id);
  expect(cancelled).toMatchObject({ status: { cancelled: true, running: false }, skipped_steps: 1 });
  expect(cancelled.steps[0]).toMatchObject({ status: 'cancelled', duration: 'PT0.5S' });
  lab.clock.advance(500);
  expect(lab.get(id)).toMatchObject({ status: { cancelled: true }, steps: [{ status: 'running' }] });
});

it('cancelling returns a plain 500 after two seconds when an unreachable node supports the command, and succeeds when it does not', async () => {
  const arm = { source: 'liquidhandler_1.deck_1', target: 'platereader_1.carriage' };
  const withCancel = lab.run([{ name: 'a', node: 'robotarm_1', action: 'transfer', locations: arm }]);
  const withoutCancel = lab.run([
    { name: 'b', node: 'liquidhandler_2', action: 'run_command', args: { command: 'a' } },
  ]);
  for (const name of ['robotarm_1', 'liquidhandler_2']) lab.node(name).reachable = false;
  const rejection = expect(lab.change('cancel', withCancel.workflow_id)).rejects.toThrow(InternalFailure);
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  lab.clock.advance(2000);
  await rejection;
  expect(lab.get(withCancel.workflow_id).status.cancelled).toBe(false);
  expect((await lab.change('cancel', withoutCancel.workflow_id)).status.cancelled).toBe(true);
});

describe('retrying a workflow', () => {
  it('continues at the failed step and clears nothing', async () => {
    const { workflow_id: id } = lab.run([wait(1), act('fail')]);
    lab.clock.advance(20_000);
    const failedRun = lab.get(id);
    const retried = await lab.change('retry', id);
    expect(retried).toMatchObject({ workflow_id: id, status: { failed: false, current_step_index: 1, queued: true } });
    expect(retried.steps[1]?.result).toEqual(failedRun.steps[1]?.result);
    expect(retried.end_time).toBe(failedRun.end_time);
  });

  it('starts a completed workflow at step 0 and does not validate the index', async () => {
    const finished = lab.run([wait(1), wait(1)]);
    lab.clock.advance(20_000);
    expect((await lab.change('retry', finished.workflow_id, { index: '1' })).status.current_step_index).toBe(0);
    const failedRun = lab.run([act('fail')]);
    lab.clock.advance(20_000);
    expect((await lab.change('retry', failedRun.workflow_id, { index: '7' })).status.current_step_index).toBe(7);
    lab.clock.advance(5000);
    expect(lab.get(failedRun.workflow_id).scheduler_metadata?.reasons).toEqual([
      'Exception in scheduler: list index out of range',
    ]);
  });

  it('returns 404 for an unknown workflow, like every other command', async () => {
    for (const change of ['pause', 'resume', 'cancel', 'retry'] as const) {
      await expect(lab.change(change, 'X')).rejects.toEqual(refusal(404, 'Workflow not found'));
    }
  });
});

describe('starting a workflow', () => {
  it.each([
    [[act('fail', { node: 'nix' })], /^Error starting workflow: Node nix not in Workcell Demo Workcell$/],
    [[act('nope')], /Step 'nope': Node advanced_example_node has no action 'nope'/],
    [[act('every_argument')], /is missing arg 'whole'/],
    [[act('use_location')], /is missing location 'target'/],
    [[act('count_bytes')], /is missing file 'document'/],
    [[{ name: 'x', action: 'dance' }], /Step 'x': No internal workcell action matching 'dance'/],
    [[act('use_location', { locations: { target: 'Z' } })], /Location Z not found in Workcell 'Demo Workcell'/],
    [[act('use_location', { locations: { target: 'platereader_1.carriage' } })], /: 'advanced_example_node'$/],
  ])('is refused with the steps %o', (steps, message) => {
    expect(() => lab.run(steps)).toThrow(refusal(500, message));
  });

  it('is refused without its parameters and files', () => {
    const parameters = {
      json_inputs: [{ key: 'a' }],
      file_inputs: [{ key: 'f' }],
      feed_forward: [{ key: 'late', step: 0, data_type: 'json' }],
    };
    const id = lab.define([wait(1)], { parameters });
    expect(() => lab.start(id)).toThrow(refusal(500, 'Required value a not provided'));
    expect(() => lab.start(id, { values: { a: 1 } })).toThrow(refusal(500, 'Required file f not provided'));
    expect(() => lab.start(id, { values: { a: 1 }, paths: { f: 'x' } })).toThrow(refusal(500, 'Missing file: f'));
    expect(() => lab.start(id, { values: { late: 1 } })).toThrow(refusal(500, /late is a Feed Forward Value/));
    expect(() => lab.start('X')).toThrow(refusal(422, 'Encoded ULID has to be exactly 26 characters long.'));
    expect(() => lab.start('01K5HDZZCF27YHD2WDGSXFPPKF')).toThrow(refusal(422, 'There is no such workflow definition'));
    expect(() => lab.start(id, { fields: { json_inputs: '[]' } })).toThrow(refusal(400, /Parameters must be/));
  });

  it.each([
    [
      [
        { name: 'a', key: 'k', action: 'wait' },
        { name: 'b', key: 'k', action: 'wait' },
      ],
      {},
      /Step keys must be unique/,
    ],
    [[wait(1)], { parameters: { json_inputs: [{ key: 'a' }, { key: 'a' }] } }, /Input value keys must be unique/],
    [[{ name: 's', action: 'wait', use_parameters: { args: { seconds: 'k' } } }], {}, /Step s: Parameter k not found/],
    [[{ name: 's', action: 'wait', files: { f: 'k' } }], {}, /Step s: Parameter k not found/],
    [[{ name: 's', key: 'c' }], {}, /Step s must have either an action or action parameter/],
  ])('is refused with the definition %o', (steps, options, message) => {
    expect(() => lab.define(steps, options)).toThrow(refusal(422, message));
  });
});

describe('nodes of the workcell', () => {
  it('are null until the first poll, and unreachable ones are reported as disconnected and polled again after 30 s', async () => {
    await lab.send('addNode', {}, { node_name: 'new', node_url: 'http://nowhere/' });
    expect(await lab.send('getNode', { node_name: 'new' })).toMatchObject({ status: null, info: null, state: null });
    lab.node('robotarm_1').reachable = false;
    lab.clock.advance(2000);
    const unreachableStatus = {
      errored: true,
      disconnected: true,
      description: 'Node is in an error state; Node is disconnected',
    };
    expect(await lab.send('getNode', { node_name: 'new' })).toMatchObject({ status: unreachableStatus, info: null });
    expect(await lab.send('getNode', { node_name: 'robotarm_1' })).toMatchObject({
      status: unreachableStatus,
      info: { node_name: 'robotarm_1' },
    });
    lab.node('robotarm_1').reachable = true;
    lab.clock.advance(27_000);
    expect(await lab.send('getNode', { node_name: 'robotarm_1' })).toMatchObject({ status: unreachableStatus });
    lab.clock.advance(4000);
    expect(await lab.send('getNode', { node_name: 'robotarm_1' })).toMatchObject({ status: { ready: true } });
  });

  it('are rejected with an error message and status 200 when they are unknown or exist already', async () => {
    expect(await lab.send('getNode', { node_name: 'nix' })).toBe('Node not found!');
    expect(await lab.send('addNode', {}, { node_name: testNode, node_url: 'http://x/' })).toMatch(/^Node name exists/);
  });

  it('receive commands', async () => {
    await lab.send('sendCommand', { command: 'safety_stop', node: 'robotarm_1' });
    await expect(lab.send('sendCommand', { command: 'cancel', node: 'liquidhandler_2' })).rejects.toEqual(
      refusal(400, 'Node cannot perform that admin command'),
    );
    await expect(lab.send('sendCommand', { command: 'lock', node: 'nix' })).rejects.toThrow(InternalFailure);
    lab.clock.advance(2000);
    expect(await lab.send('getNode', { node_name: 'robotarm_1' })).toMatchObject({
      status: { stopped: true, ready: false },
    });
  });
});

it('the workcell manager serves a state, a description and a health that match the contract while a workflow runs', async () => {
  lab.run([slow(60)]);
  lab.clock.advance(6000);
  const state = workcellState.safeParse(JSON.parse(JSON.stringify(await lab.send('getState'))));
  expect(state.error).toBeUndefined();
  expect(state.data?.workflow_queue).toHaveLength(1);
  expect(workcellInfo.safeParse(await lab.send('getWorkcell')).error).toBeUndefined();
  expect(workcellHealth.parse(lab.manager.health())).toMatchObject({ total_nodes: 5, nodes_reachable: 0 });
});

it('archived workflows of earlier days are listed newest first', async () => {
  lab.define([wait(1), act('fail')]);
  lab.manager.scale.addWorkflows([...lab.manager.store.definitions.values()], 50);
  const response = await lab.send('getArchivedWorkflows');
  const times = Object.values(response as Record<string, { submitted_time: string }>).map(
    (listed) => listed.submitted_time,
  );
  expect(times).toHaveLength(20);
  expect(times.toSorted().toReversed()).toEqual(times);
  expect(Object.keys((await lab.send('getArchivedWorkflows', {}, { number: '0' })) as object)).toHaveLength(50);
});
