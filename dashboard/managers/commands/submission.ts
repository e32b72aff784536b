/**
 * Submits a workflow: its definition, then its start. Also collects the inputs for a resubmission: MADSci's own resubmit
 * loses the owner and the files, so it is never used.
 */
import type { CallOptions, Client } from '#api/client/client.ts';
import type { JsonObject, OwnershipInfo } from '#api/client/wire.ts';
import type { workcellApi } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import type { NewWorkflowDefinition, WorkflowDefinition } from '#api/managers/workflowDefinition.ts';
import { NotConfirmedError } from './commandResult.ts';

type Workcell = Client<typeof workcellApi>;

export interface WorkflowInputs {
  readonly values?: JsonObject;
  /** Files by the key of their parameter. */
  readonly files?: Readonly<Record<string, File>>;
  readonly ownership?: OwnershipInfo;
}

/**
 * Starts a workflow from a stored definition. Every file is sent under the key of its parameter; its own name is only for
 * the record and the extension.
 * @throws ManagerError with the manager's reason
 */
function startWorkflow(
  client: Pick<Workcell, 'startWorkflow'>,
  definitionId: string,
  { values = {}, files = {}, ownership = {} }: WorkflowInputs,
  options?: CallOptions,
): Promise<Workflow> {
  const fileEntries = Object.entries(files);
  const body = {
    workflow_definition_id: definitionId,
    ...(Object.keys(values).length === 0 ? {} : { json_inputs: values }),
    ...(fileEntries.length === 0
      ? {}
      : { file_input_paths: Object.fromEntries(fileEntries.map(([key, file]) => [key, file.name])) }),
    ...(Object.keys(ownership).length === 0 ? {} : { ownership_info: ownership }),
  };
  return client.startWorkflow(fileEntries.length === 0 ? { body } : { body, files }, options);
}

/**
 * Submits a definition and starts it.
 * @param onSent called with the ID of the definition when the start has a response or has failed
 * @throws ManagerError with the manager's reason and the endpoint that failed; NotConfirmedError if the response shows
 * that another workflow was started
 */
export async function submitWorkflow(
  client: Pick<Workcell, 'addWorkflowDefinition' | 'startWorkflow'>,
  definition: NewWorkflowDefinition,
  inputs: WorkflowInputs = {},
  options?: CallOptions,
  onSent: (definitionId: string) => void = () => undefined,
): Promise<Workflow> {
  const id = await client.addWorkflowDefinition({ body: definition }, options);
  const workflow = await startWorkflow(client, id, inputs, options).finally(() => onSent(id));
  if (workflow.name !== definition.name)
    throw new NotConfirmedError(
      `The workcell manager answered with the workflow “${workflow.name}”, which is not the one that was sent. Check both before sending it again.`,
    );
  return workflow;
}

/** The ownership fields that the manager itself adds to every workflow. */
const managerAddedKeys = new Set(['workflow_id', 'step_id', 'manager_id', 'workcell_id', 'node_id']);

/** Returns the owner of a workflow without the fields that the manager added. */
export function extractOwnership({ ownership_info: info }: Pick<Workflow, 'ownership_info'>): OwnershipInfo {
  return Object.fromEntries(
    Object.entries(info).filter(([key, value]) => !managerAddedKeys.has(key) && value !== null && value !== undefined),
  );
}

/** Returns the values that the workflow was started with. Values that its own steps produced must not be sent again. */
export function extractInputValues({ parameters, parameter_values: values }: Workflow): JsonObject {
  const producedKeys = new Set((parameters?.feed_forward ?? []).map(({ key }) => key));
  return Object.fromEntries(Object.entries(values ?? {}).filter(([key]) => !producedKeys.has(key)));
}

/** The inputs that a resubmission copies from an earlier workflow. */
export interface ResubmissionInputs {
  /** Steps as they were submitted; `null` if the workflow doesn't contain them. */
  readonly definition: NewWorkflowDefinition | null;
  readonly values: JsonObject;
  readonly ownership: OwnershipInfo;
  /** Files that must be chosen again, with their former names by key. */
  readonly files: Readonly<Record<string, string>>;
}

export function extractResubmissionInputs(workflow: Workflow): ResubmissionInputs {
  const { name, definition_metadata: metadata, parameters, step_definitions: steps } = workflow;
  const hasSteps = steps !== undefined && steps.length === workflow.steps.length;
  const paths = workflow.file_input_paths ?? {};
  return {
    definition: hasSteps
      ? { name, ...(metadata ? { definition_metadata: metadata } : {}), ...(parameters ? { parameters } : {}), steps }
      : null,
    values: extractInputValues(workflow),
    ownership: extractOwnership(workflow),
    files: Object.fromEntries((parameters?.file_inputs ?? []).map(({ key }) => [key, fileName(paths[key] ?? '')])),
  };
}

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? '';
}

/** A definition that another page passes to the submit page: stored before the navigation and read once. */
export interface HandedOverDefinition {
  readonly definition: Partial<WorkflowDefinition>;
  /** The display name of its source. */
  readonly sourceName: string;
}
let pendingDefinition: HandedOverDefinition | null = null;

export function handOverDefinition(definition: HandedOverDefinition): void {
  pendingDefinition = definition;
}

export function consumeHandedOverDefinition(): HandedOverDefinition | null {
  const definition = pendingDefinition;
  pendingDefinition = null;
  return definition;
}
