/**
 * The states of workflows and steps, derived from their fields. The workflow's own status has precedence over that of
 * its steps.
 */
import type { StepState } from '#api/states.ts';
import type { NodeStatus } from '#api/managers/node.ts';
import type { Nodes } from '#api/managers/workcell.ts';
import type { Step, Workflow } from '#api/managers/workflow.ts';
import { isWaiting, workflowState } from '#api/managers/workflowState.ts';
import { isBuiltIn } from '#api/managers/workflowStep.ts';
import { toErrorTexts, type ErrorText } from '../errors/errorText.ts';

/** The state of a workflow that was paused or cancelled while a node still executes its step. */
export const finishingStates = { paused: 'Pausing', cancelled: 'Cancelling' } as const;

export const workflowStateTexts = {
  running: (step: number, total: number) => `Running step ${step} of ${total}`,
  between: (step: number, total: number) => `Running: step ${step} of ${total} is next`,
  paused: (step: number, total: number) => `Paused at step ${step} of ${total}`,
  failed: (step: number, total: number) => `Failed at step ${step} of ${total}`,
  cancelled: (step: number, total: number) => `Cancelled at step ${step} of ${total}`,
  finishing: (state: 'paused' | 'cancelled', node: string, step: number) =>
    `${finishingStates[state]}: ${node} is still finishing step ${step}`,
  queuedAt: (step: number, total: number) => `Queued for step ${step} of ${total}`,
  queued: 'Queued',
  completed: 'Completed',
  noSteps: 'without steps',
  /** In the place of a node, for steps that the workcell manager executes itself. */
  builtIn: 'Workcell manager',
} as const;

export { isWaiting, workflowState } from '#api/managers/workflowState.ts';
export { isBuiltIn, stepName } from '#api/managers/workflowStep.ts';

/** Returns whether a retry queued the workflow again: the manager keeps the `end_time` of the earlier run. */
export function wasRetried(workflow: Pick<Workflow, 'status' | 'end_time'>): boolean {
  return !hasEnded(workflow) && typeof workflow.end_time === 'string';
}

export function hasEnded({ status }: Pick<Workflow, 'status'>): boolean {
  return status.completed || status.failed || status.cancelled;
}

/** Returns the workflow's current step; `null` without steps. */
export function currentStep({ steps, status }: Pick<Workflow, 'steps' | 'status'>): Step | null {
  return steps[status.current_step_index] ?? null;
}

/**
 * Returns the state of the step at `index`. Late polls may write `running` into a step of a cancelled workflow, a paused
 * step may still have the status `running`, a retry keeps earlier results, and a built-in step has no status before it
 * ends: in these cases the workflow's status has precedence.
 */
export function stepState(workflow: Pick<Workflow, 'steps' | 'status'>, index: number): StepState {
  const step = workflow.steps[index];
  if (step === undefined) return 'unknown';
  const state = workflowState(workflow);
  const isCurrent = index === workflow.status.current_step_index;
  const isLater = index > workflow.status.current_step_index && !hasEnded(workflow);
  if (isLater || (isCurrent && isWaiting(workflow))) return 'waiting';
  if (isCurrent && workflow.status.running && state === 'running' && (isBuiltIn(step) || unstarted.has(step.status)))
    return 'running';
  switch (step.status) {
    case 'succeeded':
      return 'succeeded';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
    case 'running':
      if (state === 'cancelled') return 'cancelled';
      if (state === 'failed') return 'failed';
      return state === 'paused' && isCurrent ? 'paused' : 'running';
    case 'paused':
      return 'paused';
    case 'not_started':
    case 'not_ready':
      return 'waiting';
    default:
      return 'unknown';
  }
}

/** The status of a running workflow's step before the node has responded. */
const unstarted: ReadonlySet<string> = new Set(['not_started', 'not_ready']);

/** The step at which a workflow was cancelled or paused. */
export interface HaltedStep {
  readonly state: 'cancelled' | 'paused';
  readonly node: string;
  /** ID of the action that was sent to its node. */
  readonly action: string;
  /** Counted from 1. */
  readonly step: number;
}

export function haltedStep(workflow: Pick<Workflow, 'steps' | 'status'>): HaltedStep | null {
  const state = workflowState(workflow);
  if (state !== 'cancelled' && state !== 'paused') return null;
  const step = currentStep(workflow);
  const action = step?.result?.action_id;
  if (step === null || isBuiltIn(step) || action === undefined) return null;
  return { state, node: step.node ?? '', action, step: workflow.status.current_step_index + 1 };
}

