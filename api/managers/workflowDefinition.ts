/**
 * Workflow definitions: as submitted, as stored in a workflow, and as returned by the transfer planner. Source: MADSci
 * 0.8.1, workcell manager. The server drops unknown keys silently.
 */
import * as z from 'zod/mini';
import { locationArgument } from './action.ts';
import { condition } from '../resourceCondition.ts';
import { id, jsonObject, openEnum, ownershipInfo, jsonInteger, jsonNumber, type JsonObject } from '../client/wire.ts';

/** 0.7 stores it only under the key `definition_metadata`, so that key is always sent. */
export const workflowMetadata = z.looseObject({
  author: z.nullish(z.string()),
  description: z.nullish(z.string()),
  version: z.optional(z.union([jsonNumber, z.string()])),
  ownership_info: z.nullish(ownershipInfo),
});

/** A value given at the start; a default of null means that it is required. */
const jsonInput = z.looseObject({
  key: z.string(),
  description: z.nullish(z.string()),
  parameter_type: z.optional(openEnum(['json_input'])),
  default: z.optional(z.unknown()),
});

/** A file given at the start. */
const fileInput = z.looseObject({
  key: z.string(),
  description: z.nullish(z.string()),
  parameter_type: z.optional(openEnum(['file_input'])),
});

/** A value or file that an earlier step produces: `step` is its key or index, `label` the datapoint's label. */
const feedForward = z.looseObject({
  key: z.string(),
  description: z.nullish(z.string()),
  parameter_type: z.optional(openEnum(['feed_forward_json', 'feed_forward_file'])),
  step: z.optional(z.union([jsonInteger, z.string()])),
  label: z.nullish(z.string()),
  data_type: z.optional(openEnum(['json', 'file', 'object_storage'])),
});

/** The format of responses; requests may also contain one flat list. */
export const workflowParameters = z.looseObject({
  json_inputs: z.optional(z.array(jsonInput)),
  file_inputs: z.optional(z.array(fileInput)),
  feed_forward: z.optional(z.array(feedForward)),
});
export type WorkflowParameters = z.infer<typeof workflowParameters>;

/** The key of a parameter, or an inline parameter. */
const parameterReference = z.nullish(z.union([z.string(), jsonObject]));

/** The fields of a step that come from parameters. */
const stepParameters = z.looseObject({
  name: parameterReference,
  description: parameterReference,
  action: parameterReference,
  node: parameterReference,
  args: z.nullish(z.record(z.string(), parameterReference)),
  locations: z.nullish(z.record(z.string(), parameterReference)),
});

/** The fields of a step's definition, also part of a workflow's step. A null `node` means a built-in action. */
export const stepFields = {
  name: z.nullish(z.string()),
  key: z.nullish(z.string()),
  description: z.nullish(z.string()),
  action: z.nullish(z.string()),
  node: z.nullish(z.string()),
  args: z.optional(jsonObject),
  /** The key of a file parameter, or an inline one, by argument. */
  files: z.optional(z.record(z.string(), parameterReference)),
  /** The name of a location, or the location as sent to the node, by argument. */
  locations: z.optional(z.record(z.string(), z.nullish(z.union([z.string(), locationArgument])))),
  conditions: z.optional(z.array(condition)),
  data_labels: z.optional(z.record(z.string(), z.string())),
  use_parameters: z.nullish(stepParameters),
};

export const stepDefinition = z.looseObject(stepFields);

/** A definition in a response. */
export const workflowDefinition = z.looseObject({
  name: z.string(),
  workflow_definition_id: z.optional(id),
  definition_metadata: z.optional(workflowMetadata),
  parameters: z.optional(workflowParameters),
  steps: z.optional(z.array(stepDefinition)),
});
export type WorkflowDefinition = z.infer<typeof workflowDefinition>;

/** A definition to submit: parameters as three lists or one flat list. */
export const newWorkflowDefinition = z.extend(workflowDefinition, {
  parameters: z.optional(z.union([z.array(jsonObject), workflowParameters])),
});
export type NewWorkflowDefinition = z.infer<typeof newWorkflowDefinition>;

/** The parameters that the fields of a step come from, by their keys. */
export interface StepParameters {
  readonly name: string | null;
  readonly description: string | null;
  readonly action: string | null;
  readonly node: string | null;
  readonly args: Readonly<Record<string, string>>;
  readonly locations: Readonly<Record<string, string>>;
}

/** The fields of a step of a definition that is read. */
export interface StepFields {
  readonly name: string | null;
  readonly key: string | null;
  readonly description: string | null;
  readonly action: string | null;
  readonly node: string | null;
  readonly args: JsonObject;
  /** Keys of file parameters by argument. */
  readonly files: Readonly<Record<string, string>>;
  readonly locations: JsonObject;
}
