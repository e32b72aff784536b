/**
 * Every request of the dashboard that changes data: nothing is sent if the state has changed since it was shown, and
 * every writing endpoint has a row or a reason for its absence here.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { computed } from 'vue';
import { readRecordedCommand } from '../../api/commandRecord.ts';
import { isRead, type Endpoint } from '../../api/client/endpoint.ts';
import type { ManagerKey } from '../../api/managers.ts';
import { dataApi } from '../../api/managers/data.ts';
import { eventApi } from '../../api/managers/event.ts';
import { experimentApi } from '../../api/managers/experiment.ts';
import { locationApi, type Location } from '../../api/managers/location.ts';
import { resourceApi } from '../../api/managers/resource.ts';
import type { LocationTemplate } from '../../api/managers/locationTemplate.ts';
import type { Resource } from '../../api/managers/resourceTypes.ts';
import { workcellApi } from '../../api/managers/workcell.ts';
import workcellState from '../../api/samples/workcell_state.json' with { type: 'json' };
import { respondAsManagers, type ManagerRequest } from '../fixtures/managerResponses.ts';
import { runInComponent } from '../fixtures/mounted.ts';
import { sampleExperiment } from '../fixtures/sampleRecords.ts';
import { sampleResource } from '../fixtures/resourceResponses.ts';
import { sampleLocation } from '../fixtures/sampleLocation.ts';
import { sampleNode, sampleStep, sampleWorkflow } from '../fixtures/sampleWorkflow.ts';
import { useCommandConfirmation } from '../managers/commands/commandConfirmation.ts';
import { useNodeCommand, useNodePremise } from '../managers/commands/nodeCommands.ts';
import { useCommand } from '../managers/commands/useCommand.ts';
import { useOutcomes } from '../managers/commands/outcomes.ts';
import { experimentChanges } from '../managers/experiment/experimentState.ts';
import {
  createImportPlan,
  importPremise,
  locationsToSend,
  type ImportResponse,
} from '../managers/location/importPlan.ts';
import type { LocationClient } from '../managers/location/locationPremise.ts';
import { getOwnLockHolder } from '../managers/resource/lockHolder.ts';
import { createResourceIndex } from '../managers/resource/resourceIndex.ts';
import { resourcePremise } from '../managers/resource/resourcePremise.ts';
import { toResourceRow, toResourceRows } from '../managers/resource/resourceRow.ts';
import { saveEdit } from '../managers/resource/saveEdit.ts';
import { useAddress, useConnection } from '../managers/transport/clients.ts';
import { useWorkcell, useWorkcellState } from '../managers/workcell/workcellQueries.ts';
import {
  createStartCommand,
  type NewExperiment,
  useExperimentCommand,
} from '../panels/experiments/useExperimentCommand.ts';
import {
  createAddCommand,
  createAttachCommand,
  createDeleteCommand,
  createDetachCommand,
  createRemoveRepresentationCommand,
  createSetRepresentationCommand,
  type NewLocationBody,
  importResult,
  useLocationCommand,
  useLocationRequest,
  type LocationCommand,
} from '../panels/locations/locationActions.ts';
import {
  createDeleteTemplateCommand as createDeleteLocationTemplateCommand,
  createSaveTemplateCommand,
  type TemplateKind,
} from '../panels/locations/templates/templateKinds.ts';
import {
  resourceOperation,
  createRestoreCommand,
  type ResourceAction,
} from '../panels/resources/operations/resourceActions.ts';
import { useResourceOperations, type OperationRequest } from '../panels/resources/operations/useResourceOperations.ts';
import {
  createTemplateAction,
  deleteTemplateAction,
  updateTemplateAction,
} from '../panels/resources/templates/templateActions.ts';
import { formValues, createTemplateBody } from '../panels/resources/templates/templateForm.ts';
import { createAddNodeCommand } from '../panels/workcells/newNode.ts';
import { describeFailure } from '../panels/workflows/submit/outcome.ts';
import { useSubmitLab } from '../panels/workflows/submit/submitLab.ts';
import { useActions } from '../panels/workflows/useActions.ts';
import type { ActionName } from '../panels/workflows/workflowActions.ts';

beforeEach(() => localStorage.clear());

const apis = [workcellApi, experimentApi, locationApi, resourceApi, dataApi, eventApi] as const;
const writes = apis.flatMap(({ server, endpoints }) =>
  Object.entries(endpoints as Readonly<Record<string, Endpoint>>)
    .filter(([, endpoint]) => !isRead(endpoint))
    .map(([name, endpoint]) => ({ server, name, endpoint })),
);

/** Returns the name of the endpoint that a request writes to; `null` for a read. */
function findWriteEndpoint({ manager, method, path }: ManagerRequest): string | null {
  const write = writes.find(({ server, endpoint }) => {
    const pattern = new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return server === manager && endpoint.method === method && pattern.test(path);
  });
  return write?.name ?? null;
}

