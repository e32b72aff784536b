/**
 * Every request of the dashboard that changes something: nothing is sent on a state that has changed since it was shown,
 * and every endpoint that writes has its row here.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { computed } from 'vue';
import { recordedIn } from '../../api/commandRecord.ts';
import { isRead, type Endpoint } from '../../api/client/endpoint.ts';
import type { ManagerKey } from '../../api/managers.ts';
import { dataApi } from '../../api/managers/data.ts';
import { eventApi } from '../../api/managers/event.ts';
import { experimentApi } from '../../api/managers/experiment.ts';
import { locationApi } from '../../api/managers/location.ts';
import { resourceApi } from '../../api/managers/resource.ts';
import type { Resource } from '../../api/managers/resourceTypes.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import workcellState from '../../api/samples/workcell_state.json' with { type: 'json' };
import { answerAsManagers, type ManagerAsked } from '../fixtures/managerAnswers.ts';
import { inComponent } from '../fixtures/mounted.ts';
import { sampleExperiment } from '../fixtures/records.ts';
import { servedResource } from '../fixtures/resources.ts';
import { sampleLocation } from '../fixtures/sampleLocation.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../fixtures/workflow.ts';
import { useCommandQuestion } from '../managers/commands/commandQuestion.ts';
import { useNodeCommand, useNodePremise } from '../managers/commands/nodeCommands.ts';
import { useCommand } from '../managers/commands/useCommand.ts';
import { useOutcomes } from '../managers/commands/outcomes.ts';
import { experimentChanges } from '../managers/experiment/experimentState.ts';
import { attachHere } from '../managers/location/addLocation.ts';
import { importPlan, importPremise, toSend } from '../managers/location/importPlan.ts';
import { attachPremise, locationPremise } from '../managers/location/locationPremise.ts';
import { resourceIndex } from '../managers/resource/resourceIndex.ts';
import { absencePremise, resourcePremise } from '../managers/resource/resourcePremise.ts';
import { resourceRow, resourceRows } from '../managers/resource/resourceRow.ts';
import { newTemplatePremise, templatePremise } from '../managers/resource/templatePremise.ts';
import { useAddress } from '../managers/transport/clients.ts';
import { useWorkcell, useWorkcellState } from '../managers/workcell/workcellQueries.ts';
import { useExperimentCommand } from '../panels/experiments/useExperimentCommand.ts';
import { templatePremise as locationTemplatePremise, type TemplateKind } from '../panels/locations/templates/kinds.ts';
import { useLocationCommand, useLocationRequest } from '../panels/locations/useLocationCommand.ts';
import { resourceOperation, type ResourceAction } from '../panels/resources/operations/resourceActions.ts';
import { useOperate } from '../panels/resources/operations/useOperate.ts';
import { newNodePremise } from '../panels/workcells/newNode.ts';
import { useSubmitLab } from '../panels/workflows/submit/submitLab.ts';
import { useActions } from '../panels/workflows/useActions.ts';
import type { ActionName } from '../panels/workflows/decide.ts';

afterEach(() => void vi.unstubAllGlobals());
beforeEach(() => localStorage.clear());

const apis = [workcellApi, experimentApi, locationApi, resourceApi, dataApi, eventApi] as const;
const writes = apis.flatMap(({ server, endpoints }) =>
  Object.entries(endpoints as Readonly<Record<string, Endpoint>>)
    .filter(([, endpoint]) => !isRead(endpoint))
    .map(([name, endpoint]) => ({ server, name, endpoint })),
);

/** The endpoint of a request; `null` for a read. */
function writtenBy({ manager, method, path }: ManagerAsked): string | null {
  const found = writes.find(({ server, endpoint }) => {
    const pattern = new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return server === manager && endpoint.method === method && pattern.test(path);
  });
  return found?.name ?? null;
}

type Situation = 'same' | 'changed' | 'unread';
interface Row {
  readonly writes: readonly string[];
  readonly manager: ManagerKey;
  /** What the managers answer to reads, by path; the shown state is the one that is the `same`. */
  readonly reads: (path: string, isChanged: boolean) => unknown;
  readonly answer: unknown;
  /** In a component's setup; the result presses the button. */
  readonly use: () => () => Promise<unknown>;
  /** Why nothing is compared. */
  readonly independent?: true;
}

// --- Resources

