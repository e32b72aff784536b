import { describe, expect, it } from 'vitest';
import type { ActionResult } from '#api/managers/action.ts';
import type { StepState } from '#api/states.ts';
import { sampleStep, sampleWorkflow } from '#dashboard/fixtures/sampleWorkflow.ts';
import { listAttempts } from '#dashboard/managers/workcell/attempts.ts';
import {
  createLanes,
  createLaneSpans,
  parseStepIndex,
  listArgumentLines,
  describeCondition,
  listFileLines,
  listLocations,
  describeStepState,
  describeLocations,
} from './stepFacts.ts';
import { stepTime } from '#dashboard/managers/workcell/stepSpans.ts';

/** Naive times are UTC here: `:05` is five seconds after the full minute. */
const time = (second: number) => `2026-11-21T14:00:${String(second).padStart(2, '0')}`;
const zero = Date.UTC(2026, 10, 21, 14, 0, 0);
const at = (stamp: string | null | undefined) =>
  stamp === null || stamp === undefined ? null : Date.parse(stamp.endsWith('Z') ? stamp : `${stamp}Z`);
const historyEntry = (action_id: string, status: string, second: number, errors: string[] = []): ActionResult => ({
  action_id,
  status,
  errors: errors.map((message) => ({ message })),
  history_created_at: `${time(second)}Z`,
});
const toSeconds = (ms: number | null) => (ms === null ? null : (ms - zero) / 1000);

function drawSpans(workflow: Parameters<typeof createLaneSpans>[0]) {
  return createLaneSpans(workflow, at).map(({ key, lane, start, end, appearance, thin }) => ({
    key,
    lane,
    from: toSeconds(start),
    to: toSeconds(end),
    label: appearance.label,
    ...(thin === true ? { thin } : {}),
  }));
}