type Situation = 'same' | 'changed' | 'unread';
interface Row {
  readonly writes: readonly string[];
  readonly manager: ManagerKey;
  /** The managers' responses to reads, by path. The state in which `isChanged` is false is the one shown. */
  readonly reads: (path: string, isChanged: boolean) => unknown;
  /** The confirming response: a body, or a function of the request. */
  readonly response: unknown;
  /** A response with status 200 that doesn't confirm the command. */
  readonly otherResponse: unknown;
  /** Runs in a component's setup; the returned function presses the button. */
  readonly use: () => () => Promise<unknown>;
  /** Whether the command has no state to compare. */
  readonly independent?: true;
}

// --- Resources

const well = sampleResource('W', { base_type: 'continuous_consumable', quantity: 38, capacity: 1000 });
const plate = (id: string, key: string): Resource => sampleResource(id, { parent_id: 'S', key });
const stack = sampleResource('S', { base_type: 'stack', children: [plate('P1', '0'), plate('P2', '1')] });
const box = sampleResource('B', {
  base_type: 'container',
  children: { a: sampleResource('P3', { parent_id: 'B', key: 'a' }) },
});
const loose = sampleResource('L');
const template = { ...sampleResource('T'), template_name: 'tip_rack', version: '1.0.0', default_values: {} };

/** The same resources later, with different amounts, contents, places and locks. */
const later = new Map<string, Resource>([
  ['W', { ...well, quantity: 900, locked_by: 'robot' }],
  ['S', { ...stack, children: [plate('P1', '0'), plate('P2', '1'), plate('P9', '2')], locked_by: 'robot' }],
  ['B', { ...box, children: { a: sampleResource('P8', { parent_id: 'B', key: 'a' }) }, parent_id: 'S', key: '7' }],
  ['L', { ...loose, parent_id: 'S', key: '5' }],
]);
const resources = [well, stack, box, loose];
const index = createResourceIndex(toResourceRows(resources));
const toRow = (resource: Resource) => toResourceRow(resource);

function resourceReads(path: string, isChanged: boolean): unknown {
  if (path === '/templates/query_all') return [isChanged ? { ...template, version: '2.0.0' } : template];
  if (path === '/resource/query')
    return isChanged ? [loose] : Response.json({ detail: 'Resource not found' }, { status: 404 });
  const id = path.split('/')[2] ?? '';
  return isChanged ? later.get(id) : resources.find((resource) => resource.resource_id === id);
}

function operationRow(
  writesTo: string,
  resource: Resource,
  action: ResourceAction,
  response: unknown,
  otherResponse: unknown = resource,
): Row {
  return {
    writes: [writesTo],
    manager: 'resource',
    reads: resourceReads,
    response,
    otherResponse,
    use: () => {
      const operations = useResourceOperations();
      const row = toRow(resource);
      return () => operations.operate({ verb: action.kind, row, ...resourceOperation(operations, row, index, action) });
    },
  };
}

