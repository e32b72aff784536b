import { createNodeStateStart } from '../../managers/workcell/nodeState.ts';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '#api/exactJson.ts';
import type { WorkcellStatus } from '#api/managers/workcell.ts';
import { maintenanceAppearance } from '#api/states.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { addressNote, addressProblem, nameProblem, readAddress } from './newNode.ts';
import { describeCapabilities, splitErrors, describeFlags } from './node/nodeFlags.ts';
import { formatPythonFloat } from '../../base/pythonYaml.ts';
import { firstSentence, furtherSentences, formatStepYaml } from './node/actionFields.ts';
import { workcellTexts as texts } from './texts.ts';
import {
  describeBadge,
  describeCounts,
  evenColumns,
  filterRows,
  getAppearance,
  createNodeRow,
  createNodeRows,
  describeRow,
} from './nodeRows.ts';
import { describeScheduler, describeWorkcell } from './workcellFacts.ts';

const at = (stamp: string | null | undefined): number | null => (stamp ? Date.parse(`${stamp}Z`) : null);
const move = sampleStep({ name: 'Move plate', start_time: '2026-11-21T14:00:00' });
const running = sampleWorkflow({ steps: [move, sampleStep()] }, { running: true });
const nodeTimes = { parseStamp: at, since: createNodeStateStart([], at) };
const row = (...overrides: Parameters<typeof sampleNode>) =>
  createNodeRow('arm', sampleNode(...overrides), [], nodeTimes);

describe('createNodeRow', () => {
  it('shows the step of a busy node, its workflow and since when', () => {
    const busy = createNodeRow('arm', sampleNode({ busy: true }), [running], nodeTimes);
    expect(describeBadge(busy)).toBe('Busy: Move plate');
    expect(describeRow(busy)).toBe('Growth assay, step 1 of 2');
    expect(busy.since).toBe(Date.parse('2026-11-21T14:00:00Z'));
    expect(busy.workflowId).toBe(running.workflow_id);
  });

  it('shows the step and the workflow of a paused node', () => {
    const paused = createNodeRow('arm', sampleNode({ busy: true, paused: true }), [running], nodeTimes);
    expect([describeBadge(paused), describeRow(paused), paused.suggestedCommand]).toEqual([
      'Paused, busy: Move plate',
      'reserved by Growth assay, step 1 of 2',
      'resume',
    ]);
  });

  it('shows the maintenance of a node and its other state', () => {
    const inMaintenance = createNodeRow('arm', sampleNode({ errored: true }), [], nodeTimes, undefined, 'until 16:00');
    expect(describeBadge(inMaintenance)).toBe('Maintenance until 16:00 (error)');
    expect(getAppearance(inMaintenance)).toBe(maintenanceAppearance);
    expect(filterRows([inMaintenance], '', true)).toEqual([]);
  });

  it('shows why a node is in error and since when', () => {
    const errors = [{ message: 'Filter wheel did not home', logged_at: '2026-11-21T13:57:00' }];
    const broken = row({ errored: true, errors });
    expect([describeRow(broken), broken.since, broken.suggestedCommand]).toEqual([
      'Filter wheel did not home',
      Date.parse('2026-11-21T13:57:00Z'),
      'reset',
    ]);
    expect(row({ errored: false, errors }).reason).toBe('');
  });

  it.each([
    ['a node that was never reached', null, null, 'never', null, null],
    ['an unreachable node', { disconnected: true, errored: true }, ['lock'], 'lost', 0, 'reset'],
    ['a ready node', {}, ['lock'], 'yes', 0, null],
  ] as const)(
    'returns contact, actions and suggested command of %s',
    (_name, status, commands, contact, actions, suggestedCommand) => {
      expect(row(status, commands)).toMatchObject({ contact, actions, suggestedCommand });
    },
  );

  it('shows that no active workflow started the action of a busy node', () => {
    expect(describeRow(row({ busy: true }))).toBe(texts.ownAction);
    expect(describeRow(row({ busy: true, paused: true }))).toBe(texts.ownAction);
  });
});

