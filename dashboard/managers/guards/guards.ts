/**
 * What may safely be asked of a workflow in the state it is in. The workcell manager guards nothing: pause, resume and
 * cancel also command the node of the current step, whoever that node is working for, and whatever state the workflow is
 * in. So each action is offered only where it does what its name says, with everything that it will do. Pure.
 * Source: MADSci 0.8.1, workcell manager (tried in `e2e/interop/behaviour/workflowTraps.test.ts`).
 */
import type { Node } from '../../../api/managers/node.ts';
import type { Step, Workflow } from '../../../api/managers/workflow.ts';
import { guardTexts as texts } from './texts.ts';
import type { Hit } from './consequence.ts';
import { knownCommands } from '../workcell/nodeState.ts';
import { childOf } from '../workcell/transfers.ts';
import { userOf } from '../workcell/waiting.ts';
import {
  countDone,
  currentStep,
  hasEnded,
  isBuiltIn,
  isWaiting,
  stepName,
  workflowState,
} from '../workcell/workflowState.ts';

/** Not offered, with the reason in a sentence. */
export interface Refusal {
  readonly allowed: false;
  readonly why: string;
  /** It passes by itself within seconds: what is known of node and workflow doesn't go together yet. */
  readonly passing?: true;
  /** What would come to the same: to cancel the workflow that carries for its transfer. */
  readonly instead?: { readonly id: string; readonly name: string };
  /** It can be cancelled all the same: later, or with what else it hits. */
  readonly busyNode?: string;
}

/** Offered, with what a person must know before saying yes. */
export interface Offer {
  readonly allowed: true;
  readonly title: string;
  /** What it will do to which node and workflow, a sentence each. */
  readonly effects: readonly string[];
  /** The same in kinds: what a person agrees to. */
  readonly hits: readonly Hit[];
  /** The button that does it. */
  readonly verb: string;
  /** Whether it stops or loses something. */
  readonly dangerous: boolean;
  /** Whom it hits besides: its name is typed to confirm. */
  readonly typed?: string;
}

export type Decision = Offer | Refusal;

/** What is known of the lab at the moment. */
export interface LabSnapshot {
  readonly nodes: Readonly<Record<string, Node>>;
  /** All that are queued, run or are paused. */
  readonly workflows: readonly Workflow[];
  /** Whether the workflow was read together with the nodes; where nobody says, it was. */
  readonly isInSnapshot?: (id: string) => boolean;
  /** Whether the manager's stamp is so young that what is read of its nodes may be of before. */
  readonly isRecent?: (stamp: string) => boolean;
  /** Whether the node is busy with something that may yet turn out to be a workflow's. */
  readonly isUnclear?: (node: string) => boolean;
}

const no = (why: string): Refusal => ({ allowed: false, why });

