/** A workflow as a row of the list: flat and small, so that thousands can be stored, compared and transferred. */
import { workflowAppearances, type WorkflowState } from '#api/states.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import type { Nodes } from '#api/managers/workcell.ts';
import { isBlocked } from './waiting.ts';
import {
  getAuthor,
  currentStep,
  finishingText,
  haltedStep,
  hasEnded,
  isBuiltIn,
  isFinishing,
  listNodes,
  progress,
  waitingFor,
  workflowState,
  workflowText,
  type HaltedStep,
  finishingStates,
} from './workflowState.ts';

export interface WorkflowRow {
  readonly id: string;
  readonly name: string;
  readonly state: WorkflowState;
  /** `Running step 3 of 7` */
  readonly text: string;
  readonly done: number;
  readonly total: number;
  readonly hasEnded: boolean;
  /** The node of the current step; empty for a step of the workcell manager itself, `null` without a current step. */
  readonly node: string | null;
  /** All nodes of its steps. */
  readonly nodes: readonly string[];
  readonly author: string;
  /** The experiment's ID; empty if there is none. */
  readonly experiment: string;
  /** As the manager wrote them, without a zone; empty if missing. */
  readonly submitted: string;
  readonly started: string;
  readonly ended: string;
  /** Whether it is queued, or blocked between two steps. */
  readonly isWaiting: boolean;
  /** The scheduler's reasons for waiting. */
  readonly reasons: readonly string[];
  /** The step at which it was cancelled or paused; its node may still execute it. */
  readonly haltedStep: HaltedStep | null;
  /** Whether a node still executes the cancelled or paused step. */
  readonly isFinishing: boolean;
}

const cache = new WeakMap<Workflow, WorkflowRow>();

/** Returns the row of a workflow; the same row for the same object. */
export function toWorkflowRow(workflow: Workflow): WorkflowRow {
  const cached = cache.get(workflow);
  if (cached !== undefined) return cached;
  const row = deriveRow(workflow);
  cache.set(workflow, row);
  return row;
}

/** Returns the row updated with the nodes' state: they may still execute the cancelled or paused step. */
export function withNodeState(row: WorkflowRow, nodes: Nodes): WorkflowRow {
  const { haltedStep: step } = row;
  return step !== null && isFinishing(step, nodes) ? { ...row, text: finishingText(step), isFinishing: true } : row;
}

/** Returns `Cancelled`, or `Cancelling` while a node still executes the step. */
export function stateLabel({
  state,
  isFinishing: isStillExecuting,
}: Pick<WorkflowRow, 'state' | 'isFinishing'>): string {
  return isStillExecuting && (state === 'cancelled' || state === 'paused')
    ? finishingStates[state]
    : workflowAppearances[state].label;
}

function deriveRow(workflow: Workflow): WorkflowRow {
  const state = workflowState(workflow);
  const step = currentStep(workflow);
  const ended = hasEnded(workflow);
  return {
    id: workflow.workflow_id,
    name: workflow.name,
    state,
    // Derived once per workflow; `withNodeState` adds the nodes' state.
    text: workflowText(workflow, {}),
    ...progress(workflow),
    hasEnded: ended,
    node: ended || step === null ? null : isBuiltIn(step) ? '' : (step.node ?? ''),
    nodes: listNodes(workflow),
    author: getAuthor(workflow),
    experiment: workflow.ownership_info.experiment_id ?? '',
    submitted: workflow.submitted_time ?? '',
    started: workflow.start_time ?? '',
    // A retry keeps the time of the earlier end.
    ended: ended ? (workflow.end_time ?? '') : '',
    isWaiting: isBlocked(workflow),
    reasons: waitingFor(workflow),
    haltedStep: haltedStep(workflow),
    isFinishing: false,
  };
}

/** The default order: running, paused, waiting in queue order, then ended, newest first. */
const ranks: Readonly<Record<WorkflowState, number>> = {
  running: 0,
  paused: 1,
  queued: 2,
  failed: 3,
  cancelled: 3,
  completed: 3,
};

export function displayRank({
  state,
  isFinishing: isStillExecuting,
}: Pick<WorkflowRow, 'state' | 'isFinishing'>): number {
  return isStillExecuting ? ranks.running : ranks[state];
}

export function compareRows(a: WorkflowRow, b: WorkflowRow): number {
  const rank = displayRank(a) - displayRank(b);
  if (rank !== 0) return rank;
  // Naive times of one host can be compared as text.
  const order = a.submitted < b.submitted ? -1 : a.submitted > b.submitted ? 1 : 0;
  return a.state === 'queued' ? order : 0 - order;
}