describe('the rows of nodes', () => {
  const nodes = { node_10: sampleNode(), node_2: sampleNode({ errored: true }), arm: sampleNode() };

  it('start with nodes that need attention, the most urgent first, and are then sorted by name', () => {
    const names = (inNeed: readonly string[]) =>
      createNodeRows(nodes, [], { ...nodeTimes, inNeed }).map(({ name }) => name);
    expect(names([])).toEqual(['arm', 'node_2', 'node_10']);
    expect(names(['node_10', 'node_2'])).toEqual(['node_10', 'node_2', 'arm']);
  });

  it('are the same when nothing changed', () => {
    const times = { ...nodeTimes, inNeed: ['node_2'] };
    const previousRows = createNodeRows(nodes, [], times);
    expect(createNodeRows(structuredClone(nodes), [], times, previousRows)).toBe(previousRows);
    const after = createNodeRows({ ...nodes, arm: sampleNode({ paused: true }) }, [], times, previousRows);
    expect(after.map((nodeRow, index) => nodeRow === previousRows[index])).toEqual([true, false, true]);
  });

  it('are counted by state and filtered by words and by the need for attention', () => {
    const rows = createNodeRows({ ...nodes, lost: sampleNode({ disconnected: true }) }, [], {
      ...nodeTimes,
      inNeed: ['lost', 'node_2'],
    });
    expect(describeCounts(rows)).toBe('4 nodes: 2 ready, 1 in error, 1 unreachable');
    expect(describeCounts([])).toBe('no nodes');
    expect(filterRows(rows, '', false)).toBe(rows);
    expect(filterRows(rows, 'NODE error', false).map(({ name }) => name)).toEqual(['node_2']);
    expect(filterRows(rows, '', true).map(({ name }) => name)).toEqual(['lost', 'node_2']);
  });
});

it.each([
  [5, 4, 3],
  [5, 6, 5],
  [5, 3, 3],
  [8, 6, 4],
  [50, 4, 4],
  [1, 4, 3],
  [0, 4, 3],
  [5, 1, 1],
  [5, 0, 1],
])('evenColumns for %i cards with space for %i is %i', (count, maxColumns, columns) => {
  expect(evenColumns(count, maxColumns)).toBe(columns);
});

describe('describeWorkcell', () => {
  const healthyStatus: WorkcellStatus = {
    paused: false,
    errored: false,
    initializing: false,
    shutdown: false,
    locked: false,
    ok: true,
  };
  it.each([
    ['idle', {}, 0, 'Idle', 0],
    ['running', {}, 2, 'Running', 0],
    ['initializing', { initializing: true }, 0, 'Initializing', 1],
    ['errored', { errored: true, errors: [{ message: 'lost the store' }] }, 2, 'Error', 2],
    ['errored and paused', { paused: true, errored: true }, 0, 'Error', 1],
  ])('describes a workcell that is %s', (_name, flags, count, label, sentences) => {
    const now = describeWorkcell({ ...healthyStatus, ...flags }, count);
    expect([now.label, now.details.length]).toEqual([label, sentences]);
  });
});

it('describeScheduler returns only what the manager reports', () => {
  expect(describeScheduler(undefined)).toEqual([]);
  expect(describeScheduler({ scheduler_update_interval: 5 })).toEqual([texts.scheduler('5 s')]);
  expect(
    describeScheduler(parseExactJson('{"scheduler_update_interval":5.0}') as object as Record<string, unknown>),
  ).toEqual([texts.scheduler('5 s')]);
  expect(describeScheduler({ scheduler: 'madsci.schedulers.default_scheduler', node_update_interval: 120 })).toEqual([
    'polls nodes every 2 min',
  ]);
  expect(describeScheduler({ scheduler: 'lab.night_scheduler' })).toEqual(['scheduled by night_scheduler']);
});

describe('describeFlags', () => {
  it('names every flag, set or not', () => {
    const status = sampleNode({ ready: false, busy: true, running_actions: ['a', 'b'], locked: true }).status;
    const text = describeFlags(status!);
    expect(text.set).toEqual(['accepts no actions', 'busy with 2 actions', 'locked']);
    expect(text.unset).toEqual(['paused', 'stopped', 'in error', 'unreachable', 'initializing']);
  });
  it('names the missing configuration', () => {
    expect(describeFlags(sampleNode({ waiting_for_config: ['port'] }).status!).set).toContain(
      'waits for configuration: port',
    );
  });
});

it('splitErrors separates the current error from those before a reset', () => {
  const errors = [{ message: 'old' }, { message: 'new' }];
  expect(splitErrors(sampleNode({ errors, errored: true }))).toEqual({ current: errors[1], past: [errors[0]] });
  expect(splitErrors(sampleNode({ errors }))).toEqual({ current: null, past: [errors[1], errors[0]] });
  expect(splitErrors(sampleNode({ errored: true }))).toEqual({ current: null, past: [] });
  expect(splitErrors(sampleNode(null))).toEqual({ current: null, past: [] });
});

