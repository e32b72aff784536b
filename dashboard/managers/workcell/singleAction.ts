/**
 * One action on one node, as a step and as a workflow of one step, because nodes execute actions only through
 * workflows.
 */
import type { JsonObject } from '#api/client/wire.ts';
import type { NewWorkflowDefinition } from '#api/managers/workflowDefinition.ts';

export interface SingleAction {
  readonly node: string;
  readonly action: string;
  readonly args: JsonObject;
  /** Names of locations by argument; null for an omitted optional one. */
  readonly locations: Readonly<Record<string, string | null>>;
  /** Files by argument; a workflow accepts one file for each. */
  readonly files: Readonly<Record<string, File>>;
}

/** Returns the step for a workflow definition; a file's parameter has the name of its argument. */
export function buildStep({ node, action, args, locations, files }: SingleAction): JsonObject {
  const parts = {
    args,
    locations,
    files: Object.fromEntries(Object.keys(files).map((argument) => [argument, argument])),
  };
  const filled = Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0);
  return { name: action, node, action, ...Object.fromEntries(filled) };
}

/** Returns a workflow of one step; its files are supplied at the start, under the same names. */
export function buildSingleStepDefinition(
  step: SingleAction,
  { name, description }: { readonly name: string; readonly description: string },
): NewWorkflowDefinition {
  return {
    name,
    definition_metadata: { description },
    parameters: {
      json_inputs: [],
      file_inputs: Object.keys(step.files).map((key) => ({ key, parameter_type: 'file_input' })),
      feed_forward: [],
    },
    steps: [buildStep(step)],
  };
}
