/**
 * The workcell manager's contract (port 8005): its state, its nodes and their commands, and the life cycle of workflows.
 * Source: MADSci 0.8.1, workcell manager; 0.7 has no resubmit. The manager does not check the state of a workflow: pause,
 * resume and cancel also command the node of its current step, even if the workflow has finished or is only queued, and
 * even if the node executes another workflow.
 */
import * as z from 'zod/mini';
import { adminCommandResponse } from './action.ts';
import type { Api, Endpoint } from '../client/endpoint.ts';
import { node, salvageNode } from './node.ts';
import { healthEndpoint, serviceHealth, settingsEndpoint } from '../lab/service.ts';
import { newWorkflowDefinition, workflowDefinition } from './workflowDefinition.ts';
import { workflow, workflows } from './workflow.ts';
import { errorEntry, id, jsonObject, ownershipInfo, jsonInteger } from '../client/wire.ts';

/** `nodes_reachable` is always 0 in 0.8.1 and always `total_nodes` in 0.7: count the nodes in the state instead. */
export const workcellHealth = z.extend(serviceHealth, {
  cache_connected: z.nullish(z.boolean()),
  /** 0.7's name for `cache_connected`. */
  redis_connected: z.nullish(z.boolean()),
  nodes_reachable: z.nullish(jsonInteger),
  total_nodes: z.nullish(jsonInteger),
});

/** MADSci only ever sets `initializing` and `errored`; an errored workcell starts no step until the manager restarts. */
const workcellStatus = z.looseObject({
  paused: z.boolean(),
  errored: z.boolean(),
  errors: z.optional(z.array(errorEntry)),
  initializing: z.boolean(),
  shutdown: z.boolean(),
  locked: z.boolean(),
  ok: z.boolean(),
});
export type WorkcellStatus = z.infer<typeof workcellStatus>;

/** `nodes` contains the addresses of the configured nodes only, not of those added at run time. */
export const workcellInfo = z.looseObject({
  name: z.string(),
  manager_id: z.nullish(id),
  description: z.nullish(z.string()),
  nodes: z.nullish(z.record(z.string(), z.string())),
});

const nodes = z.record(z.string(), node);
export type Nodes = z.infer<typeof nodes>;

/** A workflow that was paused and resumed quickly may be in the queue twice. */
export const workcellState = z.looseObject({
  status: workcellStatus,
  workflow_queue: z.array(workflow),
  workcell_info: workcellInfo,
  nodes,
});
export type WorkcellState = z.infer<typeof workcellState>;

/**
 * The request to start a workflow. Every declared file needs an entry in `file_input_paths` (its original path, for the
 * record and the extension) and a file under the same key in the call's `files`.
 */
const workflowStart = z.object({
  workflow_definition_id: id,
  json_inputs: z.nullish(jsonObject),
  file_input_paths: z.nullish(z.record(z.string(), z.string())),
  ownership_info: z.nullish(ownershipInfo),
});
export type WorkflowStart = z.infer<typeof workflowStart>;

/** The body of an error with status 200, a text instead of an object: `Node not found!`, `Node name exists, …`. */
const textRefusal = z.string();
const notFound = { 404: 'Workflow not found' } as const;

function changeEndpoint<const P extends `/${string}`>(purpose: string, path: P) {
  return {
    purpose,
    method: 'POST',
    path,
    response: workflow,
    errors: notFound,
    timeoutMs: 20_000,
  } as const satisfies Endpoint;
}