const well = servedResource('W', { base_type: 'continuous_consumable', quantity: 38, capacity: 1000 });
const plate = (id: string, key: string): Resource => servedResource(id, { parent_id: 'S', key });
const stack = servedResource('S', { base_type: 'stack', children: [plate('P1', '0'), plate('P2', '1')] });
const box = servedResource('B', {
  base_type: 'container',
  children: { a: servedResource('P3', { parent_id: 'B', key: 'a' }) },
});
const loose = servedResource('L');
const template = { ...servedResource('T'), template_name: 'tip_rack', version: '1.0.0', default_values: {} };

/** The same resources a moment later: amounts, contents, places and locks are others. */
const later = new Map<string, Resource>([
  ['W', { ...well, quantity: 900, locked_by: 'robot' }],
  ['S', { ...stack, children: [plate('P1', '0'), plate('P2', '1'), plate('P9', '2')], locked_by: 'robot' }],
  ['B', { ...box, children: { a: servedResource('P8', { parent_id: 'B', key: 'a' }) }, parent_id: 'S', key: '7' }],
  ['L', { ...loose, parent_id: 'S', key: '5' }],
]);
const resources = [well, stack, box, loose];
const index = resourceIndex(resourceRows(resources));
const rowOf = (resource: Resource) => resourceRow(resource);

function resourceReads(path: string, isChanged: boolean): unknown {
  if (path === '/templates/query_all') return [isChanged ? { ...template, version: '2.0.0' } : template];
  if (path === '/resource/query')
    return isChanged ? [loose] : Response.json({ detail: 'Resource not found' }, { status: 404 });
  const id = path.split('/')[2] ?? '';
  return isChanged ? later.get(id) : resources.find((one) => one.resource_id === id);
}

function operation(writesTo: string, resource: Resource, action: ResourceAction): Row {
  return {
    writes: [writesTo],
    manager: 'resource',
    reads: resourceReads,
    answer: action.is === 'pop' ? [plate('P2', '1'), stack] : resource,
    use: () => {
      const operating = useOperate();
      const row = rowOf(resource);
      return () => operating.operate({ verb: action.is, row, ...resourceOperation(operating, row, index, action) });
    },
  };
}

function resourceCommand(
  writesTo: string,
  premise: (
    operating: ReturnType<typeof useOperate>,
  ) => Parameters<ReturnType<typeof useOperate>['operate']>[0]['premise'],
  run: Parameters<ReturnType<typeof useOperate>['operate']>[0]['run'],
  answer: unknown,
  reads: Row['reads'] = resourceReads,
): Row {
  return {
    writes: [writesTo],
    manager: 'resource',
    reads,
    answer,
    use: () => {
      const operating = useOperate();
      return () => operating.operate({ verb: writesTo, row: { id: 'W', name: 'W' }, premise: premise(operating), run });
    },
  };
}

const resourceRowsOfTable: Row[] = [
  operation('setQuantity', well, { is: 'setQuantity', value: 138 }),
  operation('increaseQuantity', well, { is: 'increase', value: 100 }),
  operation('decreaseQuantity', well, { is: 'decrease', value: 10 }),
  operation('setCapacity', well, { is: 'setCapacity', value: 50 }),
  operation('removeCapacity', well, { is: 'setCapacity', value: null }),
  operation('fillResource', well, { is: 'fill' }),
  operation('emptyResource', well, { is: 'empty' }),
  operation('emptyResource', box, { is: 'empty' }),
  operation('pushResource', stack, { is: 'push', child: rowOf(loose) }),
  operation('popResource', stack, { is: 'pop' }),
  operation('setChild', box, { is: 'setChild', child: rowOf(loose), key: 'b' }),
  operation('removeChild', box, { is: 'removeChild', key: 'a' }),
  operation('setChild', loose, { is: 'move', into: rowOf(box), key: 'a' }),
  operation('pushResource', loose, { is: 'move', into: rowOf(stack), key: '' }),
  operation('lockResource', well, { is: 'lock' }),
  operation('unlockResource', well, { is: 'unlock', holder: null }),
  operation('deleteResource', well, { is: 'remove' }),
  operation('deleteResource', stack, { is: 'remove' }),
  resourceCommand(
    'updateResource',
    ({ reader }) => resourcePremise(reader, [{ row: rowOf(well), index }, ['quantity']]),
    (to) => to.updateResource({ body: well as never }),
    well,
  ),
  resourceCommand(
    'restoreResource',
    ({ reader }) => absencePremise(reader, 'L'),
    (to) => to.restoreResource({ resource_id: 'L' }),
    loose,
  ),
  resourceCommand(
    'createTemplate',
    ({ reader }) => newTemplatePremise(reader, 'tip_rack'),
    (to) => to.createTemplate({ body: { resource: well as never, template_name: 'tip_rack' } }),
    template,
    (_path, isChanged) => (isChanged ? [template] : []),
  ),
  resourceCommand(
    'updateTemplate',
    ({ reader }) => templatePremise(reader, 'tip_rack', template),
    (to) => to.updateTemplate({ template_name: 'tip_rack', body: { updates: {} } }),
    template,
  ),
  resourceCommand(
    'deleteTemplate',
    ({ reader }) => templatePremise(reader, 'tip_rack', template),
    (to) => to.deleteTemplate({ template_name: 'tip_rack' }),
    { message: 'deleted' },
  ),
];

