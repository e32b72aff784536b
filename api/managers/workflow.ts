/**
 * Workflows of the workcell manager: queued, running and archived ones have the same body. Source: MADSci 0.8.1, workcell
 * manager.
 */
import * as z from 'zod/mini';
import { actionResult, actionStatus } from './action.ts';
import { stepDefinition, stepFields, workflowMetadata, workflowParameters } from './workflowDefinition.ts';
import { duration, id, jsonObject, managerTime, ownershipInfo, jsonInteger, jsonNumber } from '../client/wire.ts';

/**
 * Several flags can be true together (cancelled and paused, for instance); `description` follows the order completed,
 * failed, cancelled, paused, running, queued. Indexes count from 0. The status is more reliable than the state of a step.
 */
export const workflowStatus = z.looseObject({
  current_step_index: jsonInteger,
  paused: z.boolean(),
  completed: z.boolean(),
  failed: z.boolean(),
  cancelled: z.boolean(),
  running: z.boolean(),
  has_started: z.boolean(),
  queued: z.boolean(),
  active: z.boolean(),
  terminal: z.boolean(),
  started: z.boolean(),
  ok: z.boolean(),
  description: z.nullish(z.string()),
});
export type WorkflowStatus = z.infer<typeof workflowStatus>;

/** A step with its result. `duration` is only set when it was cancelled; otherwise use start and end. */
const step = z.looseObject({
  ...stepFields,
  step_id: id,
  status: actionStatus,
  file_paths: z.optional(jsonObject),
  result: z.nullish(actionResult),
  history: z.optional(z.array(actionResult)),
  last_status_update: z.nullish(managerTime),
  start_time: z.nullish(managerTime),
  end_time: z.nullish(managerTime),
  duration: z.nullish(duration),
});
export type Step = z.infer<typeof step>;

/** The reason why a queued workflow waits; the reasons remain as last computed, even after the end. */
const schedulerMetadata = z.looseObject({
  ready_to_run: z.optional(z.boolean()),
  priority: z.optional(jsonNumber),
  reasons: z.optional(z.array(z.string())),
});

/** Skipped means cancelled. */
const stepStatistics = z.looseObject({
  completed_steps: jsonInteger,
  failed_steps: jsonInteger,
  skipped_steps: jsonInteger,
  total_steps: jsonInteger,
});

export const workflow = z.looseObject({
  name: z.string(),
  workflow_id: id,
  workflow_definition_id: z.nullish(id),
  definition_metadata: z.nullish(workflowMetadata),
  parameters: z.optional(workflowParameters),
  steps: z.array(step),
  scheduler_metadata: z.nullish(schedulerMetadata),
  label: z.nullish(z.string()),
  parameter_values: z.nullish(jsonObject),
  file_input_paths: z.nullish(z.record(z.string(), z.nullable(z.string()))),
  /** Datapoint IDs by the key of the file parameter. */
  file_input_ids: z.nullish(z.record(z.string(), z.nullable(id))),
  ownership_info: ownershipInfo,
  status: workflowStatus,
  step_index: z.optional(jsonInteger),
  simulate: z.optional(z.boolean()),
  submitted_time: z.nullish(managerTime),
  start_time: z.nullish(managerTime),
  end_time: z.nullish(managerTime),
  /** The steps before parameters and locations were inserted. */
  step_definitions: z.optional(z.array(stepDefinition)),
  duration: z.nullish(duration),
  duration_seconds: z.nullish(jsonNumber),
  completed_steps: z.optional(jsonInteger),
  failed_steps: z.optional(jsonInteger),
  skipped_steps: z.optional(jsonInteger),
  step_statistics: z.optional(stepStatistics),
});
export type Workflow = z.infer<typeof workflow>;

/** Workflows by ID; the keys are in the order of the response. */
export const workflows = z.record(z.string(), workflow);
export type Workflows = z.infer<typeof workflows>;
