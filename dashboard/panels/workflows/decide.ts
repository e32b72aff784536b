/**
 * The actions on a workflow, each with what the guards say of it. One danger more is seen here: a node that is busy for
 * a workflow that was paused meanwhile, or for somebody else, works for no workflow that “runs”. Pure.
 */
import type { Workflow } from '../../../api/workflow.ts';
import { guardTexts } from '../../app/texts/guards.ts';
import { workflowsTexts } from '../../app/texts/workflows.ts';
import {
  decideCancel,
  decidePause,
  decideResubmit,
  decideResume,
  decideRetry,
  type Decision,
  type LabNow,
} from '../../managers/guards.ts';
import { knownCommands } from '../../managers/nodeState.ts';
import { currentStep, workflowState } from '../../managers/workflowState.ts';
import { userOf } from '../../managers/waiting.ts';

const texts = workflowsTexts.actions;

export const actionNames = ['pause', 'resume', 'cancel', 'retry', 'resubmit'] as const;
export type ActionName = (typeof actionNames)[number];

/** @param step index from 0, for a retry */
export function decide(action: ActionName, workflow: Workflow, lab: LabNow, step: number): Decision {
  switch (action) {
    case 'pause':
      return spared('pause', workflow, lab, decidePause(workflow, lab));
    case 'cancel':
      return spared('cancel', workflow, lab, decideCancel(workflow, lab));
    case 'resume':
      return decideResume(workflow, lab);
    case 'retry':
      return decideRetry(workflow, step);
    case 'resubmit':
      return decideResubmit(workflow);
  }
}

/** Refuses what would hit somebody else's step on the node of a workflow that only waits. */
function spared(command: 'pause' | 'cancel', workflow: Workflow, lab: LabNow, decision: Decision): Decision {
  if (!decision.allowed || workflowState(workflow) !== 'queued') return decision;
  const name = currentStep(workflow)?.node ?? '';
  const node = lab.nodes[name];
  if (node?.status?.busy !== true || !(knownCommands(node)?.includes(command) ?? true)) return decision;
  const user = userOf(name, workflow.workflow_id, lab);
  if (user === null && mayBeOwn(workflow)) return { ...decision, effects: ownEffects(command, name, decision.effects) };
  const why = user === null ? texts.busyUnknown(name, command) : texts.busyElsewhere(name, user.name, command);
  return { allowed: false, why };
}

/** A resumed workflow is in the queue while its node may still do what it was paused at. */
function mayBeOwn(workflow: Workflow): boolean {
  const step = currentStep(workflow);
  return (
    typeof step?.start_time === 'string' && !(typeof step.end_time === 'string' && step.end_time >= step.start_time)
  );
}

function ownEffects(command: 'pause' | 'cancel', node: string, effects: readonly string[]): readonly string[] {
  const own = texts.ownRest(node, command);
  return command === 'pause'
    ? [own]
    : effects.map((effect) => (effect === guardTexts.cancelIdleNode(node) ? own : effect));
}

/** The actions that are shown, in their order: pause and resume take one place. */
export function shownActions(workflow: Workflow): readonly ActionName[] {
  return [workflowState(workflow) === 'paused' ? 'resume' : 'pause', 'cancel', 'retry', 'resubmit'];
}

/** Whether both decisions promise the same, so that what was agreed to still holds. */
export function samePromise(before: Decision, now: Decision): boolean {
  return before.allowed && now.allowed && JSON.stringify(before.effects) === JSON.stringify(now.effects);
}