/** The current step with its node, of a workflow that waits, runs or is paused. */
interface Place {
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

function placeOf(workflow: Workflow, lab: LabSnapshot): Place | null {
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
    busyWith: !busy ? null : isGoing(step) ? 'own step' : justChanged(workflow, name, lab) ? 'unclear' : 'unknown',
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
function isGoing({ start_time: start, end_time: end }: Step): boolean {
  return typeof start === 'string' && !(typeof end === 'string' && end >= start);
}

/** Whether anything of it was begun: one that was is between two steps when it waits. */
function isUnderWay({ steps, status }: Workflow): boolean {
  return status.running || status.paused || status.current_step_index > 0 || typeof steps[0]?.start_time === 'string';
}

const queue: Hit = { whom: 'queue', weight: 1 };
const own = (weight: number): Hit => ({ whom: 'own', weight });

/** Whether the workcell manager will send the node the command: a node that was never asked may know it. */
function willGet(node: Node | null, command: string): boolean {
  return node !== null && (knownCommands(node)?.includes(command) ?? true);
}

/** What stands in the way of any command to the node of the current step. */
function obstacle({ name, node, other, busyWith }: Place, command: string): Refusal | null {
  if (!willGet(node, command)) return null;
  if (other !== null) {
    const words = other.status.running ? texts.nodeUsedBy : texts.nodeHeldBy;
    return no(words(name, other.name, command));
  }
  if (busyWith === 'unclear') return { ...no(texts.justChanged(name)), passing: true };
  if (busyWith === 'unknown') return no(texts.nodeBusy(name, command));
  if (node?.status === null || node?.status.disconnected === true) return no(texts.nodeAway(name, command));
  return null;
}

/** Others in the queue whose next step needs the node. */
function countWaitingFor(name: string, workflow: Workflow, { workflows }: LabSnapshot): number {
  return workflows.filter(
    (each) => each.workflow_id !== workflow.workflow_id && isWaiting(each) && currentStep(each)?.node === name,
  ).length;
}

export function decidePause(workflow: Workflow, lab: LabSnapshot): Decision {
  if (hasEnded(workflow)) return no(texts.ended(currentStep(workflow)?.node ?? ''));
  if (workflow.status.paused) return no(texts.alreadyPaused);
  const place = placeOf(workflow, lab);
  if (place === null) return no(texts.noSteps);
  const { step, number, name, node, busyWith } = place;
  if (isBuiltIn(step)) return no(texts.builtInPause(step.action ?? ''));
  const blocked = obstacle(place, 'pause');
  if (blocked !== null) return blocked;
  const running = workflow.status.running;
  const next = workflow.steps[number];
  if (running && next !== undefined && isBuiltIn(next)) return no(texts.nextBuiltIn(number + 1, next.action ?? ''));
  const gets = willGet(node, 'pause');
  const between = !running && busyWith !== 'own step' && isUnderWay(workflow);
  const waiting = running || !gets || busyWith === 'own step' ? 0 : countWaitingFor(name, workflow, lab);
  const effects: string[] = [];
  if (!gets) {
    if (running) effects.push(texts.pauseGoesOn(name, number));
  } else if (running) effects.push(texts.pauseNode(name, number));
  else if (busyWith === 'own step') effects.push(texts.ownRest(name, 'pause'));
  else effects.push(texts.pauseIdleNode(name, waiting));
  if (running) effects.push(texts.pauseLater(number));
  if (between) effects.push(texts.betweenSteps(number, gets ? texts.mayBeHeld : texts.mayGoOn));
  // Of one that is under way it makes no difference whether the press meets a step or the moment between two.
  const hits = [own(isUnderWay(workflow) ? (gets ? 3 : 2) : gets ? 1 : 0), ...(waiting > 0 ? [queue] : [])];
  return {
    allowed: true,
    title: texts.pauseTitle(workflow.name),
    effects,
    hits,
    verb: texts.pauseVerb,
    dangerous: false,
  };
}

export function decideResume(workflow: Workflow, lab: LabSnapshot): Decision {
  if (hasEnded(workflow)) return no(texts.endedPlain);
  if (!workflow.status.paused) return no(texts.notPaused);
  const place = placeOf(workflow, lab);
  if (place === null) return no(texts.noSteps);
  const { step, number, name, node, other } = place;
  if (isBuiltIn(step)) return no(texts.builtInResume(step.action ?? ''));
  const blocked = obstacle(place, 'resume');
  if (blocked !== null) return blocked;
  // A node that can't be paused went on with the step; a second start would collide with the first.
  if (other === null && node?.status?.busy === true && !node.status.paused) return no(texts.stillWorks(name));
  const began = step.start_time !== null && step.start_time !== undefined;
  const effects = [
    ...(willGet(node, 'resume') ? [texts.resumeNode(name)] : []),
    began ? texts.resumeAgain(number, name) : texts.resumeFresh(number, name),
  ];
  return {
    allowed: true,
    title: texts.resumeTitle(workflow.name),
    effects,
    hits: [own(began ? 2 : 1)],
    verb: texts.resumeVerb,
    dangerous: began,
  };
}

/** MADSci can't cancel a step of its own; a transfer ends with the workflow that carries for it. */
function builtInCancel(workflow: Workflow, { action }: Step, lab: LabSnapshot): Refusal {
  if (workflow.status.paused) return no(texts.builtInStuck(action ?? ''));
  const child = childOf(workflow, lab.workflows);
  if (child === null) return no(texts.builtInCancel(action ?? ''));
  const { name, workflow_id: id } = child.workflow;
  return { ...no(texts.transferCancel(name, child.likely === true)), instead: { id, name } };
}

export function decideCancel(workflow: Workflow, lab: LabSnapshot): Decision {
  if (hasEnded(workflow)) return no(texts.ended(currentStep(workflow)?.node ?? ''));
  const place = placeOf(workflow, lab);
  if (place === null) return no(texts.noSteps);
  const { step, name } = place;
  if (isBuiltIn(step)) return builtInCancel(workflow, step, lab);
  const blocked = obstacle(place, 'cancel');
  if (blocked !== null) return usedByOthers(place) ? { ...blocked, busyNode: name } : blocked;
  return offerCancel(workflow, place, []);
}

/** Whether its node does something else, which the command would hit. */
function usedByOthers({ node, other, busyWith }: Place): boolean {
  return willGet(node, 'cancel') && (other !== null || busyWith === 'unknown');
}

/**
 * A cancel that this page holds until the node is free. The workflow may be the next to start there, so that its own step
 * being ended is agreed to beforehand; nobody else is hit.
 */
export function decideCancelWhenFree(workflow: Workflow, lab: LabSnapshot): Decision {
  if (hasEnded(workflow)) return no(texts.endedPlain);
  const place = placeOf(workflow, lab);
  if (place === null) return no(texts.noSteps);
  if (isBuiltIn(place.step)) return builtInCancel(workflow, place.step, lab);
  return {
    allowed: true,
    title: texts.heldTitle(workflow.name, place.name),
    effects: [
      texts.heldUntil(place.name, place.other?.name ?? null),
      texts.heldIfStarted(place.number, place.name),
      texts.heldHere,
      ...restOf(workflow, place),
    ],
    hits: [own(3)],
    verb: texts.heldVerb,
    dangerous: true,
  };
}

/** A cancel at once, with what its node does for others. */
export function decideCancelNow(workflow: Workflow, lab: LabSnapshot): Decision {
  const place = placeOf(workflow, lab);
  if (hasEnded(workflow) || place === null || isBuiltIn(place.step) || !usedByOthers(place))
    return decideCancel(workflow, lab);
  const { name, other } = place;
  const step = other === null ? 0 : other.status.current_step_index + 1;
  const victim = other === null ? texts.cancelsUnknown(name) : texts.cancelsOther(name, other.name, step);
  const hit: Hit = { whom: other?.workflow_id ?? `${name}: no workflow`, weight: 3 };
  const offer = offerCancel(workflow, { ...place, other: null, busyWith: null }, [hit]);
  return {
    ...offer,
    title: texts.cancelNowTitle(workflow.name, other?.name ?? name),
    effects: [victim, texts.cancelQueued(place.number), ...restOf(workflow, place)],
    verb: texts.cancelNowVerb,
    typed: other?.name ?? name,
  };
}

function restOf(workflow: Workflow, { number }: Place): string[] {
  const rest = workflow.steps.length - number;
  return rest > 0 ? [texts.cancelRest(rest)] : [];
}

function offerCancel(workflow: Workflow, place: Place, others: readonly Hit[]): Offer {
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
  if (!working && !ownRest && isUnderWay(workflow))
    effects.push(texts.betweenSteps(number, gets ? texts.mayEnd : texts.mayGoOn));
  effects.push(...restOf(workflow, place));
  const hits = [own(isUnderWay(workflow) ? (gets ? 3 : 2) : 1), ...others];
  return {
    allowed: true,
    title: texts.cancelTitle(workflow.name),
    effects,
    hits,
    verb: texts.cancelVerb,
    dangerous: true,
  };
}

/** `index` counts from 0; a completed workflow starts at its first step whatever is asked for. */
export function decideRetry(workflow: Workflow, index: number): Decision {
  if (!hasEnded(workflow)) return no(texts.notEnded);
  const completed = workflowState(workflow) === 'completed';
  const from = completed ? 0 : index;
  const step = workflow.steps[from];
  if (step === undefined) return no(texts.noSteps);
  const effects = [completed ? texts.retryFirst : texts.retryFrom(from + 1, stepName(step, from))];
  const done = countDone(workflow, from);
  if (done > 0) effects.push(texts.retryWorld(done));
  if (from > done) effects.push(texts.retrySkips(from - done));
  effects.push(texts.retryOld);
  return {
    allowed: true,
    title: texts.retryTitle(workflow.name),
    effects,
    hits: [{ whom: `step ${from + 1}`, weight: completed ? 2 : 1 }],
    verb: texts.retryVerb,
    dangerous: false,
  };
}

/**
 * Always a new submission of the same definition, never MADSci's own resubmit, which loses the owner and the files.
 * `submitPage`: files have to be chosen again, or the definition isn't known, so the submit page does it.
 */
export function decideResubmit(workflow: Workflow): Decision & { readonly submitPage: boolean } {
  const files = (workflow.parameters?.file_inputs ?? []).map(({ key }) => key);
  const known = typeof workflow.workflow_definition_id === 'string' && workflow.workflow_definition_id !== '';
  const effects: string[] = [texts.resubmitNew, texts.resubmitKept];
  if (files.length > 0) effects.push(texts.resubmitFiles(files.join(', ')));
  else if (!known) effects.push(texts.resubmitNoDefinition);
  const submitPage = files.length > 0 || !known;
  return {
    allowed: true,
    title: texts.resubmitTitle(workflow.name),
    effects,
    hits: [own(1)],
    verb: submitPage ? texts.toSubmitPage : texts.resubmitVerb,
    dangerous: false,
    submitPage,
  };
}