it('describeCapabilities lists supported and unsupported capabilities, also unknown ones', () => {
  const node = sampleNode();
  const info = { ...node.info!, capabilities: { send_action: true, events: false, get_log: null, fly_high: true } };
  expect(describeCapabilities({ info })).toEqual({ supported: ['actions', 'fly high'], unsupported: ['events'] });
  expect(describeCapabilities({ info: null })).toEqual({ supported: [], unsupported: [] });
});

describe('a new node', () => {
  it.each([
    ['arm_2', ''],
    ['  ', texts.add.needName],
    ['a/b', 'A name can’t contain a slash or consist only of dots.'],
    ['..', 'A name can’t contain a slash or consist only of dots.'],
    [' arm ', 'There is a node arm already.'],
  ])('has a valid name or a problem: “%s”', (name, problem) => {
    expect(nameProblem(name, ['arm'])).toBe(problem);
  });
  it.each([
    ['http://lab-pc:2000', 'http://lab-pc:2000/', false],
    [' https://lab.example/node/ ', 'https://lab.example/node/', true],
    ['sila://lab-pc:50052', 'sila://lab-pc:50052', false],
    ['sila://lab-pc', 'sila://lab-pc', true],
    ['lab-pc:2000', null, false],
    ['ftp://lab-pc', null, false],
    ['http://', null, false],
    ['http:///x', null, false],
    ['http://user@lab-pc:2000/', null, false],
    ['http://:secret@lab-pc:2000/', null, false],
    ['http://lab-pc:2000/?a=1', null, false],
    ['http://lab-pc:2000/?', null, false],
    ['http://lab-pc:2000/#', null, false],
  ])('has a valid address or a problem: “%s”', (text, address, note) => {
    expect(readAddress(text)).toBe(address);
    expect(addressProblem(text) === '').toBe(address !== null);
    expect(addressNote(text) !== '').toBe(note);
  });
  it('requires an address', () => {
    expect(addressProblem(' ')).toBe('Enter an address.');
  });
});

describe('formatStepYaml', () => {
  it.each([
    [1e-7, '1.0e-7'],
    [1.5e300, '1.5e+300'],
    [1e21, '1.0e+21'],
    [50, '50'],
    [0.1, '0.1'],
  ])('writes %s as Python reads a number', (value, text) => {
    expect(formatPythonFloat(String(value))).toBe(text);
  });

  it('quotes texts that Python would misread and names the file parameters', async () => {
    const text = await formatStepYaml({
      name: 'read',
      node: 'reader',
      action: 'read',
      args: { well: 'NO', code: '007', time: '1:30', same: '=', merge: '<<', points: 5, tiny: 1e-7, none: null },
      files: { protocol: 'protocol' },
    });
    expect(text).toBe(`# needs a file parameter: parameters: file_inputs: - key: protocol
- name: read
  node: reader
  action: read
  args:
    well: "NO"
    code: "007"
    time: "1:30"
    same: "="
    merge: "<<"
    points: 5
    tiny: 1.0e-7
    none: null
  files:
    protocol: protocol
`);
  });
});

describe('the description of an action', () => {
  it.each([
    ['Run a protocol. It may take hours.', 'Run a protocol.', 'It may take hours.'],
    ['Move to 3.5 mm above the plate', 'Move to 3.5 mm above the plate', ''],
    ['Read a well\n\nArgs:\n  well: which', 'Read a well', 'Args:\n  well: which'],
    ['Home? Yes!', 'Home?', 'Yes!'],
    ['', '', ''],
  ])('is split after its first sentence: %j', (description, first, further) => {
    expect(firstSentence(description)).toBe(first);
    expect(furtherSentences(description)).toBe(further);
  });
});

it('an unconfirmed safety stop puts a node first with the reason, even in maintenance', () => {
  const unconfirmed = new Map([['slow', 'Not known to have stopped']]);
  const nodes = { arm: sampleNode({ disconnected: true }), slow: sampleNode() };
  const rows = createNodeRows(
    nodes,
    [],
    { ...nodeTimes, unconfirmed, inNeed: ['slow', 'arm'] },
    [],
    undefined,
    (name) => (name === 'slow' ? 'until 16:00' : ''),
  );
  expect(rows.map(({ name }) => name)).toEqual(['slow', 'arm']);
  expect(rows.slice(0, 1).map((nodeRow) => [describeBadge(nodeRow), describeRow(nodeRow)])).toEqual([
    ['Not stopped', 'Not known to have stopped'],
  ]);
  expect(filterRows(rows, '', true)).toHaveLength(2);
});