// --- Experiments

const experiment = sampleExperiment('E');
const experimentRows = experimentChanges
  .filter((change) => change !== 'continue')
  .map((change): Row => ({
    writes: [`${change}Experiment`],
    manager: 'experiment',
    reads: (_path, isChanged) => (isChanged ? { ...experiment, status: 'completed' } : experiment),
    answer: { ...experiment, status: 'completed' },
    use: () => {
      const act = useExperimentCommand();
      return () => act(change, experiment, () => true);
    },
  }));
const paused = sampleExperiment('E', { status: 'paused' });
experimentRows.push({
  writes: ['continueExperiment'],
  manager: 'experiment',
  reads: (_path, isChanged) => (isChanged ? { ...paused, status: 'cancelled' } : paused),
  answer: experiment,
  use: () => {
    const act = useExperimentCommand();
    return () => act('continue', paused, () => true);
  },
});

// --- Locations

const place = sampleLocation('bench', { representations: { arm: { x: 1 } }, resource_id: null });
const occupied = sampleLocation('bench', { representations: { arm: { x: 1 } }, resource_id: 'L' });
const movedPlace = { ...place, resource_id: 'P9', representations: { arm: { x: 2 } }, description: 'changed' };
const locationReads = (path: string, isChanged: boolean): unknown => {
  const now = isChanged ? movedPlace : place;
  return path === '/locations' ? [now] : now;
};
type Act = ReturnType<typeof useLocationCommand>['act'];
type LocationClientOf = ReturnType<typeof useLocationCommand>['client'];

function locationCommand(
  writesTo: readonly string[],
  answer: unknown,
  press: (act: Act, client: LocationClientOf) => Promise<unknown>,
  reads: Row['reads'] = locationReads,
): Row {
  return {
    writes: writesTo,
    manager: 'location',
    reads,
    answer,
    use: () => {
      const { act, client } = useLocationCommand();
      return () => press(act, client);
    },
  };
}
const newLocation = { location_name: 'shelf', representations: {} };
const stored = { template_name: 'nest', version: '1.0.0' };
const kinds = { location: 'LocationTemplate', representation: 'RepresentationTemplate' } as const;
const templateReads = (isNew: boolean) => (_path: string, isChanged: boolean) => {
  if (isNew) return isChanged ? [stored] : [];
  return [isChanged ? { ...stored, version: '2.0.0' } : stored];
};
function locationTemplate(kind: TemplateKind, verb: 'add' | 'init' | 'delete'): Row {
  return {
    writes: [`${verb}${kinds[kind]}`],
    manager: 'location',
    reads: templateReads(verb === 'add'),
    answer: verb === 'delete' ? { message: 'deleted' } : stored,
    use: () => {
      const { request, client } = useLocationRequest();
      return () =>
        request({
          what: verb,
          verb,
          target: { kind: 'resource', id: '', name: 'nest' },
          premise: locationTemplatePremise(client, kind, 'nest', verb === 'add' ? null : (stored as never)),
          run: (to): Promise<unknown> =>
            verb === 'delete'
              ? to[`delete${kinds[kind]}`]({ template_name: 'nest' })
              : to[`${verb}${kinds[kind]}`]({ body: stored as never }),
        });
    },
  };
}