describe('the time axis of a workflow', () => {
  it('has a lane for each node in order and one for built-in steps', () => {
    const steps = [
      sampleStep({ node: 'b' }),
      sampleStep({ node: null }),
      sampleStep({ node: 'a' }),
      sampleStep({ node: 'b' }),
    ];
    expect(createLanes({ steps }).map(({ label }) => label)).toEqual(['b', 'a', 'Workcell manager']);
    expect(createLanes({ steps: [] })).toEqual([]);
  });

  it('draws waits as thin lines, a running step as a bar without an end, and nothing before the start', () => {
    const workflow = sampleWorkflow(
      {
        submitted_time: time(0),
        steps: [
          sampleStep({ status: 'succeeded', start_time: time(5), end_time: time(9) }),
          sampleStep({ node: null, action: 'wait', start_time: time(12) }),
          sampleStep({ node: 'reader' }),
        ],
      },
      { running: true, current_step_index: 1 },
    );
    expect(drawSpans(workflow)).toEqual([
      { key: '0.w', lane: 'arm', from: 0, to: 5, label: 'Queued', thin: true },
      { key: '0.0', lane: 'arm', from: 5, to: 9, label: 'Completed' },
      // Without a start time, the earliest start is the end of the previous step.
      { key: '1.0', lane: ':workcell', from: 9, to: null, label: 'Running' },
    ]);
  });

  it('shows a queued workflow as waiting on the lane of its next step', () => {
    const steps = [
      sampleStep({ status: 'succeeded', start_time: time(1), end_time: time(2) }),
      sampleStep({ node: 'reader' }),
    ];
    const workflow = sampleWorkflow({ submitted_time: time(0), steps }, { current_step_index: 1 });
    expect(drawSpans(workflow).at(-1)).toEqual({
      key: '1.w0',
      lane: 'reader',
      from: 2,
      to: null,
      label: 'Queued',
      thin: true,
    });
  });

  it('shows each attempt of a retried step', () => {
    const step = sampleStep({
      status: 'succeeded',
      start_time: time(30),
      end_time: time(40),
      history: [
        historyEntry('one', 'running', 5),
        historyEntry('one', 'failed', 9, ['out of tips']),
        historyEntry('two', 'running', 31),
        historyEntry('two', 'succeeded', 39),
      ],
      result: historyEntry('two', 'succeeded', 39),
    });
    const workflow = sampleWorkflow({ submitted_time: time(4), steps: [step] }, { completed: true });
    expect(drawSpans(workflow)).toEqual([
      { key: '0.w', lane: 'arm', from: 4, to: 5, label: 'Queued', thin: true },
      { key: '0.0', lane: 'arm', from: 5, to: 9, label: 'Failed' },
      { key: '0.1', lane: 'arm', from: 30, to: 40, label: 'Completed' },
    ]);
    expect(listAttempts(step, 'succeeded')).toMatchObject([
      { actionId: 'one', state: 'failed', errors: ['out of tips'] },
      { actionId: 'two', state: 'succeeded' },
    ]);
    expect(parseStepIndex('12.1')).toBe(12);
  });

  it('does not use an end before the start, which is of an earlier attempt', () => {
    const steps = [sampleStep({ status: 'running', start_time: time(30), end_time: time(9) })];
    expect(stepTime(sampleWorkflow({ steps }, { running: true }), 0, at)).toEqual({ start: zero + 30_000, end: null });
    const failed = [sampleStep({ status: 'failed', start_time: time(30), end_time: time(9) })];
    expect(stepTime(sampleWorkflow({ steps: failed }, { failed: true }), 0, at)?.end).toBe(zero + 30_000);
  });

  it('extends a running step that reports “not started”, and the wait of a retried one', () => {
    const startedWorkflow = sampleWorkflow({ steps: [sampleStep({ start_time: time(5) })] }, { running: true });
    expect(stepTime(startedWorkflow, 0, at)).toEqual({ start: zero + 5000, end: null });
    const retriedStep = sampleStep({
      status: 'failed',
      start_time: time(5),
      end_time: time(9),
      history: [historyEntry('one', 'running', 5)],
      result: historyEntry('one', 'failed', 9),
    });
    expect(drawSpans(sampleWorkflow({ submitted_time: time(4), steps: [retriedStep] }))).toEqual([
      { key: '0.w', lane: 'arm', from: 4, to: 5, label: 'Queued', thin: true },
      { key: '0.0', lane: 'arm', from: 5, to: 9, label: 'Failed' },
      { key: '0.w1', lane: 'arm', from: 9, to: null, label: 'Queued', thin: true },
    ]);
  });

  it('draws no wait for a retried workflow, whose time in the queue is not recorded', () => {
    const failed = sampleStep({
      status: 'not_started',
      start_time: time(5),
      end_time: time(9),
      history: [historyEntry('one', 'running', 5)],
      result: historyEntry('one', 'failed', 9),
    });
    const workflow = sampleWorkflow({ submitted_time: time(4), end_time: time(10), steps: [failed] });
    expect(drawSpans(workflow).map(({ key }) => key)).toEqual(['0.w', '0.0']);
    const succeededStep = sampleStep({ status: 'succeeded', start_time: time(30), end_time: time(40) });
    const further = { ...workflow, steps: [succeededStep, sampleStep({ node: 'reader' })] };
    const next = { ...further, status: { ...workflow.status, current_step_index: 1 } };
    expect(drawSpans(next).at(-1)).toMatchObject({ key: '1.w0', from: 40, to: null });
  });

  it('draws a running transfer from its earliest start and on the nodes of its child workflow', () => {
    const move = sampleStep({
      node: null,
      action: 'transfer',
      start_time: time(1),
      end_time: time(2),
      status: 'failed',
    });
    const first = sampleStep({ status: 'succeeded', start_time: time(1), end_time: time(3) });
    const parent = sampleWorkflow(
      { submitted_time: time(0), steps: [first, move] },
      { running: true, current_step_index: 1 },
    );
    expect(stepTime(parent, 1, at)).toEqual({ start: zero + 3000, end: null, isEarliestStart: true });
    const alone = sampleWorkflow({ start_time: time(4), steps: [move] }, { running: true });
    expect(stepTime(alone, 0, at)).toEqual({ start: zero + 4000, end: null });

    const child = sampleWorkflow({ submitted_time: time(5), steps: [sampleStep({ node: 'crane' })] });
    expect(stepTime(parent, 1, at, child)).toEqual({ start: zero + 5000, end: null });
    const children = new Map([[1, child]]);
    expect(createLanes(parent, children).map(({ key }) => key)).toEqual(['arm', 'crane', ':workcell']);
    const spans = createLaneSpans(parent, at, children);
    expect(spans.map(({ key, lane }) => [key, lane]).slice(-2)).toEqual([
      ['1.c0.w0', 'crane'],
      ['1.0', ':workcell'],
    ]);
    expect(spans.map(({ key }) => parseStepIndex(key)).at(-2)).toBe(1);
  });

  it('ends a cancelled step although an old poll reports it as running', () => {
    const steps = [sampleStep({ status: 'running', start_time: time(5), end_time: time(9) })];
    expect(drawSpans(sampleWorkflow({ steps }, { cancelled: true }))[0]).toMatchObject({ to: 9, label: 'Cancelled' });
  });

  it.each([
    ['without steps', sampleWorkflow({ steps: [] })],
    ['without times', sampleWorkflow({}, { running: true })],
    ['with unknown states', sampleWorkflow({ steps: [sampleStep({ status: 'levitating', result: null })] })],
  ])('is empty for a workflow %s', (_name, workflow) => {
    expect(drawSpans(workflow)).toEqual([]);
  });
});

