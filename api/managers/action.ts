/** Actions of nodes: definitions and results. Source: MADSci 0.8.1, node and workcell manager. */
import * as z from 'zod/mini';
import { errorEntry, id, jsonObject, managerTime, openEnum, reservation } from '../client/wire.ts';

/** The state of an action, and of the step that executes it. */
export const actionStatus = openEnum([
  'not_started',
  'not_ready',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'paused',
  'unknown',
]);
export type ActionStatus = z.infer<typeof actionStatus>;

/**
 * The result of an action. In workflows `json_result` is null for node steps: the values are datapoints, whose IDs
 * are in `datapoints` by label. `history_created_at` has a zone, unlike nearly every other time.
 */
export const actionResult = z.looseObject({
  action_id: id,
  status: actionStatus,
  errors: z.nullish(z.array(errorEntry)),
  json_result: z.optional(z.unknown()),
  /** From a node: the keys of the files that can be downloaded. */
  files: z.optional(z.unknown()),
  datapoints: z.nullish(z.record(z.string(), z.union([id, z.array(id), jsonObject]))),
  history_created_at: z.nullish(managerTime),
});
export type ActionResult = z.infer<typeof actionResult>;

/** An argument of an action; `argument_type` is the Python type as text, such as `Optional[int]`. */
const argumentDefinition = z.looseObject({
  name: z.string(),
  description: z.nullish(z.string()),
  argument_type: z.string(),
  required: z.boolean(),
  default: z.optional(z.unknown()),
});
export type ArgumentDefinition = z.infer<typeof argumentDefinition>;

/** A labelled result of an action; `json_schema` wraps the type under `data`, the stored value is bare. */
const resultDefinition = z.looseObject({
  result_label: z.string(),
  description: z.nullish(z.string()),
  result_type: openEnum(['json', 'file', 'datapoint']),
  json_schema: z.nullish(jsonObject),
});

const argumentsByName = z.record(z.string(), argumentDefinition);

/** A node's declaration of an action: one map for each kind of argument. */
export const actionDefinition = z.looseObject({
  name: z.string(),
  description: z.nullish(z.string()),
  args: argumentsByName,
  locations: z.optional(argumentsByName),
  files: z.optional(argumentsByName),
  results: z.optional(z.record(z.string(), resultDefinition)),
  blocking: z.optional(z.boolean()),
  asynchronous: z.optional(z.boolean()),
  accepts_var_args: z.optional(z.boolean()),
  accepts_var_kwargs: z.optional(z.boolean()),
  var_args_schema: z.nullish(jsonObject),
  var_kwargs_schema: z.nullish(jsonObject),
});
export type ActionDefinition = z.infer<typeof actionDefinition>;

/** A location as sent to a node: the node's representation, and the resource at the location. */
export const locationArgument = z.looseObject({
  representation: z.unknown(),
  resource_id: z.nullish(id),
  location_name: z.nullish(z.string()),
  reservation: z.nullish(reservation),
});

/** The commands that a node may support; it lists its own in `capabilities.admin_commands`. */
export const adminCommand = openEnum([
  'safety_stop',
  'reset',
  'pause',
  'resume',
  'cancel',
  'shutdown',
  'lock',
  'unlock',
  'get_location',
]);
export type AdminCommand = z.infer<typeof adminCommand>;

/** A node's response to a command: `success` false comes with status 200. */
export const adminCommandResponse = z.looseObject({
  success: z.boolean(),
  errors: z.nullish(z.array(errorEntry)),
  data: z.optional(z.unknown()),
});
export type AdminCommandResponse = z.infer<typeof adminCommandResponse>;