const locationRows: Row[] = [
  locationCommand(['attachResource'], occupied, (act, client) =>
    act({
      verb: 'Attach',
      location: place,
      premise: attachPremise(client, place, { id: 'L', name: 'L', parent: null }),
      run: (to, named, all) => attachHere(to, named, 'L', all),
    }),
  ),
  locationCommand(
    ['detachResource'],
    place,
    (act, client) =>
      act({
        verb: 'Detach',
        location: occupied,
        premise: locationPremise(client, occupied, 'resource'),
        run: (to, named) => to.detachResource(named),
      }),
    (_path, isChanged) => (isChanged ? movedPlace : occupied),
  ),
  locationCommand(['deleteLocation'], { message: 'deleted' }, (act, client) =>
    act({
      verb: 'Delete',
      location: place,
      premise: locationPremise(client, place, 'all'),
      run: (to, named) => to.deleteLocation(named),
    }),
  ),
  locationCommand(['setRepresentation'], place, (act, client) =>
    act({
      verb: 'Replace',
      location: place,
      premise: locationPremise(client, place, { representation: 'arm' }),
      run: (to, named) => to.setRepresentation({ ...named, node_name: 'arm', body: { x: 3 } }),
    }),
  ),
  locationCommand(['removeRepresentation'], place, (act, client) =>
    act({
      verb: 'Remove',
      location: place,
      premise: locationPremise(client, place, { representation: 'arm' }),
      run: (to, named) => to.removeRepresentation({ ...named, node_name: 'arm' }),
    }),
  ),
  locationCommand(
    ['importLocations'],
    { imported: 1, skipped: 0, errors: [], locations: [] },
    (act, client) =>
      act({
        verb: 'Import',
        location: place,
        premise: importPremise(client, [newLocation], toSend(importPlan([newLocation], []), false), false),
        run: (to) => to.importLocations({ overwrite: false, body: [] }),
      }),
    // The plan of the file is another once the location is there.
    (_path, isChanged) => (isChanged ? [sampleLocation('shelf')] : []),
  ),
  ...(['addLocation', 'addLocationFromTemplate'] as const).map((endpoint) =>
    locationCommand(
      [endpoint],
      sampleLocation('shelf'),
      (act, client) =>
        act({
          verb: 'Add',
          location: place,
          premise: attachPremise(client, { location_name: 'shelf' }, null),
          run: (to) =>
            endpoint === 'addLocation'
              ? to.addLocation({ body: newLocation })
              : to.addLocationFromTemplate({ body: { location_name: 'shelf', template_name: 'nest' } }),
        }),
      (_path, isChanged) => (isChanged ? [sampleLocation('shelf')] : []),
    ),
  ),
  ...(['location', 'representation'] as const).flatMap((kind) =>
    (['add', 'init', 'delete'] as const).map((verb) => locationTemplate(kind, verb)),
  ),
];

// --- The workcell

const running = sampleWorkflow({ steps: [sampleStep({ start_time: '2026-11-21T14:00:00' })] }, { running: true });
const ended = sampleWorkflow({}, { failed: true });
const held = sampleWorkflow({ steps: [sampleStep({ start_time: '2026-11-21T14:00:00' })] }, { paused: true });
const completed = sampleWorkflow({}, { completed: true });