/** The row of a command that a component sends with `operate`; `action` returns the component's arguments. */
function resourceRow<Body, State>(
  writesTo: readonly string[],
  action: (
    operations: ReturnType<typeof useResourceOperations>,
  ) => Pick<OperationRequest<Body, State>, 'premise' | 'run' | 'interpretResponse'>,
  response: unknown,
  otherResponse: unknown,
  reads: Row['reads'] = resourceReads,
): Row {
  return {
    writes: writesTo,
    manager: 'resource',
    reads,
    response,
    otherResponse,
    use: () => {
      const operations = useResourceOperations();
      return () => operations.operate({ verb: 'Command', row: { id: 'W', name: 'W' }, ...action(operations) });
    },
  };
}
const described = { ...well, resource_description: 'new' };

const resourceRows: Row[] = [
  operationRow('setQuantity', well, { kind: 'setQuantity', value: 138 }, { ...well, quantity: 138 }),
  operationRow('increaseQuantity', well, { kind: 'increase', value: 100 }, { ...well, quantity: 138 }),
  operationRow('increaseQuantity', well, { kind: 'increase', value: 100 }, { ...well, quantity: 138 }, later.get('W')),
  operationRow('decreaseQuantity', well, { kind: 'decrease', value: 10 }, { ...well, quantity: 28 }),
  operationRow('decreaseQuantity', well, { kind: 'decrease', value: 90 }, { ...well, quantity: 0 }),
  operationRow('setCapacity', well, { kind: 'setCapacity', value: 50 }, { ...well, capacity: 50 }),
  operationRow('removeCapacity', well, { kind: 'setCapacity', value: null }, { ...well, capacity: null }),
  operationRow('fillResource', well, { kind: 'fill' }, { ...well, quantity: 1000 }),
  operationRow('emptyResource', well, { kind: 'empty' }, { ...well, quantity: 0 }),
  operationRow('emptyResource', box, { kind: 'empty' }, { ...box, children: {} }),
  operationRow('pushResource', stack, { kind: 'push', child: toRow(loose) }, { ...stack, children: [loose] }),
  operationRow('popResource', stack, { kind: 'pop' }, [plate('P2', '1'), stack], [plate('P1', '0'), stack]),
  operationRow(
    'setChild',
    box,
    { kind: 'setChild', child: toRow(loose), key: 'b' },
    { ...box, children: { b: loose } },
  ),
  operationRow('removeChild', box, { kind: 'removeChild', key: 'a' }, { ...box, children: {} }),
  operationRow(
    'setChild',
    loose,
    { kind: 'move', into: toRow(box), key: 'c' },
    { ...box, children: { c: { ...loose, key: 'c' } } },
    box,
  ),
  operationRow(
    'pushResource',
    loose,
    { kind: 'move', into: toRow(stack), key: '' },
    { ...stack, children: [loose] },
    stack,
  ),
  operationRow(
    'lockResource',
    well,
    { kind: 'lock' },
    () => ({ ...well, locked_by: getOwnLockHolder() }),
    later.get('W'),
  ),
  operationRow('unlockResource', well, { kind: 'unlock', holder: null }, well, later.get('W')),
  operationRow('deleteResource', well, { kind: 'remove' }, well, loose),
  operationRow('deleteResource', stack, { kind: 'remove' }, stack, loose),
  resourceRow(
    ['lockResource', 'updateResource', 'unlockResource'],
    ({ reader }) => ({
      premise: resourcePremise(reader, [{ row: toRow(well), index }, ['quantity']]),
      run: (to) =>
        saveEdit(to, {
          initialResource: well,
          edit: { fields: { resource_description: 'new' }, attributes: {} },
          holder: 'page',
          accepted: [],
        }),
      interpretResponse: () => 'Saved.',
    }),
    described,
    well,
  ),
  resourceRow(
    ['restoreResource'],
    ({ reader }) => createRestoreCommand(reader, 'L'),
    loose,
    well,
    (_path, isChanged) => [{ ...loose, version: 2, change_type: isChanged ? 'Added' : 'Removed' }],
  ),
  resourceRow(
    ['createTemplate'],
    ({ reader }) =>
      createTemplateAction(reader, 'tip_rack', async () =>
        createTemplateBody({ template_name: 'tip_rack' }, well as never),
      ),
    template,
    { ...template, template_name: 'other' },
    (_path, isChanged) => (isChanged ? [template] : []),
  ),
  resourceRow(
    ['updateTemplate'],
    ({ reader }) => updateTemplateAction(reader, template, { ...formValues(template).args, description: 'new' }),
    { ...template, description: 'new' },
    template,
  ),
  resourceRow(
    ['deleteTemplate'],
    ({ reader }) => deleteTemplateAction(reader, 'tip_rack', template),
    { message: 'deleted' },
    { message: '' },
  ),
];