export const workcellApi = {
  server: 'workcell',
  endpoints: {
    health: healthEndpoint(workcellHealth),
    settings: settingsEndpoint,
    getWorkcell: { purpose: 'read the workcell', method: 'GET', path: '/workcell', response: workcellInfo },
    getState: {
      purpose: 'read the state of the workcell',
      method: 'GET',
      path: '/state',
      response: workcellState,
      lists: [{ member: 'nodes', salvage: salvageNode }, { member: 'workflow_queue' }],
    },
    getNodes: {
      purpose: 'read the nodes',
      method: 'GET',
      path: '/nodes',
      response: nodes,
      lists: [{ member: '', salvage: salvageNode }],
    },
    getNode: {
      purpose: 'read the node',
      method: 'GET',
      path: '/node/{node_name}',
      response: node,
      refusal: textRefusal,
    },
    /** Adds the node until the manager restarts; nodes cannot be removed. */
    addNode: {
      purpose: 'add the node',
      method: 'POST',
      path: '/node',
      query: z.object({ node_name: z.string(), node_url: z.string() }),
      response: node,
      refusal: textRefusal,
    },
    /**
     * Sends the command to every node that supports it. If one of them is unreachable, the manager returns a plain 500
     * and sends the command to no further node.
     */
    sendCommandToAll: {
      purpose: 'send the command to the nodes',
      method: 'POST',
      path: '/admin/{command}',
      response: z.array(adminCommandResponse),
      timeoutMs: 60_000,
    },
    sendCommand: {
      purpose: 'send the command to the node',
      method: 'POST',
      path: '/admin/{command}/{node}',
      response: adminCommandResponse,
      errors: { 400: 'Node cannot perform that admin command' },
      timeoutMs: 20_000,
    },
    getActiveWorkflows: {
      purpose: 'read the active workflows',
      method: 'GET',
      path: '/workflows/active',
      response: workflows,
      lists: [{ member: '' }],
    },
    /** Newest first; `number` defaults to 20, 0 means all. */
    getArchivedWorkflows: {
      purpose: 'read the archived workflows',
      method: 'GET',
      path: '/workflows/archived',
      query: z.object({ number: z.optional(jsonInteger) }),
      response: workflows,
      lists: [{ member: '' }],
      timeoutMs: 60_000,
    },
    getWorkflowQueue: {
      purpose: 'read the queue',
      method: 'GET',
      path: '/workflows/queue',
      response: z.array(workflow),
      lists: [{ member: '' }],
    },
    getWorkflow: {
      purpose: 'read the workflow',
      method: 'GET',
      path: '/workflow/{workflow_id}',
      response: workflow,
      errors: notFound,
    },
    pauseWorkflow: changeEndpoint('pause the workflow', '/workflow/{workflow_id}/pause'),
    resumeWorkflow: changeEndpoint('resume the workflow', '/workflow/{workflow_id}/resume'),
    cancelWorkflow: changeEndpoint('cancel the workflow', '/workflow/{workflow_id}/cancel'),
    /**
     * Retries from the step `index` (from 0; a negative value is the step where the workflow ended); a completed workflow
     * always restarts at step 0.
     */
    retryWorkflow: {
      purpose: 'retry the workflow',
      method: 'POST',
      path: '/workflow/{workflow_id}/retry',
      query: z.object({ index: z.optional(jsonInteger) }),
      response: workflow,
      errors: { ...notFound, 400: 'Workflow is not in a terminal state, cannot retry' },
    },
    /** Creates a workflow with the same values; the files and the owner are not copied. */
    resubmitWorkflow: {
      purpose: 'resubmit the workflow',
      method: 'POST',
      path: '/workflow/{workflow_id}/resubmit',
      since: '0.8',
      response: workflow,
      errors: notFound,
    },
    /** Returns the ID of the definition. */
    addWorkflowDefinition: {
      purpose: 'submit the workflow definition',
      method: 'POST',
      path: '/workflow_definition',
      body: { type: 'json', schema: newWorkflowDefinition },
      response: id,
    },
    getWorkflowDefinition: {
      purpose: 'read the workflow definition',
      method: 'GET',
      path: '/workflow_definition/{workflow_definition_id}',
      response: workflowDefinition,
      errors: { 404: 'The definition is not known' },
    },
    /** The manager reports a missing input with status 500: `Error starting workflow: …`. */
    startWorkflow: {
      purpose: 'start the workflow',
      method: 'POST',
      path: '/workflow',
      body: { type: 'multipart', fields: workflowStart, files: { part: 'files' } },
      response: workflow,
      errors: {
        400: 'Parameters must be a dictionary with string keys',
        422: 'The ID of the definition is not valid or not known',
        500: 'Error starting workflow: …',
      },
      timeoutMs: 120_000,
    },
  },
} as const satisfies Api;
