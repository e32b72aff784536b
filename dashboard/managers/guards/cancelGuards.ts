/**
 * Guards for cancelling a workflow: at once if only that workflow is affected, deferred, or together with the other
 * affected work.
 */
import type { Step, Workflow } from '#api/managers/workflow.ts';
import type { Impact, Decision, LabSnapshot, Offer, NotOffered } from './decision.ts';
import {
  isInProgress,
  notOffered,
  findObstacle,
  ownImpact,
  findCurrentStep,
  supportsCommand,
  type CurrentStep,
} from './currentStep.ts';
import { guardTexts as texts } from './texts.ts';
import { findChild } from '../workcell/transfers.ts';
import { currentStep, hasEnded, isBuiltIn } from '../workcell/workflowState.ts';

/** MADSci can't cancel its built-in steps; a transfer ends with the workflow that executes it. */
function decideBuiltInCancel(workflow: Workflow, { action }: Step, lab: LabSnapshot): NotOffered {
  if (workflow.status.paused)
    return notOffered(
      `It is paused at a step of the workcell manager itself (${action ?? ''}); MADSci can’t cancel that. It stays as it is until the workcell manager restarts.`,
    );
  const child = findChild(workflow, lab.workflows);
  if (child === null)
    return notOffered(
      `Its current step is the workcell manager’s own (${action ?? ''}), which MADSci can’t cancel. Wait until that step is over.`,
    );
  const { name, workflow_id: id } = child.workflow;
  return { ...notOffered(texts.transferCancel(name, child.isUncertain === true)), alternative: { id, name } };
}

export function decideCancel(workflow: Workflow, lab: LabSnapshot): Decision {
  if (hasEnded(workflow)) return notOffered(texts.ended(currentStep(workflow)?.node ?? ''));
  const current = findCurrentStep(workflow, lab);
  if (current === null) return notOffered(texts.noSteps);
  const { step, name } = current;
  if (isBuiltIn(step)) return decideBuiltInCancel(workflow, step, lab);
  const obstacle = findObstacle(current, 'cancel');
  if (obstacle !== null) return isUsedByOthers(current) ? { ...obstacle, busyNode: name } : obstacle;
  return offerCancel(workflow, current, []);
}

/** Returns whether the node does other work that a cancel would affect. */
function isUsedByOthers({ node, other, busyWith }: CurrentStep): boolean {
  return supportsCommand(node, 'cancel') && (other !== null || busyWith === 'unknown');
}

/**
 * Decides about a cancel that this page defers until the node is free. The workflow may be the next to start there, so
 * the confirmation covers the end of its own step; no other work is affected.
 */
export function decideCancelWhenFree(workflow: Workflow, lab: LabSnapshot): Decision {
  if (hasEnded(workflow)) return notOffered(texts.alreadyEnded);
  const current = findCurrentStep(workflow, lab);
  if (current === null) return notOffered(texts.noSteps);
  if (isBuiltIn(current.step)) return decideBuiltInCancel(workflow, current.step, lab);
  return {
    allowed: true,
    title: `Cancel “${workflow.name}” when ${current.name} is free?`,
    effects: [
      texts.whenFreeUntil(current.name, current.other?.name ?? null),
      `If it is the next to start on ${current.name}, its action of step ${current.number} is cancelled.`,
      'This page holds it until then: when the page is closed or reloaded, nothing is cancelled.',
      ...describeRemainingSteps(workflow, current),
    ],
    impacts: [ownImpact(3)],
    verb: 'Cancel when free',
    dangerous: true,
  };
}

/** Decides about a cancel at once, including the other work of its node. */
export function decideCancelNow(workflow: Workflow, lab: LabSnapshot): Decision {
  const current = findCurrentStep(workflow, lab);
  if (hasEnded(workflow) || current === null || isBuiltIn(current.step) || !isUsedByOthers(current))
    return decideCancel(workflow, lab);
  const { name, other } = current;
  const step = other === null ? 0 : other.status.current_step_index + 1;
  const effect =
    other === null
      ? `${name} gets the cancel command and ends what it is doing, which no known workflow started.`
      : `${name} gets the cancel command and ends its action: step ${step} of “${other.name}”, which ends as cancelled, too.`;
  const impact: Impact = { target: other?.workflow_id ?? `${name}: no workflow`, severity: 3 };
  const offer = offerCancel(workflow, { ...current, other: null, busyWith: null }, [impact]);
  return {
    ...offer,
    title: `Cancel “${workflow.name}” now, and with it what ${other?.name ?? name} is doing?`,
    effects: [effect, texts.cancelQueued(current.number), ...describeRemainingSteps(workflow, current)],
    verb: 'Cancel both now',
    confirmationName: other?.name ?? name,
  };
}

function describeRemainingSteps(workflow: Workflow, { number }: CurrentStep): string[] {
  const laterStepCount = workflow.steps.length - number;
  return laterStepCount > 0 ? [texts.cancelLaterSteps(laterStepCount)] : [];
}

function offerCancel(workflow: Workflow, current: CurrentStep, others: readonly Impact[]): Offer {
  const { number, name, node, busyWith } = current;
  const isSupported = supportsCommand(node, 'cancel');
  const isActive = workflow.status.running || workflow.status.paused;
  const isFinishingOwnStep = busyWith === 'own step';
  const effects = isActive
    ? [
        isSupported
          ? `${name} gets the cancel command and ends its action of step ${number}.`
          : `${name} can’t cancel: it finishes what it is doing for step ${number}, and its result is not used.`,
      ]
    : [
        texts.cancelQueued(number),
        ...(isSupported
          ? [
              isFinishingOwnStep
                ? texts.ownStepBusy(name, 'cancel')
                : `${name} gets the cancel command too; it is doing nothing at the moment.`,
            ]
          : []),
      ];
  if (!isActive && !isFinishingOwnStep && isInProgress(workflow))
    effects.push(texts.betweenSteps(number, isSupported ? 'its action is ended' : texts.nodeMayFinish));
  effects.push(...describeRemainingSteps(workflow, current));
  const impacts = [ownImpact(isInProgress(workflow) ? (isSupported ? 3 : 2) : 1), ...others];
  return {
    allowed: true,
    title: `Cancel “${workflow.name}”?`,
    effects,
    impacts,
    verb: texts.cancelVerb,
    dangerous: true,
  };
}
