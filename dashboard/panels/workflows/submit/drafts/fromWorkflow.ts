/** Converts a workflow that ran to its definition, values and owner, to submit it again. */
import { isObject, type JsonObject, type OwnershipInfo } from '#api/client/wire.ts';
import { formatPythonYaml } from '#dashboard/base/pythonYaml.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import type { WorkflowDefinition } from '#api/managers/workflowDefinition.ts';
import { extractOwnership, extractInputValues } from '#dashboard/managers/commands/submission.ts';

/** Initial content of the submit page. */
export interface InitialContent {
  readonly text: string;
  /** Display name of the source. */
  readonly from: string;
  readonly values: JsonObject;
  readonly ownership: OwnershipInfo | null;
}

/** Parameter types that are implied by the parameter's list. */
const impliedTypes = new Set(['json_input', 'file_input', 'feed_forward_json', 'json']);
const isImplied = (key: string, part: unknown) =>
  (key === 'parameter_type' || key === 'data_type') && typeof part === 'string' && impliedTypes.has(part);

/** Removes empty parts, also a null default; the contents of arguments and defaults stay unchanged. */
function omitEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitEmpty);
  if (!isObject(value)) return value;
  const entries = Object.entries(value)
    .map(([key, part]) => [key, key === 'args' || key === 'default' ? part : omitEmpty(part)] as const)
    .filter(([key, part]) => {
      if (part === null || part === undefined || (key === 'version' && part === '') || isImplied(key, part))
        return false;
      // An empty list or object is a default value, too.
      if (key === 'default') return true;
      if (Array.isArray(part)) return part.length > 0;
      return !isObject(part) || Object.keys(part).length > 0;
    });
  return Object.fromEntries(entries);
}

/** Keys of a step that exist only in a workflow. */
const runOnlyKeys = new Set([
  'step_id',
  'status',
  'file_paths',
  'result',
  'history',
  'last_status_update',
  'start_time',
  'end_time',
  'duration',
]);

export function formatDefinition(definition: Partial<WorkflowDefinition>): string {
  const { name, definition_metadata: metadata, parameters, steps = [] } = definition;
  const plainSteps = steps.map((step) => {
    const entries = Object.entries(step).filter(([key]) => !runOnlyKeys.has(key));
    // The conventional order of a step's keys.
    const { name: title, key, description, node, action, ...rest } = Object.fromEntries(entries);
    return { name: title, key, description, node, action, ...rest };
  });
  return formatPythonYaml(omitEmpty({ name, definition_metadata: metadata, parameters, steps: plainSteps }));
}

export function toInitialContent(workflow: Workflow): InitialContent {
  const steps = workflow.step_definitions ?? workflow.steps;
  const { name, definition_metadata: metadata, parameters } = workflow;
  const text = formatDefinition({
    name,
    ...(metadata ? { definition_metadata: metadata } : {}),
    ...(parameters ? { parameters } : {}),
    steps,
  });
  const owner = extractOwnership(workflow);
  return {
    text,
    from: name,
    values: extractInputValues(workflow),
    ownership: Object.keys(owner).length === 0 ? null : owner,
  };
}
