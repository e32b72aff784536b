/** The managers' answers as the pages must say them: from the manager's own words, not from the flags that the pages read. */
import type { Nodes } from '../../api/managers/workcell.ts';
import type { Workflow } from '../../api/managers/workflow.ts';
import { isCancelledAndCompleted } from '../../api/managers/workflowState.ts';
import { nodeLook } from '../../dashboard/managers/workcell/nodeState.ts';
import { workflowStateTexts } from '../../dashboard/managers/workcell/workflowTexts.ts';

export interface WorkflowAnswer {
  readonly id: string;
  readonly name: string;
  /** `Running step 3`, from 0. */
  readonly description: string;
  readonly hasStarted: boolean;
  readonly total: number;
  /** Of its current step, from 0. */
  readonly index: number;
}

/** An answer of the workcell manager, or what it would answer now. */
export interface Answers {
  readonly workflows: readonly WorkflowAnswer[];
  /** The word of each node's state by its name. */
  readonly nodes: Readonly<Record<string, string>>;
}

export function workflowAnswer({ workflow_id: id, name, status, steps }: Workflow): WorkflowAnswer {
  const { description, has_started: hasStarted, current_step_index: index } = status;
  const words = isCancelledAndCompleted({ status, steps }) ? `Cancelled on step ${index}` : (description ?? '');
  return { id, name, description: words, hasStarted, index, total: steps.length };
}

export function nodeAnswers(nodes: Nodes): Answers['nodes'] {
  return Object.fromEntries(Object.entries(nodes).map(([name, { status }]) => [name, nodeLook({ status }).word]));
}

const texts = workflowStateTexts;

/** `Running: step 3 of 300 is next` */
export function answerWords({ description, hasStarted, total }: WorkflowAnswer): string {
  if (description === 'Completed Successfully') return texts.completed;
  const found = /^(\w+) on step (\d+)$|^(Running) step (\d+)$/.exec(description);
  const step = Math.min(Number(found?.[2] ?? found?.[4] ?? 0) + 1, total);
  switch (found?.[1] ?? found?.[3]) {
    case 'Failed':
      return texts.failed(step, total);
    case 'Cancelled':
      return texts.cancelled(step, total);
    case 'Paused':
      return texts.paused(step, total);
    case 'Running':
      return texts.running(step, total);
    case 'Queued':
      return hasStarted ? texts.between(step, total) : step > 1 ? texts.queuedAt(step, total) : texts.queued;
    default:
      return description;
  }
}

/** What it may have been for a moment between two answers: one that had ended was in the queue again before it went on. */
export function passed(before: WorkflowAnswer, after: WorkflowAnswer): readonly string[] {
  const { total } = after;
  const ended = /^(?:Failed|Cancelled|Completed)\b/.test(before.description);
  const last = Math.min(after.index, before.index + 20);
  return Array.from({ length: Math.max(0, last - before.index) + 1 }, (_, place) => before.index + place + 1).flatMap(
    (step) => [
      ...(ended ? [texts.queuedAt(step, total), texts.queued] : []),
      texts.running(step, total),
      texts.between(step, total),
    ],
  );
}
