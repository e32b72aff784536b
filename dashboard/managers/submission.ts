/**
 * Puts a workflow into the queue: its definition first, then the start with its values and files.
 * Source: MADSci 0.8.1. Every file needs an entry with its original name, and stands under the key of its parameter.
 */
import type { CallOptions, Client } from '../../api/client.ts';
import type { workcellApi } from '../../api/workcell.ts';
import type { JsonObject, OwnershipInfo } from '../../api/wire.ts';
import type { NewWorkflowDefinition } from '../../api/workflowDefinition.ts';
import type { Workflow } from '../../api/workflow.ts';

export interface Submission {
  readonly definition: NewWorkflowDefinition;
  /** Values by the key of the parameter. */
  readonly values?: JsonObject;
  /** Files by the key of the parameter. */
  readonly files?: Readonly<Record<string, File>>;
  readonly ownership?: OwnershipInfo | null;
}

type Starter = Pick<Client<typeof workcellApi>, 'addWorkflowDefinition' | 'startWorkflow'>;

export async function submitWorkflow(
  client: Starter,
  { definition, values = {}, files = {}, ownership = null }: Submission,
  options: CallOptions = {},
): Promise<Workflow> {
  const id = await client.addWorkflowDefinition({ body: definition }, options);
  const paths = Object.fromEntries(Object.entries(files).map(([key, file]) => [key, file.name]));
  return client.startWorkflow(
    {
      body: {
        workflow_definition_id: id,
        json_inputs: Object.keys(values).length === 0 ? null : values,
        file_input_paths: Object.keys(paths).length === 0 ? null : paths,
        ownership_info: ownership,
      },
      files,
    },
    options,
  );
}

/** One action on one node, as it is filled in. */
export interface OneStep {
  readonly node: string;
  readonly action: string;
  /** Of the workflow and its step. */
  readonly name: string;
  readonly args: JsonObject;
  /** Names of locations by argument; null for an optional one that is none. */
  readonly locations: Readonly<Record<string, string | null>>;
  /** Files by argument: a workflow has one file for each. */
  readonly files: Readonly<Record<string, File>>;
}

/** The step as it stands in a definition; a file's argument gives its parameter the name. */
export function stepOf({ node, action, name, args, locations, files }: OneStep): JsonObject {
  const keys = Object.keys(files);
  const parts = {
    args,
    locations,
    files: Object.fromEntries(keys.map((argument) => [argument, argument])),
  };
  const filled = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  return { name, node, action, ...Object.fromEntries(filled) };
}

/** A workflow of that one step. */
export function oneStepWorkflow(
  step: OneStep,
  about: { readonly name: string; readonly description: string },
): Submission {
  const keys = Object.keys(step.files);
  return {
    definition: {
      name: about.name,
      definition_metadata: { description: about.description },
      parameters: {
        json_inputs: [],
        file_inputs: keys.map((key) => ({ key, parameter_type: 'file_input' })),
        feed_forward: [],
      },
      steps: [stepOf(step)],
    },
    files: step.files,
  };
}