function workcellReads(workflow: ReturnType<typeof sampleWorkflow>, afterwards: ReturnType<typeof sampleWorkflow>) {
  return (path: string, isChanged: boolean): unknown => {
    const now = isChanged ? afterwards : workflow;
    const busy = now.status.running;
    if (path === '/state')
      return {
        ...workcellState,
        workflow_queue: now.status.active ? [now] : [],
        nodes: { arm: sampleNode({ busy, ready: !busy }) },
      };
    if (path === '/workflows/active') return now.status.terminal ? {} : { [now.workflow_id]: now };
    return path.startsWith('/workflow/') ? now : undefined;
  };
}
function workflowAction(
  action: ActionName,
  writesTo: string,
  workflow: ReturnType<typeof sampleWorkflow>,
  afterwards: ReturnType<typeof sampleWorkflow>,
): Row {
  return {
    writes: [writesTo],
    manager: 'workcell',
    reads: workcellReads(workflow, afterwards),
    answer: afterwards,
    use: () => {
      const actions = useActions(computed(() => workflow));
      return async () => {
        actions.ask(action, 0);
        await actions.confirm();
      };
    },
  };
}
const nodeReads = (status: object, afterwards: object | null) => (path: string, isChanged: boolean) => {
  if (path === '/workflows/active') return {};
  const now = isChanged ? afterwards : status;
  return {
    ...workcellState,
    workflow_queue: [],
    nodes: now === null ? {} : { arm: sampleNode(now) },
  };
};
function nodeCommand(command: 'pause' | 'lock' | 'reset' | 'shutdown', status: object, afterwards: object | null): Row {
  return {
    writes: ['sendCommand'],
    manager: 'workcell',
    reads: nodeReads(status, afterwards),
    answer: { success: true, errors: [] },
    use: () => {
      const send = useNodeCommand();
      const premise = useNodePremise();
      return () => send('arm', command, { premise: premise('arm', command, [{ whom: 'arm', weight: 9 }]) });
    },
  };
}
const addNode: Row = {
  writes: ['addNode'],
  manager: 'workcell',
  reads: (path, isChanged) =>
    path === '/nodes' ? (isChanged ? { arm: sampleNode() } : {}) : nodeReads({}, {})(path, false),
  answer: sampleNode(),
  use: () => {
    const act = useCommand();
    const connection = useWorkcell();
    const manager = () => {
      if (connection.value === null) throw new Error('No address');
      return connection.value;
    };
    return () =>
      act({
        what: 'Add arm',
        verb: 'Add',
        target: { kind: 'workcell', id: '', name: 'arm' },
        manager: 'workcell',
        premise: newNodePremise(manager, 'arm'),
        run: () => manager().commands.addNode({ node_name: 'arm', node_url: 'http://arm:2000/' }),
      });
  },
};
const definition = { name: 'Growth assay', steps: [] };
const workcellRows: Row[] = [
  workflowAction('pause', 'pauseWorkflow', running, completed),
  workflowAction('cancel', 'cancelWorkflow', running, completed),
  workflowAction('resume', 'resumeWorkflow', held, completed),
  workflowAction('retry', 'retryWorkflow', ended, running),
  addNode,
  nodeCommand('pause', {}, { paused: true }),
  nodeCommand('lock', {}, { locked: true }),
  nodeCommand('reset', { errored: true }, null),
  nodeCommand('shutdown', {}, null),
  {
    writes: ['addWorkflowDefinition', 'startWorkflow'],
    manager: 'workcell',
    // What changes the answer is the first submission of the same.
    reads: () => undefined,
    answer: 'D',
    independent: true,
    use: () => {
      const lab = useSubmitLab();
      return () => lab.submit(definition as never, { values: {}, files: {}, ownership: null });
    },
  },
];

const table = [...resourceRowsOfTable, ...experimentRows, ...locationRows, ...workcellRows];

/** Mounts the row's command, lets it see the shown state, and presses in the situation. */
async function pressed(row: Row, situation: Situation) {
  let isPressed = false;
  const says = (asked: ManagerAsked): unknown => {
    if (writtenBy(asked) !== null) return asked.path === '/workflow' ? running : row.answer;
    if (isPressed && situation === 'unread') return Response.json({ detail: 'no database' }, { status: 503 });
    return row.reads(asked.path, isPressed && situation === 'changed');
  };
  const event = ({ body }: ManagerAsked) => ({ event_timestamp: '2026-11-23T14:00:00', ...(body as object) });
  const asked = answerAsManagers({ workcell: says, experiment: says, location: says, resource: says, event });
  const { result } = inComponent(() => ({
    press: row.use(),
    question: useCommandQuestion(),
    outcomes: useOutcomes(),
    address: useAddress(row.manager),
    state: useWorkcellState(),
  }));
  await vi.waitFor(() => expect(result.address.value).not.toBeNull());
  if (row.manager === 'workcell' && row.reads('/state', false) !== undefined)
    await vi.waitFor(() => expect(result.state.data.value).toBeDefined());
  isPressed = true;
  let isDone = false;
  const done = result.press().finally(() => (isDone = true));
  const sent = () => asked.map(writtenBy).filter((name) => name !== null && name !== 'addEvent');
  const recorded = () => asked.flatMap((each) => (writtenBy(each) === 'addEvent' ? [recordedIn(each.body)] : []));
  return { ...result, sent, recorded, done, settled: () => isDone || result.question.asked !== null };
}