describe('the attempts of a step', () => {
  it('exclude the workcell manager’s notes on pausing', () => {
    const result = historyEntry('note', 'paused', 9);
    expect(listAttempts({ history: [historyEntry('one', 'running', 5)], result }, 'paused')).toHaveLength(1);
    expect(listAttempts({ result: null }, 'waiting')).toEqual([]);
  });

  it('end when the workcell manager records the end of the only start without an action', () => {
    const history = [historyEntry('one', 'running', 5)];
    for (const status of ['failed', 'unknown'])
      expect(
        listAttempts({ history, result: historyEntry('made-up', status, 9, ['lost the node']) }, 'failed'),
      ).toMatchObject([{ actionId: 'one', state: status, errors: ['lost the node'] }]);
  });

  it('include a start that fails at once after a pause', () => {
    const history = [
      historyEntry('one', 'running', 5),
      historyEntry('note', 'paused', 7),
      historyEntry('two', 'failed', 9),
    ];
    expect(listAttempts({ history, result: historyEntry('two', 'failed', 9) }, 'failed')).toMatchObject([
      { actionId: 'one', state: 'unknown' },
      { actionId: 'two', state: 'failed' },
    ]);
  });

  it('are not running after their step has ended', () => {
    const history = [historyEntry('one', 'running', 5)];
    const states = (outcome: StepState) => listAttempts({ history, result: null }, outcome).map(({ state }) => state);
    expect(states('failed')).toEqual(['failed']);
    expect(states('cancelled')).toEqual(['cancelled']);
    expect(states('running')).toEqual(['running']);
    // Queued again: how the first start ended is not recorded.
    expect(states('waiting')).toEqual(['unknown']);
  });
});

