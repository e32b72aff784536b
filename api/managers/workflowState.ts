/** Derives one state from a workflow's flags, and whether it waits for its next step. */
import type { WorkflowState } from '../states.ts';
import type { Workflow } from './workflow.ts';

/** The fields of a workflow that decide its state. */
export interface WorkflowFlags {
  readonly status: Workflow['status'];
  readonly steps: readonly { readonly status?: string | null | undefined }[];
}

/**
 * Checks the flags in the manager's order: completed, failed, cancelled, paused, running, queued. A started workflow
 * between two steps counts as running, although the manager reports it as queued, because it already occupies the lab.
 */
export function workflowState(workflow: WorkflowFlags): WorkflowState {
  const { status } = workflow;
  if (isCancelledDespiteCompletion(workflow)) return 'cancelled';
  if (status.completed) return 'completed';
  if (status.failed) return 'failed';
  if (status.cancelled) return 'cancelled';
  if (status.paused) return 'paused';
  return status.running || status.has_started ? 'running' : 'queued';
}

/**
 * A cancel at the end of the last step can set both flags. The workflow counts as cancelled unless its current step
 * succeeded.
 */
export function isCancelledDespiteCompletion({ status, steps }: WorkflowFlags): boolean {
  return status.completed && status.cancelled && steps[status.current_step_index]?.status !== 'succeeded';
}

/** Returns whether the workflow is queued or between two steps: the scheduler has yet to start its next one. */
export function isWaiting({ status }: Pick<WorkflowFlags, 'status'>): boolean {
  return !status.completed && !status.failed && !status.cancelled && !status.paused && !status.running;
}
