/**
 * Guards for cancelling a workflow: at once if only that workflow is affected, deferred, or together with the other
 * affected work. Pure.
 */
import type { Step, Workflow } from '../../../api/managers/workflow.ts';
import type { Impact, Decision, LabSnapshot, Offer, NotOffered } from './decision.ts';
import { isInProgress, no, obstacle, ownImpact, currentStepOf, willGet, type CurrentStep } from './currentStep.ts';
import { guardTexts as texts } from './texts.ts';
import { childOf } from '../workcell/transfers.ts';
import { currentStep, hasEnded, isBuiltIn } from '../workcell/workflowState.ts';

/** MADSci can't cancel its built-in steps; a transfer ends with the workflow that executes it. */
function builtInCancel(workflow: Workflow, { action }: Step, lab: LabSnapshot): NotOffered {
  if (workflow.status.paused) return no(texts.builtInStuck(action ?? ''));
  const child = childOf(workflow, lab.workflows);
  if (child === null) return no(texts.builtInCancel(action ?? ''));
  const { name, workflow_id: id } = child.workflow;
  return { ...no(texts.transferCancel(name, child.likely === true)), instead: { id, name } };
}

export function decideCancel(workflow: Workflow, lab: LabSnapshot): Decision {
  if (hasEnded(workflow)) return no(texts.ended(currentStep(workflow)?.node ?? ''));
  const place = currentStepOf(workflow, lab);
  if (place === null) return no(texts.noSteps);
  const { step, name } = place;
  if (isBuiltIn(step)) return builtInCancel(workflow, step, lab);
  const blocked = obstacle(place, 'cancel');
  if (blocked !== null) return usedByOthers(place) ? { ...blocked, busyNode: name } : blocked;
  return offerCancel(workflow, place, []);
}

/** Whether its node does other work that the command would affect. */
function usedByOthers({ node, other, busyWith }: CurrentStep): boolean {
  return willGet(node, 'cancel') && (other !== null || busyWith === 'unknown');
}

/**
 * A cancel that this page defers until the node is free. The workflow may be the next to start there, so the confirmation
 * covers the end of its own step; no other work is affected.
 */
export function decideCancelWhenFree(workflow: Workflow, lab: LabSnapshot): Decision {
  if (hasEnded(workflow)) return no(texts.endedPlain);
  const place = currentStepOf(workflow, lab);
  if (place === null) return no(texts.noSteps);
  if (isBuiltIn(place.step)) return builtInCancel(workflow, place.step, lab);
  return {
    allowed: true,
    title: texts.whenFreeTitle(workflow.name, place.name),
    effects: [
      texts.whenFreeUntil(place.name, place.other?.name ?? null),
      texts.whenFreeIfStarted(place.number, place.name),
      texts.whenFreeOnPage,
      ...restOf(workflow, place),
    ],
    impacts: [ownImpact(3)],
    verb: texts.whenFreeVerb,
    dangerous: true,
  };
}

/** A cancel at once, including the other work of its node. */
export function decideCancelNow(workflow: Workflow, lab: LabSnapshot): Decision {
  const place = currentStepOf(workflow, lab);
  if (hasEnded(workflow) || place === null || isBuiltIn(place.step) || !usedByOthers(place))
    return decideCancel(workflow, lab);
  const { name, other } = place;
  const step = other === null ? 0 : other.status.current_step_index + 1;
  const victim = other === null ? texts.cancelsUnknown(name) : texts.cancelsOther(name, other.name, step);
  const impact: Impact = { target: other?.workflow_id ?? `${name}: no workflow`, severity: 3 };
  const offer = offerCancel(workflow, { ...place, other: null, busyWith: null }, [impact]);
  return {
    ...offer,
    title: texts.cancelNowTitle(workflow.name, other?.name ?? name),
    effects: [victim, texts.cancelQueued(place.number), ...restOf(workflow, place)],
    verb: texts.cancelNowVerb,
    confirmationName: other?.name ?? name,
  };
}

function restOf(workflow: Workflow, { number }: CurrentStep): string[] {
  const rest = workflow.steps.length - number;
  return rest > 0 ? [texts.cancelRest(rest)] : [];
}

function offerCancel(workflow: Workflow, place: CurrentStep, others: readonly Impact[]): Offer {
  const { number, name, node, busyWith } = place;
  const gets = willGet(node, 'cancel');
  const working = workflow.status.running || workflow.status.paused;
  const ownRest = busyWith === 'own step';
  const effects = working
    ? [gets ? texts.cancelNode(name, number) : texts.cancelGoesOn(name, number)]
    : [
        texts.cancelQueued(number),
        ...(gets ? [ownRest ? texts.ownRest(name, 'cancel') : texts.cancelIdleNode(name)] : []),
      ];
  if (!working && !ownRest && isInProgress(workflow))
    effects.push(texts.betweenSteps(number, gets ? texts.mayEnd : texts.mayGoOn));
  effects.push(...restOf(workflow, place));
  const impacts = [ownImpact(isInProgress(workflow) ? (gets ? 3 : 2) : 1), ...others];
  return {
    allowed: true,
    title: texts.cancelTitle(workflow.name),
    effects,
    impacts,
    verb: texts.cancelVerb,
    dangerous: true,
  };
}