// --- Experiments

const experiment = sampleExperiment('E');
const experimentStatusAfter = {
  pause: 'paused',
  end: 'completed',
  fail: 'failed',
  cancel: 'cancelled',
  continue: 'in_progress',
};
const experimentRows = experimentChanges
  .filter((change) => change !== 'continue')
  .map((change): Row => ({
    writes: [`${change}Experiment`],
    manager: 'experiment',
    reads: (_path, isChanged) => (isChanged ? { ...experiment, status: 'completed' } : experiment),
    response: { ...experiment, status: experimentStatusAfter[change] },
    otherResponse: change === 'pause' ? experiment : { ...experiment, status: 'paused' },
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
  response: experiment,
  otherResponse: paused,
  use: () => {
    const act = useExperimentCommand();
    return () => act('continue', paused, () => true);
  },
});
const run1: NewExperiment = {
  name: 'Growth',
  description: '',
  run: 'run 1',
  runDescription: '',
  campaign: '',
  user: '',
};
const started = sampleExperiment('E', {
  run_name: 'run 1',
  experiment_design: { experiment_name: 'Growth', resource_conditions: [] },
});
experimentRows.push(
  ...[
    { ...started, run_name: 'run 2' },
    { ...started, status: 'completed' },
  ].map((otherResponse): Row => ({
    writes: ['startExperiment'],
    manager: 'experiment',
    // It adds an experiment and changes no existing object.
    independent: true,
    reads: () => [],
    response: started,
    otherResponse,
    use: () => {
      const act = useCommand();
      const connection = useConnection(experimentApi);
      const manager = () => {
        if (connection.value === null) throw new Error('No address');
        return connection.value;
      };
      const target = { kind: 'experiment', id: '', name: 'run 1' } as const;
      return () =>
        act({
          commandText: 'Start',
          verb: 'Start',
          target,
          manager: 'experiment',
          ...createStartCommand(manager, run1),
        });
    },
  })),
);

// --- Locations

const location = sampleLocation('bench', { representations: { arm: { x: 1 } }, resource_id: null });
const occupied = sampleLocation('bench', { representations: { arm: { x: 1 } }, resource_id: 'L' });
const changedLocation = { ...location, resource_id: 'P9', representations: { arm: { x: 2 } }, description: 'changed' };
const locationReads = (path: string, isChanged: boolean): unknown => {
  const now = isChanged ? changedLocation : location;
  return path === '/locations' ? [now] : now;
};
type GetLocationClient = ReturnType<typeof useLocationCommand>['client'];

function locationRow<Body, State>(
  writesTo: readonly string[],
  response: unknown,
  otherResponse: unknown,
  action: (client: GetLocationClient) => Pick<LocationCommand<Body, State>, 'premise' | 'run' | 'interpretResponse'>,
  reads: Row['reads'] = locationReads,
): Row {
  return {
    writes: writesTo,
    manager: 'location',
    reads,
    response,
    otherResponse,
    use: () => {
      const { act, client } = useLocationCommand();
      return () => act({ verb: 'Command', location, ...action(client) });
    },
  };
}
const newLocation = { location_name: 'shelf', representations: {} };
const shelf = sampleLocation('shelf');
const createImportResponse = (names: readonly string[]) => ({
  imported: 1,
  skipped: 0,
  errors: [],
  locations: names.map((name) => sampleLocation(name)),
});
const nest: LocationTemplate = { template_name: 'nest', version: '1.0.0' };
const templateEndpoints = { location: 'LocationTemplate', representation: 'RepresentationTemplate' } as const;
const templateReads = (isNew: boolean) => (_path: string, isChanged: boolean) => {
  if (isNew) return isChanged ? [nest] : [];
  return [isChanged ? { ...nest, version: '2.0.0' } : nest];
};
function templateRow(kind: TemplateKind, verb: 'add' | 'init' | 'delete'): Row {
  const sentTemplate = { ...nest, version: verb === 'init' ? '1.1.0' : '1.0.0' };
  return {
    writes: [`${verb}${templateEndpoints[kind]}`],
    manager: 'location',
    reads: templateReads(verb === 'add'),
    response: verb === 'delete' ? { message: 'deleted' } : sentTemplate,
    otherResponse: verb === 'delete' ? { message: ' ' } : { ...sentTemplate, version: '0.9.0' },
    use: () => {
      const { request, client } = useLocationRequest();
      const target = { kind: 'resource', id: '', name: 'nest' } as const;
      const common = { commandText: verb, verb, target };
      return () =>
        verb === 'delete'
          ? request({ ...common, ...createDeleteLocationTemplateCommand(client, kind, nest) })
          : request({
              ...common,
              ...createSaveTemplateCommand(client, kind, sentTemplate, verb === 'add' ? null : nest),
            });
    },
  };
}
/** Omits the second argument, the name and ID of the location, which a new one does not have yet. */
function adaptAddCommand(client: GetLocationClient, requested: NewLocationBody) {
  const { run, ...action } = createAddCommand(client, requested, readResource);
  return {
    ...action,
    run: (to: LocationClient, _at: unknown, all: readonly Location[] | null) => run(to, all),
  };
}
const readResource = async () => undefined;
const newRepresentation = { representations: { arm: { x: 3 } } };

const locationRows: Row[] = [
  locationRow(['attachResource'], occupied, location, (client) =>
    createAttachCommand(client, location, { id: 'L', name: 'L', parent: null }, readResource),
  ),
  locationRow(
    ['detachResource'],
    location,
    occupied,
    (client) => createDetachCommand(client, occupied, (id) => id),
    (_path, isChanged) => (isChanged ? changedLocation : occupied),
  ),
  locationRow(['deleteLocation'], { message: 'deleted' }, { message: '' }, (client) =>
    createDeleteCommand(client, location),
  ),
  locationRow(['setRepresentation'], { ...location, ...newRepresentation }, location, (client) =>
    createSetRepresentationCommand(client, location, 'arm', { x: 3 }),
  ),
  locationRow(['removeRepresentation'], { ...location, representations: {} }, location, (client) =>
    createRemoveRepresentationCommand(client, location, 'arm'),
  ),
  ...[['shelf'], ['other']].map((names) =>
    locationRow(
      ['importLocations'],
      createImportResponse(['shelf']),
      { ...createImportResponse(names), imported: names[0] === 'shelf' ? 2 : 1 },
      (client) => {
        const plan = createImportPlan([newLocation], []);
        const sentLocations = locationsToSend(plan, false);
        return {
          premise: importPremise(client, [newLocation], plan, false),
          run: (to: LocationClient) => to.importLocations({ overwrite: false, body: [...sentLocations] }),
          interpretResponse: (response: ImportResponse) => importResult(sentLocations, response),
        };
      },
      // The import plan of the file changes when the location exists.
      (_path, isChanged) => (isChanged ? [shelf] : []),
    ),
  ),
  ...(['manual', 'template'] as const).map((kind) =>
    locationRow(
      [kind === 'manual' ? 'addLocation' : 'addLocationFromTemplate'],
      shelf,
      location,
      (client) =>
        adaptAddCommand(
          client,
          kind === 'manual'
            ? { kind, body: newLocation, resource: null }
            : { kind, body: { location_name: 'shelf', template_name: 'nest' } },
        ),
      (_path, isChanged) => (isChanged ? [shelf] : []),
    ),
  ),
  locationRow(
    ['addLocation', 'attachResource'],
    ({ path }: ManagerRequest) => (path === '/location' ? shelf : { ...shelf, resource_id: 'L' }),
    shelf,
    (client) =>
      adaptAddCommand(client, { kind: 'manual', body: newLocation, resource: { id: 'L', name: 'L', parent: null } }),
    (_path, isChanged) => (isChanged ? [shelf] : []),
  ),
  ...(['location', 'representation'] as const).flatMap((kind) =>
    (['add', 'init', 'delete'] as const).map((verb) => templateRow(kind, verb)),
  ),
];

// --- The workcell

const running = sampleWorkflow({ steps: [sampleStep({ start_time: '2026-11-21T14:00:00' })] }, { running: true });
const failed = sampleWorkflow({}, { failed: true });
const pausedWorkflow = sampleWorkflow({ steps: [sampleStep({ start_time: '2026-11-21T14:00:00' })] }, { paused: true });
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
function workflowRow(
  action: ActionName,
  writesTo: string,
  workflow: ReturnType<typeof sampleWorkflow>,
  afterwards: ReturnType<typeof sampleWorkflow>,
  response: ReturnType<typeof sampleWorkflow>,
): Row {
  return {
    writes: [writesTo],
    manager: 'workcell',
    reads: workcellReads(workflow, afterwards),
    response,
    otherResponse: workflow,
    use: () => {
      const actions = useActions(computed(() => workflow));
      return async () => {
        actions.requestConfirmation(action, 0);
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
function nodeRow(command: 'pause' | 'lock' | 'reset' | 'shutdown', status: object, afterwards: object | null): Row {
  return {
    writes: ['sendCommand'],
    manager: 'workcell',
    reads: nodeReads(status, afterwards),
    response: { success: true, errors: [] },
    otherResponse: { success: 'later', errors: [] },
    use: () => {
      const send = useNodeCommand();
      const premise = useNodePremise();
      return () => send('arm', command, { premise: premise('arm', command, [{ target: 'arm', severity: 9 }]) });
    },
  };
}
const addNode: Row = {
  writes: ['addNode'],
  manager: 'workcell',
  reads: (path, isChanged) =>
    path === '/nodes' ? (isChanged ? { arm: sampleNode() } : {}) : nodeReads({}, {})(path, false),
  response: { ...sampleNode(), node_url: 'http://arm:2000/' },
  otherResponse: { ...sampleNode(), node_url: 'http://other:2000/' },
  use: () => {
    const act = useCommand();
    const connection = useWorkcell();
    const manager = () => {
      if (connection.value === null) throw new Error('No address');
      return connection.value;
    };
    return () =>
      act({
        commandText: 'Add arm',
        verb: 'Add',
        target: { kind: 'workcell', id: '', name: 'arm' },
        manager: 'workcell',
        ...createAddNodeCommand(manager, 'arm', 'http://arm:2000/'),
      });
  },
};
const definition = { name: 'Growth assay', steps: [] };
const workcellRows: Row[] = [
  workflowRow('pause', 'pauseWorkflow', running, completed, pausedWorkflow),
  workflowRow('cancel', 'cancelWorkflow', running, completed, sampleWorkflow({}, { cancelled: true })),
  workflowRow('resume', 'resumeWorkflow', pausedWorkflow, completed, running),
  workflowRow('retry', 'retryWorkflow', failed, running, running),
  addNode,
  nodeRow('pause', {}, { paused: true }),
  nodeRow('lock', {}, { locked: true }),
  nodeRow('reset', { errored: true }, null),
  nodeRow('shutdown', {}, null),
  {
    writes: ['addWorkflowDefinition', 'startWorkflow'],
    manager: 'workcell',
    // Only an earlier submission of the same definition requires a confirmation (recentSubmissions.test.ts).
    reads: () => undefined,
    response: ({ path }: ManagerRequest) => (path === '/workflow' ? { ...running, name: definition.name } : 'D'),
    otherResponse: ({ path }: ManagerRequest) => (path === '/workflow' ? { ...running, name: 'Another' } : 'D'),
    independent: true,
    use: () => {
      const lab = useSubmitLab();
      const outcomes = useOutcomes();
      return async () => {
        const report = outcomes.begin('Submit');
        // As the submit page, which shows the result itself.
        try {
          await lab.submit(definition as never, { values: {}, files: {}, ownership: null });
          report('done', '');
        } catch (error) {
          report(describeFailure(error).kind === 'unclear' ? 'unclear' : 'failed', '');
        }
      };
    },
  },
];

const table = [...resourceRows, ...experimentRows, ...locationRows, ...workcellRows];

/** Mounts the row's command with the shown state and triggers it in the given situation. */
async function pressCommand(row: Row, situation: Situation, response: unknown = row.response) {
  let isPressed = false;
  let isReadable = false;
  const respond = (request: ManagerRequest): unknown => {
    if (findWriteEndpoint(request) !== null)
      return typeof response === 'function' ? (response as (input: ManagerRequest) => unknown)(request) : response;
    if (isPressed && situation === 'unread' && !isReadable)
      return Response.json({ detail: 'no database' }, { status: 503 });
    return row.reads(request.path, isPressed && situation === 'changed');
  };
  const event = ({ body }: ManagerRequest) => ({ event_timestamp: '2026-11-23T14:00:00', ...(body as object) });
  const requests = respondAsManagers({
    workcell: respond,
    experiment: respond,
    location: respond,
    resource: respond,
    event,
  });
  const { result } = runInComponent(() => ({
    press: row.use(),
    confirmation: useCommandConfirmation(),
    outcomes: useOutcomes(),
    address: useAddress(row.manager),
    state: useWorkcellState(),
  }));
  await vi.waitFor(() => expect(result.address.value).toMatch(/^http:/));
  if (row.manager === 'workcell' && row.reads('/state', false) !== undefined)
    await vi.waitFor(() => expect(result.state.data.value).toHaveProperty('nodes'));
  isPressed = true;
  let isDone = false;
  const outcome = result.press().finally(() => (isDone = true));
  const writtenEndpoints = () => requests.map(findWriteEndpoint).filter((name) => name !== null && name !== 'addEvent');
  const recorded = () =>
    requests.flatMap((request) =>
      findWriteEndpoint(request) === 'addEvent' ? [readRecordedCommand(request.body)] : [],
    );
  const makeReadable = (): void => void (isReadable = true);
  return {
    ...result,
    makeReadable,
    sent: writtenEndpoints,
    recorded,
    done: outcome,
    isSettled: () => isDone || result.confirmation.pending !== null,
  };
}

describe.each(table.map((row) => [`${row.manager}: ${row.writes.join(' and ')}`, row] as const))(
  'the command %s',
  (_name, row) => {
    it('is sent once when the state is unchanged', async () => {
      const { done, sent, confirmation, outcomes, recorded } = await pressCommand(row, 'same');
      await done;
      expect(['done', 'queued'], outcomes.list[0]?.text).toContain(outcomes.list[0]?.state);
      expect(confirmation.pending).toBeNull();
      expect(sent()).toEqual(row.writes);
      // The lab's event log has exactly one record of the command.
      await vi.waitFor(() => expect(recorded()).toHaveLength(1));
      expect(recorded()[0]?.record.command).toMatch(/^[a-z][a-z_]*$/);
    });

    it('is unclear when the response shows something else', async () => {
      const { done, sent, outcomes } = await pressCommand(row, 'same', row.otherResponse);
      await done;
      expect(sent()).toEqual(row.writes);
      expect(outcomes.list).toMatchObject([{ state: 'unclear', text: expect.stringMatching(/^$|\w/) }]);
    });

    if (row.independent === true) return;
    it('is not sent after the state has changed, and the page shows the change or that nothing was sent', async () => {
      const { done, isSettled, confirmation, outcomes, sent, recorded } = await pressCommand(row, 'changed');
      await vi.waitFor(() => expect(isSettled()).toBe(true));
      const finding = confirmation.pending?.finding;
      if (finding !== undefined) {
        expect(finding).toMatchObject({
          kind: 'changed',
          differences: expect.arrayContaining([expect.stringMatching(/\w/)]),
        });
        confirmation.respond(false);
      } else expect(outcomes.list).toMatchObject([{ state: 'notSent' }]);
      await done;
      expect(sent()).toEqual([]);
      expect(recorded()).toEqual([]);
    });

    it('is sent with an unreadable state only after a confirmation', async () => {
      const { done, confirmation, sent, makeReadable } = await pressCommand(row, 'unread');
      await vi.waitFor(() => expect(confirmation.pending?.finding).toMatchObject({ kind: 'unread' }));
      expect(sent()).toEqual([]);
      makeReadable();
      confirmation.respond(true);
      await done;
      expect(sent()).toEqual(row.writes);
    });
  },
);

/** Writing endpoints without a row, each with the reason. */
const exemptEndpoints: Readonly<Record<string, string>> = {
  addResource: 'adds a resource; the manager refuses a place that is taken',
  createFromTemplate: 'adds a resource',
  reconcile: 'depends on nothing that was shown',
  deleteArchivedEvents: 'its dialog shows no state but the number of days',
  addDatapoint: 'adds a datapoint and changes no existing one (addRecord.mounted.test.ts)',
  addEvent: 'adds a note, which is its own record (addRecord.mounted.test.ts)',
  archiveEvents: 'tested with its dialog and the confirmation (CommandConfirmation.mounted.test.ts)',
};
/** Writing endpoints that the dashboard does not use. */
const notOffered = [
  ['sendCommandToAll', 'resubmitWorkflow'],
  ['initLocation'],
  ['initResource', 'addOrUpdateResource', 'changeQuantityBy'],
  ['createBackup'],
].flat();

/**
 * Files that send parts of commands, for which their callers supply a premise; `commandLog.ts` only records commands.
 */
const helperFiles: ReadonlySet<string> = new Set([
  '../managers/commands/commandLog.ts',
  '../managers/commands/submission.ts',
  '../managers/location/addLocation.ts',
  '../managers/location/saveLocation.ts',
  '../managers/resource/saveEdit.ts',
  '../panels/resources/operations/addChild.ts',
  '../panels/resources/import/importLine.ts',
]);
/** Functions that send parts of commands. */
const helpers = [
  'submitWorkflow',
  'startWorkflow',
  'addLocation',
  'attachExclusively',
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
  it('has a row for every used writing endpoint that is not exempt', () => {
    const coveredWrites = new Set([
      ...table.flatMap((row) => row.writes),
      ...Object.keys(exemptEndpoints),
      ...notOffered,
    ]);
    expect(writes.map(({ name }) => name).filter((name) => !coveredWrites.has(name))).toEqual([]);
  });

  it('every file that sends commands mentions a premise, unless it is exempt', () => {
    const sources = Object.entries(files).filter(([file]) => !/\.test\.|^\.\.\/fixtures/.test(file));
    expect(sources.length).toBeGreaterThan(500);
    const offered = writes.map(({ name }) => name).filter((name) => !notOffered.includes(name));
    // The `startWorkflow(` helper is called as a function, the endpoint as a method.
    const sends = new RegExp(`\\.(${offered.join('|')})\\(|\\b(?<!function )(${helpers.join('|')})\\(`);
    const bypassing = sources.filter(([file, text]) => {
      const isExempt = file.startsWith('../managers/safetyStop/') || helperFiles.has(file);
      return sends.test(text) && !isExempt && !/\bpremise\b/.test(text);
    });
    expect(bypassing.map(([file]) => file)).toEqual([]);
  });
});
