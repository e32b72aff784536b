/**
 * Reduces a workflow to the fields of the timeline: thousands are kept in memory, and most of a response is arguments
 * and results.
 */
import { isObject } from '#api/client/wire.ts';
import type { ActionResult } from '#api/managers/action.ts';
import type { Step, Workflow } from '#api/managers/workflow.ts';
import { isTransfer } from '#dashboard/managers/workcell/transfers.ts';

function trimResult({ action_id, status, history_created_at, errors }: ActionResult): ActionResult {
  const result = { action_id, status, history_created_at };
  // The exported file contains the reason of a failure.
  return status === 'failed' && errors !== undefined ? { ...result, errors } : result;
}

function trimStep(step: Step): Step {
  const { step_id, name, key, action, node, status, start_time, end_time, last_status_update, history, result } = step;
  const isTransferStep = isTransfer(step);
  // A transfer's result names the workflow that performed it.
  const jsonResult = result?.json_result;
  const resultStub =
    result === null || result === undefined
      ? result
      : {
          ...trimResult(result),
          ...(isTransferStep
            ? {
                errors: result.errors,
                ...(isObject(jsonResult) ? { json_result: { workflow_id: jsonResult['workflow_id'] } } : {}),
              }
            : {}),
        };
  return {
    step_id,
    name,
    key,
    action,
    node,
    status,
    start_time,
    end_time,
    last_status_update,
    ...(history === undefined ? {} : { history: history.map(trimResult) }),
    result: resultStub,
    ...(isTransferStep ? { args: step.args } : {}),
  };
}

export function trimWorkflow(workflow: Workflow): Workflow {
  const { workflow_id, name, definition_metadata: metadata, status, ownership_info: owner } = workflow;
  const { submitted_time, start_time, end_time } = workflow;
  const { experiment_id } = owner;
  return {
    workflow_id,
    name,
    status,
    submitted_time,
    start_time,
    end_time,
    definition_metadata: metadata && { author: metadata.author, description: metadata.description },
    ownership_info: experiment_id === undefined ? {} : { experiment_id },
    steps: workflow.steps.map(trimStep),
  };
}
