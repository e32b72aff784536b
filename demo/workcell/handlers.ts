/** The endpoints of the workcell manager. */
import { workcellApi, type WorkcellStatus } from '../../api/managers/workcell.ts';
import { isObject, type JsonObject } from '../../api/client/wire.ts';
import { ErrorResponse, type DemoRequest } from '../base/handlers.ts';
import type { ManagerHandlers } from '../base/demoManager.ts';
import { readNumber, readOwnership, readText } from '../base/parseRequest.ts';
import { servedEndpoints, unservedEndpoints } from '../base/unservedEndpoints.ts';
import { cancel, pause, resume, retry } from './workflowCommands.ts';
import { readDefinition } from './definition.ts';
import { commandNode } from './nodes.ts';
import type { Definition, Run } from './run.ts';
import { StartError, submit } from './start.ts';
import { nodeView, type WorkcellState } from './state.ts';
import { workflowView } from './view.ts';
import { parseExactJson } from '../../api/exactJson.ts';

export const servedWorkcellApi = servedEndpoints(workcellApi, unservedEndpoints.workcell);

const noDefinition = 'There is no such workflow definition';

const param = (request: DemoRequest, name: string) => request.params[name] ?? '';

function findRun(state: WorkcellState, request: DemoRequest): Run {
  const run = state.find(param(request, 'workflow_id'));
  if (run === undefined) throw new ErrorResponse(404, 'Workflow not found');
  return run;
}

function byId(runs: Iterable<Run>): JsonObject {
  return Object.fromEntries([...runs].map((run) => [run.id, workflowView(run)]));
}

function listArchived(state: WorkcellState, number: number): JsonObject {
  const newest = [...state.archived.values()].toReversed().toSorted((a, b) => b.submitted - a.submitted);
  return byId(number === 0 ? newest : newest.slice(0, number));
}

/** Parses a form field with a JSON object; an empty field gives an empty object. */
function objectField(fields: DemoRequest['fields'], name: string, refusal: string): JsonObject {
  const text = fields[name] ?? '';
  if (text === '') return {};
  const value: unknown = parseExactJson(text);
  if (isObject(value)) return value;
  throw new ErrorResponse(400, refusal);
}

const toTexts = (object: JsonObject) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, String(value)]));

function findDefinition(state: WorkcellState, id: string): Definition {
  if (id.length !== 26) throw new ErrorResponse(422, 'Encoded ULID has to be exactly 26 characters long.');
  const definition = state.definitions.get(id);
  if (definition === undefined) throw new ErrorResponse(422, noDefinition);
  return definition;
}

function start(state: WorkcellState, { fields, files }: DemoRequest): unknown {
  const definition = findDefinition(state, fields['workflow_definition_id'] ?? '');
  const values = objectField(fields, 'json_inputs', 'Parameters must be a dictionary with string keys');
  const paths = objectField(fields, 'file_input_paths', 'Input File Paths must be a dictionary with string keys');
  const owner = objectField(fields, 'ownership_info', 'Ownership must be a dictionary');
  const request = { values, filePaths: toTexts(paths), files, ownership: readOwnership(owner) };
  try {
    return workflowView(submit(state, definition, request));
  } catch (error) {
    if (error instanceof StartError) throw new ErrorResponse(500, `Error starting workflow: ${error.message}`);
    throw error;
  }
}

function info(state: WorkcellState): JsonObject {
  const { name, description, identity } = state.parts;
  const configured = [...state.nodes].filter(([, record]) => record.configured);
  const nodes = Object.fromEntries(configured.map(([key, record]) => [key, record.url]));
  return { name, manager_id: identity.managerId, description, nodes };
}

/** Returns the status of the workcell. No endpoint sets or clears any of its flags. */
function status({ errored, errors }: WorkcellState): WorkcellStatus {
  return {
    paused: false,
    errored,
    errors: [...errors],
    initializing: false,
    shutdown: false,
    locked: false,
    ok: !errored,
  };
}

export function workcellHandlers(state: WorkcellState): ManagerHandlers<typeof servedWorkcellApi> {
  const queue = () =>
    state.queue
      .map((id) => state.find(id))
      .filter((run) => run !== undefined)
      .map(workflowView);
  const nodes = () => Object.fromEntries([...state.nodes].map(([name, record]) => [name, nodeView(record)]));
  const change = (action: (workcell: WorkcellState, run: Run) => Promise<void>) => async (request: DemoRequest) => {
    const run = findRun(state, request);
    await action(state, run);
    return workflowView(run);
  };
  return {
    getWorkcell: () => info(state),
    getState: () => ({ status: status(state), workflow_queue: queue(), workcell_info: info(state), nodes: nodes() }),
    getNodes: nodes,
    getNode: (request) => {
      const record = state.nodes.get(param(request, 'node_name'));
      return record === undefined ? 'Node not found!' : nodeView(record);
    },
    addNode: ({ query }) => {
      const name = readText(query, 'node_name');
      if (state.nodes.has(name)) return 'Node name exists, node names must be unique!';
      const record = state.addNode(name, readText(query, 'node_url'), false);
      return nodeView(record);
    },
    sendCommand: (request) => commandNode(state, param(request, 'node'), param(request, 'command')),
    getActiveWorkflows: () => byId(state.active.values()),
    getArchivedWorkflows: ({ query }) => listArchived(state, readNumber(query, 'number', 20)),
    getWorkflowQueue: queue,
    getWorkflow: (request) => workflowView(findRun(state, request)),
    pauseWorkflow: change(pause),
    resumeWorkflow: change(resume),
    cancelWorkflow: change(cancel),
    retryWorkflow: (request) => {
      const run = findRun(state, request);
      retry(state, run, readNumber(request.query, 'index', -1));
      return workflowView(run);
    },
    addWorkflowDefinition: ({ body }) => {
      const definition = readDefinition(body, () => state.parts.random.ulid());
      state.definitions.set(definition.workflow_definition_id, definition);
      return definition.workflow_definition_id;
    },
    getWorkflowDefinition: (request) => {
      const definition = state.definitions.get(param(request, 'workflow_definition_id'));
      if (definition === undefined) throw new ErrorResponse(404, noDefinition);
      return definition;
    },
    startWorkflow: (request) => start(state, request),
  };
}
