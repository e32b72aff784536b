/** What a workflow's flags amount to, in one state. Pure. */
import type { WorkflowState } from '../states.ts';
import type { Workflow } from './workflow.ts';

/**
 * In the manager's order: completed, failed, cancelled, paused, running, queued. One that has begun and is between two steps
 * runs, although the manager calls it queued: it is in the lab already.
 */
export function workflowState({ status }: Pick<Workflow, 'status'>): WorkflowState {
  if (status.completed) return 'completed';
  if (status.failed) return 'failed';
  if (status.cancelled) return 'cancelled';
  if (status.paused) return 'paused';
  return status.running || status.has_started ? 'running' : 'queued';
}
