/** Where a workflow is: its current step, the node of that, and whose work the node has. Pure. */
import type { Node } from '../../../api/managers/node.ts';
import type { Step, Workflow } from '../../../api/managers/workflow.ts';
import type { Impact, LabSnapshot, NotOffered } from './decision.ts';
import { guardTexts as texts } from './texts.ts';
import { knownCommands } from '../workcell/nodeState.ts';
import { userOf } from '../workcell/waiting.ts';
import { currentStep, isWaiting } from '../workcell/workflowState.ts';

export const no = (why: string): NotOffered => ({ allowed: false, why });

/** The current step with its node, of a workflow that waits, runs or is paused. */
export interface Place {
  readonly step: Step;
  /** From 1, as people count. */
  readonly number: number;
  readonly name: string;
  /** `null` where the workcell doesn't know it. */
  readonly node: Node | null;
  /** The workflow that the node is working for, when it is another one: it runs, or was paused while the node goes on. */
  readonly other: Workflow | null;
  /** Of one that only waits: what its node is busy with, where that is no other workflow's step. */
  readonly busyWith: 'own step' | 'unclear' | 'unknown' | null;
}

export function placeOf(workflow: Workflow, lab: LabSnapshot): Place | null {
  const step = currentStep(workflow);
  if (step === null) return null;
  const name = step.node ?? '';
  const node = lab.nodes[name] ?? null;
  const other = name === '' ? null : userOf(name, workflow.workflow_id, lab);
  const busy = other === null && node?.status?.busy === true && isWaiting(workflow);
  return {
    step,
    number: workflow.status.current_step_index + 1,
    name,
    node,
    other,
    busyWith: !busy
      ? null
      : isStepRunning(step)
        ? 'own step'
        : justChanged(workflow, name, lab)
          ? 'unclear'
          : 'unknown',
  };
}

/**
 * Whether the node may still be shown with this workflow's own step: the one before it has just ended there, or the
 * workflow is known from another answer than the node.
 */
function justChanged({ workflow_id: id, steps, status }: Workflow, name: string, lab: LabSnapshot): boolean {
  if (lab.isInSnapshot?.(id) === false || lab.isUnclear?.(name) === true) return true;
  const before = steps[status.current_step_index - 1];
  return before?.node === name && typeof before.end_time === 'string' && lab.isRecent?.(before.end_time) === true;
}

/** A resumed workflow is in the queue while its node may still do what it was paused at. */
function isStepRunning({ start_time: start, end_time: end }: Step): boolean {
  return typeof start === 'string' && !(typeof end === 'string' && end >= start);
}

/** Whether anything of it was begun: one that was is between two steps when it waits. */
export function isInProgress({ steps, status }: Workflow): boolean {
  return status.running || status.paused || status.current_step_index > 0 || typeof steps[0]?.start_time === 'string';
}

export const queue: Impact = { target: 'queue', weight: 1 };
export const own = (weight: number): Impact => ({ target: 'own', weight });

/** Whether the workcell manager will send the node the command: a node that was never asked may know it. */
export function willGet(node: Node | null, command: string): boolean {
  return node !== null && (knownCommands(node)?.includes(command) ?? true);
}

/** What stands in the way of any command to the node of the current step. */
export function obstacle({ name, node, other, busyWith }: Place, command: string): NotOffered | null {
  if (!willGet(node, command)) return null;
  if (other !== null) {
    const text = other.status.running ? texts.nodeUsedBy : texts.nodeHeldBy;
    return no(text(name, other.name, command));
  }
  if (busyWith === 'unclear') return { ...no(texts.justChanged(name)), passing: true };
  if (busyWith === 'unknown') return no(texts.nodeBusy(name, command));
  if (node?.status === null || node?.status.disconnected === true) return no(texts.nodeAway(name, command));
  return null;
}
