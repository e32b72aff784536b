/** What a workflow's flags amount to, in one state. Pure. */
import type { WorkflowState } from '../states.ts';
import type { Workflow } from './workflow.ts';

/** As much of a workflow as decides its state. */
export interface WorkflowFlags {
  readonly status: Workflow['status'];
  readonly steps: readonly { readonly status?: string | null | undefined }[];
}

/**
 * In the manager's order: completed, failed, cancelled, paused, running, queued. One that has begun and is between two steps
 * runs, although the manager calls it queued: it is in the lab already.
 */
export function workflowState(workflow: WorkflowFlags): WorkflowState {
  const { status } = workflow;
  if (isCancelledAndCompleted(workflow)) return 'cancelled';
  if (status.completed) return 'completed';
  if (status.failed) return 'failed';
  if (status.cancelled) return 'cancelled';
  if (status.paused) return 'paused';
  return status.running || status.has_started ? 'running' : 'queued';
}

/**
 * A cancel that arrives while the manager ends the last step leaves both flags set. The step it stopped at decides: unless that
 * step succeeded, the workflow was cancelled.
 */
export function isCancelledAndCompleted({ status, steps }: WorkflowFlags): boolean {
  return status.completed && status.cancelled && steps[status.current_step_index]?.status !== 'succeeded';
}
