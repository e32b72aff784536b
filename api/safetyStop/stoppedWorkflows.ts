/** Which workflows a safety stop pauses, and when a release may resume them. */
import type { Workflow, Workflows } from '../managers/workflow.ts';
import type { PausedWorkflow } from './labStop.ts';

/** The node of the step that a workflow starts next; `null` if it starts none. */
function nextNode({ status, steps }: Pick<Workflow, 'status' | 'steps'>): string | null {
  if (status.terminal || status.paused) return null;
  return steps[status.current_step_index + (status.running ? 1 : 0)]?.node ?? null;
}

/**
 * The workflows whose next step is on one of these nodes. A running step is not interrupted: the manager starts no further
 * step of a paused workflow.
 */
export function findWorkflowsToPause(workflows: Workflows, nodes: ReadonlySet<string>): PausedWorkflow[] {
  return Object.values(workflows).flatMap((workflow): PausedWorkflow[] => {
    const node = nextNode(workflow);
    if (node === null || !nodes.has(node)) return [];
    const { workflow_id: id, name, status } = workflow;
    return [{ id, name, node, step: status.current_step_index, was_running: status.running }];
  });
}

/** The names of the workflows that start when these nodes are released. */
export function findWaitingWorkflows(workflows: Workflows, nodes: ReadonlySet<string>): string[] {
  return Object.values(workflows).flatMap((workflow) => {
    const node = workflow.status.running ? null : nextNode(workflow);
    return node !== null && nodes.has(node) ? [workflow.name] : [];
  });
}

/**
 * Whether a release may resume a workflow now. While it is in the queue, a resume would queue it twice; while the step of
 * the stop runs, a resume would start it twice.
 * - `done`: it is no longer paused, so that there is nothing to resume
 * @param current `undefined`: it is in no list of active workflows
 */
export function resumeState(
  paused: PausedWorkflow,
  current: Workflow | undefined,
  queuedIds: ReadonlySet<string>,
): 'done' | 'ready' | 'waiting' {
  if (current === undefined || current.status.terminal || !current.status.paused) return 'done';
  if (queuedIds.has(paused.id)) return 'waiting';
  return paused.was_running && current.status.current_step_index <= paused.step ? 'waiting' : 'ready';
}