describe.each(table.map((row) => [`${row.manager}: ${row.writes.join(' and ')}`, row] as const))('%s', (_name, row) => {
  it('is sent once while the state is as it was shown', async () => {
    const { done, sent, question, recorded } = await pressed(row, 'same');
    await done;
    expect(question.asked).toBeNull();
    expect(sent()).toEqual(row.writes);
    // What was sent is in the lab's event log, once.
    await vi.waitFor(() => expect(recorded()).toHaveLength(1));
    expect(recorded()[0]?.record.command).toMatch(/^[a-z][a-z_]*$/);
  });

  if (row.independent === true) return;
  it('is not sent on a state that has changed since, and the difference is shown', async () => {
    const { done, settled, question, outcomes, sent, recorded } = await pressed(row, 'changed');
    await vi.waitFor(() => expect(settled()).toBe(true));
    const doubt = question.asked?.doubt;
    if (doubt !== undefined) {
      expect(doubt).toMatchObject({
        is: 'changed',
        differences: expect.arrayContaining([expect.stringMatching(/\w/)]),
      });
      question.answer(false);
    } else expect(outcomes.list).toMatchObject([{ state: 'failed', words: expect.stringContaining('Not sent.') }]);
    await done;
    expect(sent()).toEqual([]);
    expect(recorded()).toEqual([]);
  });

  it('is sent on a state that can’t be read only after a question', async () => {
    const { done, question, sent } = await pressed(row, 'unread');
    await vi.waitFor(() => expect(question.asked?.doubt).toMatchObject({ is: 'unread' }));
    expect(sent()).toEqual([]);
    question.answer(true);
    await done;
    expect(sent()).toEqual(row.writes);
  });
});

/** Endpoints that write and have no row, each with the reason. */
const withoutRow: Readonly<Record<string, string>> = {
  startExperiment: 'adds an experiment; nothing that is there is changed',
  addResource: 'adds a resource; the manager refuses a place that is taken',
  createFromTemplate: 'adds a resource',
  reconcile: 'depends on nothing that was shown',
  deleteArchivedEvents: 'its dialog shows no state but the number of days',
  addDatapoint: 'adds a datapoint; nothing that is there is changed (addRecord.mounted.test.ts)',
  addEvent: 'adds a note, which is its own record (addRecord.mounted.test.ts)',
  archiveEvents: 'tested with its dialog and the question (CommandQuestion.mounted.test.ts)',
};
const notOffered = [
  ['sendCommandToAll', 'resubmitWorkflow'],
  ['initLocation'],
  ['initResource', 'addOrUpdateResource', 'changeQuantityBy'],
  ['createBackup'],
].flat();

/** Parts of commands: whoever calls one of these functions names a premise. The log itself only records them. */
const helperFiles: ReadonlySet<string> = new Set([
  '../managers/commands/commandLog.ts',
  '../managers/commands/submission.ts',
  '../managers/location/addLocation.ts',
  '../managers/location/saveLocation.ts',
  '../managers/resource/saveEdit.ts',
  '../panels/resources/operations/addChild.ts',
  '../panels/resources/import/importLine.ts',
]);
const helpers = [
  'submitWorkflow',
  'startWorkflow',
  'addLocation',
  'attachHere',
  'saveLocation',
  'saveEdit',
  'addChild',
  'importLine',
];

const files = import.meta.glob<string>(['../**/*.ts', '../**/*.vue'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

describe('the table of commands', () => {
  it('has a row for every endpoint that writes and is used', () => {
    const known = new Set([...table.flatMap((row) => row.writes), ...Object.keys(withoutRow), ...notOffered]);
    expect(writes.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  });

  it('leaves no way to a manager beside the common one', () => {
    const sources = Object.entries(files).filter(([file]) => !/\.test\.|^\.\.\/fixtures/.test(file));
    expect(sources.length).toBeGreaterThan(500);
    const offered = writes.map(({ name }) => name).filter((name) => !notOffered.includes(name));
    // `startWorkflow(` of the helper is called as a function, the endpoint as a method.
    const sends = new RegExp(`(?<!\\bsay)\\.(${offered.join('|')})\\(|\\b(?<!function )(${helpers.join('|')})\\(`);
    const bypassing = sources.filter(([file, text]) => {
      const isOwnWay = file.startsWith('../managers/safetyStop/') || helperFiles.has(file);
      return sends.test(text) && !isOwnWay && !/\bpremise\b/.test(text);
    });
    expect(bypassing.map(([file]) => file)).toEqual([]);
  });
});