describe('the text of a step', () => {
  const steps = [sampleStep({ status: 'succeeded' }), sampleStep(), sampleStep()];
  it.each([
    [0, { running: true, current_step_index: 1 }, 'Completed'],
    [1, { current_step_index: 1 }, 'Waits to start'],
    [2, { current_step_index: 1 }, 'Waits for step 2'],
    [2, { failed: true, current_step_index: 1 }, 'Not reached'],
    [7, {}, 'Unknown'],
  ])('is correct for index %i and the state %j: %s', (index, flags, expected) => {
    expect(describeStepState(sampleWorkflow({ steps }, flags), index)).toBe(expected);
  });

  it('describes source and target by name or by representation', () => {
    const moved = sampleStep({
      locations: {
        target: { representation: [1, 2], location_name: 'plate_carriage', resource_id: 'R' },
        source: 'deck_1',
      },
    });
    expect(describeLocations(moved)).toBe('deck_1 → plate_carriage');
    expect(listLocations(moved)[1]).toEqual({
      argument: 'target',
      name: 'plate_carriage',
      isNamed: true,
      resource: 'R',
    });
    const unnamedLocations = { at: { representation: { x: 1 } }, other: null, third: 'deck_2' };
    expect(describeLocations(sampleStep({ locations: unnamedLocations }))).toBe('{"x":1}, deck_2');
    expect(describeLocations(sampleStep())).toBe('');
  });

  it('contains its arguments and their origins', () => {
    const step = sampleStep({
      args: { speed: 5, name: 'fast', list: [1, 2], tip_resource_id: 'R9' },
      use_parameters: { args: { speed: 'speed_key' } },
    });
    expect(listArgumentLines(step)).toEqual([
      { name: 'speed', value: '5', parameter: 'speed_key', resources: [] },
      { name: 'name', value: 'fast', parameter: '', resources: [] },
      { name: 'list', value: '[1,2]', parameter: '', resources: [] },
      { name: 'tip_resource_id', value: 'R9', parameter: '', resources: ['R9'] },
    ]);
    expect(
      listArgumentLines(sampleStep({ args: { long: 'x'.repeat(5), list: Array(200).fill(1) } }))[1]?.value,
    ).toMatch(/…$/);
  });

  it('contains its files with their datapoints', () => {
    const workflow = sampleWorkflow({
      file_input_paths: { doc: '/home/ada/layout.csv' },
      file_input_ids: { doc: 'D' },
    });
    expect(
      listFileLines(sampleStep({ files: { layout: 'doc', other: { key: 'inline' }, none: null } }), workflow),
    ).toEqual([
      { name: 'layout', parameter: 'doc', file: 'layout.csv', datapoint: 'D' },
      { name: 'other', parameter: 'inline', file: '', datapoint: null },
      { name: 'none', parameter: '', file: '', datapoint: null },
    ]);
  });

  it.each([
    [{ condition_type: 'resource_present', location_name: 'deck_1', resource_class: 'plate' }, 'plate is at deck_1'],
    [
      { condition_type: 'no_resource_present', location_id: '01JAAAAAAAAAAAAAAAAAAAAAAA', key: [1, 2] },
      'something is not at …AAAAAA, position 1, 2',
    ],
    [
      {
        condition_type: 'resource_field_check',
        resource_name: 'tips',
        field: 'quantity',
        operator: 'is_greater_than',
        target_value: 8,
      },
      'quantity of tips is greater than 8',
    ],
    [
      {
        condition_type: 'resource_child_field_check',
        resource_name: 'r',
        field: 'f',
        operator: 'later',
        target_value: '1',
      },
      'f of r later 1 (MADSci 0.8 never checks this one)',
    ],
    [{ condition_type: 'moon_phase' }, '{"condition_type":"moon_phase"}'],
  ])('describes the condition %j', (condition, expected) => {
    expect(describeCondition(condition)).toBe(expected);
  });

  it('names the location of a condition that contains only the location’s ID', () => {
    const condition = { condition_type: 'resource_present', location_id: '01M7YEZGAZMTTE3RWYNVGA29Z5' };
    expect(describeCondition(condition, (kind) => (kind === 'location' ? 'bench' : ''))).toContain('bench');
    expect(describeCondition(condition)).toContain('…GA29Z5');
  });

  it('names the resource of a condition that contains only the resource’s ID', () => {
    const condition = {
      condition_type: 'resource_field_check',
      resource_id: '01M7YEZGAZMTTE3RWYNVGA29Z5',
      field: 'quantity',
      operator: 'is_greater_than',
      target_value: 8,
    };
    expect(describeCondition(condition, () => 'tips')).toBe('quantity of tips is greater than 8');
    expect(describeCondition(condition)).toBe('quantity of …GA29Z5 is greater than 8');
  });
});
