/** A workflow as a row of the list: flat and small, so that thousands can be kept, compared and handed over. Pure. */
import { workflowLooks, type WorkflowState } from '../../../api/states.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import type { Nodes } from '../../../api/managers/workcell.ts';
import { isBlocked } from './waiting.ts';
import {
  authorOf,
  currentStep,
  finishingText,
  haltedStep,
  hasEnded,
  isBuiltIn,
  isFinishing,
  nodesOf,
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
  /** Where its current step is done; empty for a step of the workcell manager itself, `null` when it has ended. */
  readonly node: string | null;
  /** All nodes of its steps. */
  readonly nodes: readonly string[];
  readonly author: string;
  /** ID, empty without one. */
  readonly experiment: string;
  /** As the manager wrote them, without a zone; empty where there is none. */
  readonly submitted: string;
  readonly started: string;
  readonly ended: string;
  /** Queued, or between two steps and held up there. */
  readonly waits: boolean;
  /** Why it waits, in the scheduler's words. */
  readonly reasons: readonly string[];
  /** Where it was cancelled or paused; its node may still execute that. */
  readonly halted: HaltedStep | null;
  /** A node still executes what was cancelled or paused. */
  readonly isFinishing: boolean;
}

const cache = new WeakMap<Workflow, WorkflowRow>();

/** The row of a workflow; the same one for the same object. */
export function rowOf(workflow: Workflow): WorkflowRow {
  const known = cache.get(workflow);
  if (known !== undefined) return known;
  const row = derived(workflow);
  cache.set(workflow, row);
  return row;
}

/** The row as its nodes are now: they may still execute what was cancelled or paused. */
export function rowWith(row: WorkflowRow, nodes: Nodes): WorkflowRow {
  const { halted } = row;
  return halted !== null && isFinishing(halted, nodes)
    ? { ...row, text: finishingText(halted), isFinishing: true }
    : row;
}

/** `Cancelled`; `Cancelling` while a node still executes it. */
export function stateWord({ state, isFinishing: isStill }: Pick<WorkflowRow, 'state' | 'isFinishing'>): string {
  return isStill && (state === 'cancelled' || state === 'paused') ? finishingStates[state] : workflowLooks[state].word;
}

function derived(workflow: Workflow): WorkflowRow {
  const state = workflowState(workflow);
  const step = currentStep(workflow);
  const ended = hasEnded(workflow);
  return {
    id: workflow.workflow_id,
    name: workflow.name,
    state,
    // Derived once per workflow; `rowWith` adds what its nodes do.
    text: workflowText(workflow, {}),
    ...progress(workflow),
    node: ended || step === null ? null : isBuiltIn(step) ? '' : (step.node ?? ''),
    nodes: nodesOf(workflow),
    author: authorOf(workflow),
    experiment: workflow.ownership_info.experiment_id ?? '',
    submitted: workflow.submitted_time ?? '',
    started: workflow.start_time ?? '',
    // A retry keeps the time of the earlier end.
    ended: ended ? (workflow.end_time ?? '') : '',
    waits: isBlocked(workflow),
    reasons: waitingFor(workflow),
    halted: haltedStep(workflow),
    isFinishing: false,
  };
}

/** What is looked at first: what runs, what is held, what waits in its order, then what ended, newest first. */
const ranks: Readonly<Record<WorkflowState, number>> = {
  running: 0,
  paused: 1,
  queued: 2,
  failed: 3,
  cancelled: 3,
  completed: 3,
};

export function rankOf({ state, isFinishing: isStill }: Pick<WorkflowRow, 'state' | 'isFinishing'>): number {
  return isStill ? ranks.running : ranks[state];
}

export function inOrder(a: WorkflowRow, b: WorkflowRow): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  // Naive times of one host compare as texts.
  const older = a.submitted < b.submitted ? -1 : a.submitted > b.submitted ? 1 : 0;
  return a.state === 'queued' ? older : 0 - older;
}