/** The parts of the nodes' state that show whether they still execute a step. */
export type ExecutingNodes = Readonly<
  Record<
    string,
    { readonly status: Pick<NodeStatus, 'busy' | 'disconnected' | 'paused' | 'running_actions'> | null } | undefined
  >
>;

/**
 * Returns whether the node still executes the step. Many nodes support neither pausing nor cancelling, and the manager
 * reports the workflow as cancelled nevertheless.
 */
export function isFinishing({ state, node, action }: HaltedStep, nodes: ExecutingNodes): boolean {
  const status = nodes[node]?.status;
  if (status?.busy !== true || status.disconnected === true || (state === 'paused' && status.paused)) return false;
  return status.running_actions?.includes(action) === true;
}

/** Returns `Cancelling: mover is still finishing step 1`. */
export function finishingText({ state, node, step }: HaltedStep): string {
  return workflowStateTexts.finishing(state, node, step);
}

/**
 * Returns the node that still executes the step at which the workflow was cancelled or paused; `null` if there is none.
 */
export function finishingNode(workflow: Pick<Workflow, 'steps' | 'status'>, nodes: Nodes): string | null {
  const halted = haltedStep(workflow);
  return halted !== null && isFinishing(halted, nodes) ? halted.node : null;
}

/**
 * Returns a text such as `Running step 3 of 7`, counted from one, unlike the manager.
 * @param nodes the last read nodes, which show whether a cancelled or paused workflow is still being executed
 */
export function workflowText(workflow: Pick<Workflow, 'steps' | 'status'>, nodes: Nodes): string {
  const total = workflow.steps.length;
  const state = workflowState(workflow);
  const halted = haltedStep(workflow);
  if (halted !== null && isFinishing(halted, nodes)) return finishingText(halted);
  if (state === 'completed') return workflowStateTexts.completed;
  const step = Math.min(workflow.status.current_step_index + 1, total);
  if (total === 0) return workflowStateTexts.queued;
  if (state === 'queued') return step > 1 ? workflowStateTexts.queuedAt(step, total) : workflowStateTexts.queued;
  if (state === 'running' && !workflow.status.running) return workflowStateTexts.between(step, total);
  return workflowStateTexts[state](step, total);
}

/** Returns how many of the steps before `endIndex` are done; one that a retry skipped doesn't count. */
export function countDone({ steps }: Pick<Workflow, 'steps'>, endIndex: number): number {
  return steps.slice(0, endIndex).filter(({ status }) => status === 'succeeded').length;
}

/**
 * Returns the number of completed steps and the total, for a progress bar. Steps after the current one that an earlier
 * attempt completed don't count.
 */
export function progress(workflow: Pick<Workflow, 'steps' | 'status'>): {
  readonly done: number;
  readonly total: number;
} {
  const index = workflow.status.current_step_index;
  return { done: countDone(workflow, hasEnded(workflow) ? index + 1 : index), total: workflow.steps.length };
}

/** Returns the scheduler's reasons for waiting; those of a workflow whose step runs, or that ended, are outdated. */
export function waitingFor(workflow: Workflow): readonly string[] {
  return isWaiting(workflow) ? (workflow.scheduler_metadata?.reasons ?? []) : [];
}

/** Returns the errors of a step's newest result; a retry moves older ones to the history. */
export function stepErrors(step: Pick<Step, 'result'>): readonly ErrorText[] {
  return toErrorTexts(step.result?.errors);
}

/** Returns only the sentences of these errors. */
export function stepErrorSentences(step: Pick<Step, 'result'>): readonly string[] {
  return stepErrors(step).map(({ text }) => text);
}

/** Returns why a failed workflow failed; empty if it didn't fail or has no error text. */
export function listFailures(workflow: Workflow): readonly ErrorText[] {
  const step = workflowState(workflow) === 'failed' ? currentStep(workflow) : null;
  return step === null ? [] : stepErrors(step);
}

/** Returns the reasons in one line. */
export function failureText(workflow: Workflow): string {
  return listFailures(workflow)
    .map(({ text }) => text)
    .join('; ');
}

/** Returns whether the page already shows the step's errors as the workflow's failure, so that they appear only once. */
export function areErrorsShownAbove(workflow: Workflow, index: number): boolean {
  return index === workflow.status.current_step_index && listFailures(workflow).length > 0;
}

/** Returns the workflow's author; empty if missing. */
export function getAuthor(workflow: Workflow): string {
  return workflow.definition_metadata?.author ?? '';
}

/** Returns the nodes of the workflow's steps, each once, in order. */
export function listNodes({ steps }: Pick<Workflow, 'steps'>): readonly string[] {
  return [...new Set(steps.flatMap(({ node }) => (node ? [node] : [])))];
}
