/**
 * A node's own contract (REST, port 2000 and up), and the workcell manager's record of a node. Nodes send no CORS
 * headers, so pages reach them through the workcell manager; the desktop's shell and tools may call them directly.
 * Source: MADSci 0.8.1, node module; 0.7 lacks the intrinsic locations and their templates.
 */
import * as z from 'zod/mini';
import { actionDefinition, actionResult, actionStatus, adminCommandResponse } from './action.ts';
import type { Api } from '../client/endpoint.ts';
import { event } from './eventRecord.ts';
import { errorEntry, id, isObject, jsonObject, openEnum, reservation, type JsonObject } from '../client/wire.ts';

/**
 * A node's status. `errors` outlive a reset: only `errored` means that there is an error now. `stopped` makes `ready`
 * false without appearing in `description`.
 */
export const nodeStatus = z.looseObject({
  busy: z.boolean(),
  running_actions: z.optional(z.array(id)),
  paused: z.boolean(),
  locked: z.boolean(),
  stopped: z.boolean(),
  errored: z.boolean(),
  /** Missing before 0.7.1. */
  disconnected: z.optional(z.boolean()),
  errors: z.optional(z.array(errorEntry)),
  initializing: z.boolean(),
  waiting_for_config: z.optional(z.array(z.string())),
  config_values: z.optional(jsonObject),
  ready: z.boolean(),
  description: z.nullish(z.string()),
});
export type NodeStatus = z.infer<typeof nodeStatus>;

/** The requests that a node supports. A field is missing if the node declares nothing about it. */
const nodeCapabilities = z.looseObject({
  get_info: z.nullish(z.boolean()),
  get_state: z.nullish(z.boolean()),
  get_status: z.nullish(z.boolean()),
  send_action: z.nullish(z.boolean()),
  get_action_status: z.nullish(z.boolean()),
  get_action_result: z.nullish(z.boolean()),
  get_action_history: z.nullish(z.boolean()),
  action_files: z.nullish(z.boolean()),
  send_admin_commands: z.nullish(z.boolean()),
  set_config: z.nullish(z.boolean()),
  get_resources: z.nullish(z.boolean()),
  get_log: z.nullish(z.boolean()),
  events: z.nullish(z.boolean()),
  resources: z.nullish(z.boolean()),
  admin_commands: z.optional(z.array(z.string())),
});

/** A location that belongs to the node; it is registered as `<node>.<location_name>`. */
const intrinsicLocation = z.looseObject({
  location_name: z.string(),
  description: z.nullish(z.string()),
  representation_template_name: z.nullish(z.string()),
  representation_overrides: z.nullish(jsonObject),
  resource_template_name: z.nullish(z.string()),
  resource_template_overrides: z.nullish(jsonObject),
  allow_transfers: z.optional(z.boolean()),
  tags: z.nullish(z.array(z.string())),
});

/** A template for representations that the node provides. */
const nodeRepresentationTemplate = z.looseObject({
  template_name: z.string(),
  default_values: z.nullish(jsonObject),
  schema_def: z.nullish(jsonObject),
  required_overrides: z.nullish(z.array(z.string())),
  tags: z.nullish(z.array(z.string())),
  version: z.nullish(z.string()),
  description: z.nullish(z.string()),
});

/** A node's description and capabilities. */
export const nodeInfo = z.looseObject({
  node_name: z.string(),
  node_id: z.nullish(id),
  node_description: z.nullish(z.string()),
  node_type: z.nullish(
    openEnum([
      'device',
      'compute',
      'resource_manager',
      'event_manager',
      'workcell_manager',
      'data_manager',
      'transfer_manager',
    ]),
  ),
  module_name: z.nullish(z.string()),
  module_version: z.nullish(z.string()),
  capabilities: z.nullish(nodeCapabilities),
  node_url: z.nullish(z.string()),
  actions: z.record(z.string(), actionDefinition),
  config: z.optional(z.unknown()),
  /** A JSON Schema. */
  config_schema: z.nullish(jsonObject),
  intrinsic_locations: z.nullish(z.array(intrinsicLocation)),
  location_representation_templates: z.nullish(z.array(nodeRepresentationTemplate)),
});
export type NodeInfo = z.infer<typeof nodeInfo>;

/**
 * A node in the workcell manager's list. Status, info and state are null until each one's first successful poll; when a
 * node is lost, the last info and state remain.
 */
export const node = z.looseObject({
  node_url: z.nullish(z.string()),
  status: z.nullable(nodeStatus),
  info: z.nullable(nodeInfo),
  state: z.nullable(jsonObject),
  reservation: z.nullish(reservation),
});
export type Node = z.infer<typeof node>;

const listFields = ['errors', 'running_actions', 'waiting_for_config', 'config_values'] as const;
const flagFields = ['busy', 'paused', 'locked', 'stopped', 'errored', 'initializing', 'ready'] as const;

/**
 * Returns the usable part of an invalid node record: name, address, commands and flags must not depend on one invalid
 * field. A missing flag is false, as in MADSci's own models. A value that cannot be read is null or left out.
 */
