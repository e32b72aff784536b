/** When each step of a workflow waited and ran, from the times in the workflow. */
import type { StepState } from '#api/states.ts';
import type { Step, Workflow } from '#api/managers/workflow.ts';
import { listAttempts } from './attempts.ts';
import { currentStep, isBuiltIn, isWaiting, stepName, stepState, wasRetried } from './workflowState.ts';

/** Converts a manager's timestamp to ms since the epoch; `null` for an invalid one. */
export type ParseStamp = (stamp: string | null | undefined) => number | null;

/** The workflows that execute its transfers, by step index. */
export type ChildWorkflows = ReadonlyMap<number, Workflow>;
const noChildren: ChildWorkflows = new Map();

/** The lane of steps that the workcell manager executes itself; no node can have this name. */
export const workcellLane = ':workcell';

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
  /** The node's name, or `workcellLane`. */
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
function builtInStart(
  workflow: TimedWorkflow,
  index: number,
  parseStamp: ParseStamp,
  child: Workflow | undefined,
): StepTime | null {
  const reportedStart = parseStamp(child?.submitted_time) ?? (index === 0 ? parseStamp(workflow.start_time) : null);
  if (reportedStart !== null) return { start: reportedStart, end: null };
  const start = parseStamp(workflow.steps[index - 1]?.end_time) ?? parseStamp(workflow.start_time);
  return start === null ? null : { start, end: null, isEarliestStart: true };
}

/**
 * Returns when the step's latest attempt ran, from the step itself; `null` before it started, or while it is to run
 * again.
 */
export function stepTime(
  workflow: TimedWorkflow,
  index: number,
  parseStamp: ParseStamp,
  child?: Workflow,
): StepTime | null {
  const step = workflow.steps[index];
  if (step === undefined) return null;
  const state = stepState(workflow, index);
  if (state === 'running' && isBuiltIn(step)) return builtInStart(workflow, index, parseStamp, child);
  const start = parseStamp(step.start_time);
  if (start === null) return null;
  if (state === 'waiting') return null;
  // A retry starts a step again but keeps the end of the earlier attempt.
  const end = parseStamp(step.end_time);
  const validEnd = end !== null && end >= start ? end : null;
  if (state === 'running' || state === 'paused') return { start, end: state === 'running' ? null : validEnd };
  return { start, end: validEnd ?? parseStamp(step.result?.history_created_at) ?? start };
}

function stepLane(step: Pick<Step, 'node'>): string {
  return isBuiltIn(step) ? workcellLane : (step.node ?? '');
}

/**
 * Returns all waits and attempts in the order of the steps; those of a transfer's workflow are in the lanes of the nodes
 * that do the work.
 */
export function listStepSpans(workflow: Workflow, parseStamp: ParseStamp, children = noChildren): readonly StepSpan[] {
  const spans: StepSpan[] = [];
  let previousEnd = parseStamp(workflow.submitted_time);
  for (const [index, step] of workflow.steps.entries()) {
    const identity = { index, lane: stepLane(step), name: stepName(step, index) };
    const child = children.get(index);
    const time = stepTime(workflow, index, parseStamp, child);
    const attempts = listAttempts(step, stepState(workflow, index));
    const pastAttempts = time === null ? attempts : attempts.slice(0, -1);
    const pastSpans = pastAttempts.flatMap(({ firstTime, lastTime, state }, attempt): StepSpan[] => {
      const [start, end] = [parseStamp(firstTime), parseStamp(lastTime)];
      return start === null || end === null
        ? []
        : [{ ...identity, attempt, past: true, waiting: false, start, end, state }];
    });
    const startedAt = pastSpans[0]?.start ?? time?.start ?? null;
    if (startedAt !== null && previousEnd !== null && startedAt > previousEnd)
      spans.push({ ...identity, attempt: 0, waiting: true, start: previousEnd, end: startedAt, state: 'waiting' });
    spans.push(...pastSpans);
    if (child !== undefined)
      spans.push(
        ...listStepSpans(child, parseStamp).map((childSpan): StepSpan => {
          return { ...childSpan, index, childSpan };
        }),
      );
    if (time !== null) {
      const attempt = Math.max(0, attempts.length - 1);
      spans.push({ ...identity, ...time, attempt, waiting: false, state: stepState(workflow, index) });
      previousEnd = time.end;
    } else if (step === currentStep(workflow) && isWaiting(workflow) && previousEnd !== null) {
      const start = parseStamp(pastAttempts.at(-1)?.lastTime) ?? previousEnd;
      // The manager does not record when a retry queued the workflow again.
      if (!wasRetried(workflow) || start > (parseStamp(workflow.end_time) ?? -Infinity))
        spans.push({ ...identity, attempt: pastAttempts.length, waiting: true, start, end: null, state: 'waiting' });
      previousEnd = null;
    } else previousEnd = null;
  }
  return spans;
}
