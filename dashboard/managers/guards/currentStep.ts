/** A workflow's current step, its node, and the work of that node. */
import type { Node } from '#api/managers/node.ts';
import type { Step, Workflow } from '#api/managers/workflow.ts';
import type { Impact, LabSnapshot, NotOffered } from './decision.ts';
import { guardTexts as texts } from './texts.ts';
import { reportedCommands } from '../workcell/nodeState.ts';
import { findOccupyingWorkflow } from '../workcell/waiting.ts';
import { currentStep, isWaiting } from '../workcell/workflowState.ts';

export const notOffered = (reason: string): NotOffered => ({ allowed: false, reason });

/** The current step with its node, for a waiting, running or paused workflow. */
export interface CurrentStep {
  readonly step: Step;
  /** Counted from 1. */
  readonly number: number;
  readonly name: string;
  /** `null` if the workcell doesn't contain it. */
  readonly node: Node | null;
  /** The other workflow that the node is working for, if any: it runs, or was paused while the node continues. */
  readonly other: Workflow | null;
  /** For a waiting workflow: the work of its node, if that is not another workflow's step. */
  readonly busyWith: 'own step' | 'unclear' | 'unknown' | null;
}

export function findCurrentStep(workflow: Workflow, lab: LabSnapshot): CurrentStep | null {
  const step = currentStep(workflow);
  if (step === null) return null;
  const name = step.node ?? '';
  const node = lab.nodes[name] ?? null;
  const occupyingWorkflow = name === '' ? null : findOccupyingWorkflow(name, workflow.workflow_id, lab);
  const isBusy = occupyingWorkflow === null && node?.status?.busy === true && isWaiting(workflow);
  return {
    step,
    number: workflow.status.current_step_index + 1,
    name,
    node,
    other: occupyingWorkflow,
    busyWith: !isBusy
      ? null
      : isStepRunning(step)
        ? 'own step'
        : hasJustChanged(workflow, name, lab)
          ? 'unclear'
          : 'unknown',
  };
}

/**
 * Returns whether the node's state may still show this workflow's own step: the previous step has just ended there, or
 * workflow and node come from different responses.
 */
function hasJustChanged({ workflow_id: id, steps, status }: Workflow, name: string, lab: LabSnapshot): boolean {
  if (lab.isInSnapshot?.(id) === false || lab.isUnclear?.(name) === true) return true;
  const previousStep = steps[status.current_step_index - 1];
  return (
    previousStep?.node === name &&
    typeof previousStep.end_time === 'string' &&
    lab.isRecent?.(previousStep.end_time) === true
  );
}

/** A resumed workflow is in the queue while its node may still execute the paused step. */
function isStepRunning({ start_time: start, end_time: end }: Step): boolean {
  return typeof start === 'string' && !(typeof end === 'string' && end >= start);
}

/** Returns whether the workflow has started: such a workflow is between two steps while it waits. */
export function isInProgress({ steps, status }: Workflow): boolean {
  return status.running || status.paused || status.current_step_index > 0 || typeof steps[0]?.start_time === 'string';
}

export const queueImpact: Impact = { target: 'queue', severity: 1 };
export const ownImpact = (severity: number): Impact => ({ target: 'own', severity });

/**
 * Returns whether the workcell manager would send the command to the node. A node whose commands are unknown may
 * support it.
 */
export function supportsCommand(node: Node | null, command: string): boolean {
  return node !== null && (reportedCommands(node)?.includes(command) ?? true);
}

/** Returns what blocks this command to the node of the current step; `null` if nothing does, or it isn't sent. */
export function findObstacle({ name, node, other, busyWith }: CurrentStep, command: string): NotOffered | null {
  if (!supportsCommand(node, command)) return null;
  if (other !== null) {
    const text = other.status.running ? texts.nodeUsedBy : texts.nodePausedFor;
    return notOffered(text(name, other.name, command));
  }
  if (busyWith === 'unclear')
    return {
      ...notOffered(
        `It has just changed, and ${name} is shown as busy: whether that is still its own step is being checked.`,
      ),
      transient: true,
    };
  if (busyWith === 'unknown')
    return notOffered(
      `It only waits, but MADSci would send ${command} to ${name}, which is busy with something that is not this workflow: that would be affected instead.`,
    );
  if (node?.status === null || node?.status.disconnected === true)
    return notOffered(
      `${name} can’t be reached, so the workcell manager can’t send it ${command} and would change nothing.`,
    );
  return null;
}
