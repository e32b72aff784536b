/** When each step of a workflow waited and ran, as far as the workflow contains it. Pure. */
import type { StepState } from '../../../api/states.ts';
import type { Step, Workflow } from '../../../api/managers/workflow.ts';
import { attemptsOf } from './attempts.ts';
import { currentStep, isBuiltIn, isWaiting, stepName, stepState, wasRetried } from './workflowState.ts';

/** Converts a manager's timestamp to ms since the epoch; `null` for an invalid one. */
export type ParseStamp = (stamp: string | null | undefined) => number | null;

/** The workflows that execute its transfers, by step index. */
export type Children = ReadonlyMap<number, Workflow>;
const childless: Children = new Map();

/** The lane of steps that the workcell manager executes itself; no node can have this name. */
export const ownLane = ':workcell';

export interface StepTime {
  /** ms since the epoch; `end` is `null` while it is running. */
  readonly start: number;
  readonly end: number | null;
  /** Whether it started then or later: for a running built-in step, the manager doesn't report the start. */
  readonly isEarliestStart?: true;
}

export interface StepSpan extends StepTime {
  /** The index of the step in its workflow, from 0. */
  readonly index: number;
  /** The index of the attempt at the step, from 0. For a wait: the attempt that it precedes. */
  readonly attempt: number;
  readonly waiting: boolean;
  /** Whether the step was, or will be, retried after this attempt. */
  readonly past?: true;
  /** The node's name, or `ownLane`. */
  readonly lane: string;
  readonly state: StepState;
  /** The step's name. */
  readonly name: string;
  /** The span of the workflow that executes the transfer at `index`, which this one represents. */
  readonly childSpan?: StepSpan;
}

type TimedWorkflow = Pick<Workflow, 'steps' | 'status' | 'start_time'>;

/**
 * Returns when a running built-in step was started, as far as other data shows it; its own times belong to an earlier
 * attempt.
 */
function startOfBuiltIn(
  workflow: TimedWorkflow,
  index: number,
  at: ParseStamp,
  child: Workflow | undefined,
): StepTime | null {
  const known = at(child?.submitted_time) ?? (index === 0 ? at(workflow.start_time) : null);
  if (known !== null) return { start: known, end: null };
  const start = at(workflow.steps[index - 1]?.end_time) ?? at(workflow.start_time);
  return start === null ? null : { start, end: null, isEarliestStart: true };
}

/**
 * Returns when the step's latest attempt ran, from the step itself; `null` before it started, or while it is to run
 * again.
 */
export function timeOf(workflow: TimedWorkflow, index: number, at: ParseStamp, child?: Workflow): StepTime | null {
  const step = workflow.steps[index];
  if (step === undefined) return null;
  const state = stepState(workflow, index);
  if (state === 'running' && isBuiltIn(step)) return startOfBuiltIn(workflow, index, at, child);
  const start = at(step.start_time);
  if (start === null) return null;
  if (state === 'waiting') return null;
  // A retry starts a step again but keeps the end of the earlier attempt.
  const end = at(step.end_time);
  const ended = end !== null && end >= start ? end : null;
  if (state === 'running' || state === 'paused') return { start, end: state === 'running' ? null : ended };
  return { start, end: ended ?? at(step.result?.history_created_at) ?? start };
}

function laneOf(step: Pick<Step, 'node'>): string {
  return isBuiltIn(step) ? ownLane : (step.node ?? '');
}

/**
 * Returns all waits and attempts in the order of the steps; those of a transfer's workflow are in the lanes of the nodes
 * that do the work.
 */
export function stepSpansOf(workflow: Workflow, at: ParseStamp, children = childless): readonly StepSpan[] {
  const spans: StepSpan[] = [];
  let before = at(workflow.submitted_time);
  for (const [index, step] of workflow.steps.entries()) {
    const identity = { index, lane: laneOf(step), name: stepName(step, index) };
    const child = children.get(index);
    const time = timeOf(workflow, index, at, child);
    const attempts = attemptsOf(step, stepState(workflow, index));
    const past = time === null ? attempts : attempts.slice(0, -1);
    const earlier = past.flatMap(({ first, last, state }, attempt): StepSpan[] => {
      const [start, end] = [at(first), at(last)];
      return start === null || end === null
        ? []
        : [{ ...identity, attempt, past: true, waiting: false, start, end, state }];
    });
    const began = earlier[0]?.start ?? time?.start ?? null;
    if (began !== null && before !== null && began > before)
      spans.push({ ...identity, attempt: 0, waiting: true, start: before, end: began, state: 'waiting' });
    spans.push(...earlier);
    if (child !== undefined)
      spans.push(
        ...stepSpansOf(child, at).map((childSpan): StepSpan => {
          return { ...childSpan, index, childSpan };
        }),
      );
    if (time !== null) {
      const attempt = Math.max(0, attempts.length - 1);
      spans.push({ ...identity, ...time, attempt, waiting: false, state: stepState(workflow, index) });
      before = time.end;
    } else if (step === currentStep(workflow) && isWaiting(workflow) && before !== null) {
      const start = at(past.at(-1)?.last) ?? before;
      // The manager does not record when a retry queued the workflow again.
      if (!wasRetried(workflow) || start > (at(workflow.end_time) ?? -Infinity))
        spans.push({ ...identity, attempt: past.length, waiting: true, start, end: null, state: 'waiting' });
      before = null;
    } else before = null;
  }
  return spans;
}