export function salvageNode(record: unknown): Node {
  const {
    node_url: url,
    status,
    info,
    state,
    reservation: reservationValue,
  } = isObject(record) ? record : ({} as JsonObject);
  return {
    node_url: typeof url === 'string' ? url : null,
    status: salvageStatus(status),
    info: salvageInfo(info),
    state: isObject(state) ? state : null,
    ...(reservation.safeParse(reservationValue).success
      ? { reservation: reservationValue as Node['reservation'] }
      : {}),
  };
}

function salvageStatus(value: unknown): NodeStatus | null {
  if (!isObject(value)) return null;
  const readable = Object.fromEntries(
    Object.entries(value).filter(([field, content]) => !listFields.some((list) => list === field) || content !== null),
  );
  const complete = { ...Object.fromEntries(flagFields.map((flag) => [flag, false])), ...readable };
  for (const candidate of [complete, omitFields(complete, [...listFields, 'disconnected', 'description'])]) {
    const parsed = nodeStatus.safeParse(candidate);
    if (parsed.success) return parsed.data;
  }
  return null;
}

function salvageInfo(value: unknown): NodeInfo | null {
  if (!isObject(value)) return null;
  const parsed = nodeInfo.safeParse(value);
  if (parsed.success) return parsed.data;
  const { node_name: name, capabilities } = value;
  const commands = isObject(capabilities) ? capabilities['admin_commands'] : null;
  return {
    node_name: typeof name === 'string' ? name : '',
    actions: {},
    ...(Array.isArray(commands)
      ? {
          capabilities: {
            admin_commands: commands.filter((command): command is string => typeof command === 'string'),
          },
        }
      : {}),
  };
}

const omitFields = (object: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));

const noAction = { 404: 'Action {action_name} not found' } as const;
const uploadResponse = z.looseObject({ status: z.string() });

export const nodeApi = {
  server: 'node',
  endpoints: {
    getStatus: { purpose: 'read its status', method: 'GET', path: '/status', response: nodeStatus },
    getInfo: { purpose: 'read its description', method: 'GET', path: '/info', response: nodeInfo },
    getState: { purpose: 'read its state', method: 'GET', path: '/state', response: jsonObject },
    /** Events by ID; their data is a line of text here. */
    getLog: { purpose: 'read its log', method: 'GET', path: '/log', response: z.record(z.string(), event) },
    /** An unknown key returns a 500 without details. */
    setConfig: {
      purpose: 'change its configuration',
      method: 'POST',
      path: '/config',
      body: { type: 'json', schema: jsonObject },
      response: z.looseObject({ success: z.boolean() }),
    },
    /** A command that the node does not implement returns 200 with `success` false. */
    sendCommand: {
      purpose: 'send the command',
      method: 'POST',
      path: '/admin/{admin_command}',
      response: adminCommandResponse,
      errors: { 422: 'Not a command of MADSci' },
    },
    createAction: {
      purpose: 'prepare the action',
      method: 'POST',
      path: '/action/{action_name}',
      body: {
        type: 'json',
        schema: z.object({
          args: z.optional(jsonObject),
          var_args: z.nullish(z.array(z.unknown())),
          var_kwargs: z.nullish(jsonObject),
        }),
      },
      response: z.looseObject({ action_id: id }),
      errors: noAction,
    },
    /** For an argument of one file. */
    uploadFile: {
      purpose: 'send the file of the action',
      method: 'POST',
      path: '/action/{action_name}/{action_id}/upload/{file_argument}',
      body: { type: 'multipart', fields: z.object({}), files: { part: 'file' } },
      response: uploadResponse,
      errors: noAction,
      timeoutMs: 300_000,
    },
    /** For an argument of several files. */
    uploadFiles: {
      purpose: 'send the files of the action',
      method: 'POST',
      path: '/action/{action_name}/{action_id}/upload/{file_argument}',
      body: { type: 'multipart', fields: z.object({}), files: { part: 'files' } },
      response: uploadResponse,
      errors: noAction,
      timeoutMs: 300_000,
    },
    /**
     * Returns the final result if the action ends immediately, else status `running`; a refusal is 200 `failed` or
     * `not_ready`.
     */
    startAction: {
      purpose: 'start the action',
      method: 'POST',
      path: '/action/{action_name}/{action_id}/start',
      response: actionResult,
      errors: noAction,
      timeoutMs: 60_000,
    },
    /** All actions or one: lists of results by action ID. */
    getActionHistory: {
      purpose: 'read the history of its actions',
      method: 'GET',
      path: '/action',
      query: z.object({ action_id: z.nullish(id) }),
      response: z.record(z.string(), z.array(actionResult)),
    },
    getActionStatus: {
      purpose: 'read the status of the action',
      method: 'GET',
      path: '/action/{action_id}/status',
      response: actionStatus,
    },
    /** An unknown ID is 200 with status `unknown`. */
    getActionResult: {
      purpose: 'read the result of the action',
      method: 'GET',
      path: '/action/{action_id}/result',
      response: actionResult,
    },
    /** A zip of the files of the result. */
    downloadActionFiles: {
      purpose: 'download the files of the action',
      method: 'GET',
      path: '/action/{action_id}/download',
      response: 'blob',
      errors: { 400: 'The action did not succeed', 404: 'The action has no files' },
      timeoutMs: 300_000,
    },
  },
} as const satisfies Api;
