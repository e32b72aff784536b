/**
 * Decides which actions are safe for a workflow in its state. The workcell manager has no guards: pause, resume and
 * cancel also command the node of the current step, even if that node is working for another workflow. Source: MADSci
 * 0.8.1, workcell manager (verified by `e2e/interop/behaviour/workflowTraps.test.ts`).
 */
import type { Workflow } from '#api/managers/workflow.ts';
import type { Decision, LabSnapshot } from './decision.ts';
import {
  isInProgress,
  notOffered,
  findObstacle,
  ownImpact,
  findCurrentStep,
  queueImpact,
  supportsCommand,
} from './currentStep.ts';
import { guardTexts as texts } from './texts.ts';
import { countDone, currentStep, hasEnded, isBuiltIn, isWaiting, stepName } from '../workcell/workflowState.ts';

/** Returns the number of other queued workflows whose next step needs the node. */
function countWaitingFor(name: string, workflow: Workflow, { workflows }: LabSnapshot): number {
  return workflows.filter(
    (candidate) =>
      candidate.workflow_id !== workflow.workflow_id && isWaiting(candidate) && currentStep(candidate)?.node === name,
  ).length;
}

export function decidePause(workflow: Workflow, lab: LabSnapshot): Decision {
  if (hasEnded(workflow)) return notOffered(texts.ended(currentStep(workflow)?.node ?? ''));
  if (workflow.status.paused) return notOffered('It is paused already.');
  const current = findCurrentStep(workflow, lab);
  if (current === null) return notOffered(texts.noSteps);
  const { step, number, name, node, busyWith } = current;
  if (isBuiltIn(step))
    return notOffered(
      `Its current step is the workcell manager’s own (${step.action ?? ''}), which MADSci can’t pause. Wait until that step is over.`,
    );
  const obstacle = findObstacle(current, 'pause');
  if (obstacle !== null) return obstacle;
  const running = workflow.status.running;
  const next = workflow.steps[number];
  if (running && next !== undefined && isBuiltIn(next))
    return notOffered(
      `Step ${number + 1}, the next one, is the workcell manager’s own (${next.action ?? ''}). If the current step ended while paused, the workflow could never be resumed, cancelled or tried again.`,
    );
  const isSupported = supportsCommand(node, 'pause');
  const isBetweenSteps = !running && busyWith !== 'own step' && isInProgress(workflow);
  const waitingCount = running || !isSupported || busyWith === 'own step' ? 0 : countWaitingFor(name, workflow, lab);
  const effects: string[] = [];
  if (!isSupported) {
    effects.push(
      running
        ? `${name} can’t be paused: it finishes step ${number}, and no step is started after it.`
        : `Step ${number} is not started until the workflow is resumed.`,
    );
  } else if (running) effects.push(`${name} gets the pause command and holds step ${number}.`);
  else if (busyWith === 'own step') effects.push(texts.ownStepBusy(name, 'pause'));
  else effects.push(texts.pauseIdleNode(name, waitingCount));
  if (running) effects.push(`On resume, step ${number} is started again from its beginning.`);
  if (isBetweenSteps)
    effects.push(
      texts.betweenSteps(
        number,
        isSupported ? 'that step is held, and on resume started again from its beginning' : texts.nodeMayFinish,
      ),
    );
  // For a workflow in progress, the impact is the same during a step and between two steps.
  const impacts = [
    ownImpact(isInProgress(workflow) ? (isSupported ? 3 : 2) : isSupported ? 1 : 0),
    ...(waitingCount > 0 ? [queueImpact] : []),
  ];
  return {
    allowed: true,
    title: `Pause “${workflow.name}”?`,
    effects,
    impacts,
    verb: texts.pauseVerb,
    dangerous: false,
  };
}

export function decideResume(workflow: Workflow, lab: LabSnapshot): Decision {
  if (hasEnded(workflow)) return notOffered(texts.alreadyEnded);
  if (!workflow.status.paused) return notOffered('It is not paused.');
  const current = findCurrentStep(workflow, lab);
  if (current === null) return notOffered(texts.noSteps);
  const { step, number, name, node, other } = current;
  if (isBuiltIn(step))
    return notOffered(
      `It is paused at a step of the workcell manager itself (${step.action ?? ''}); MADSci can’t resume that. Submit it again instead.`,
    );
  const obstacle = findObstacle(current, 'resume');
  if (obstacle !== null) return obstacle;
  // A node that doesn't support pausing has continued the step; a second start would collide with the first.
  if (other === null && node?.status?.busy === true && !node.status.paused)
    return notOffered(
      `${name} is still working on this step. Resuming now would start the step a second time while it runs; wait until the node is free.`,
    );
  const hasStarted = step.start_time !== null && step.start_time !== undefined;
  const effects = [
    ...(supportsCommand(node, 'resume') ? [`${name} gets the resume command.`] : []),
    hasStarted
      ? `Step ${number} is started again from its beginning on ${name}, although it had already started there: what it did so far is done twice.`
      : `Step ${number} is started on ${name} as soon as the node is ready.`,
  ];
  return {
    allowed: true,
    title: `Resume “${workflow.name}”?`,
    effects,
    impacts: [ownImpact(hasStarted ? 2 : 1)],
    verb: 'Resume workflow',
    dangerous: hasStarted,
  };
}

/** `index` counts from 0; a completed workflow always restarts at its first step. */
export function decideRetry(workflow: Workflow, index: number): Decision {
  if (!hasEnded(workflow)) return notOffered('It has not ended: only a workflow that has ended can be tried again.');
  const { completed } = workflow.status;
  const firstIndex = completed ? 0 : index;
  const step = workflow.steps[firstIndex];
  if (step === undefined) return notOffered(texts.noSteps);
  const effects = [
    completed
      ? 'It is complete, so MADSci starts it again at its first step, with the same values and files.'
      : `It starts again at step ${firstIndex + 1}, ${stepName(step, firstIndex)}, with the same values and files.`,
  ];
  const doneCount = countDone(workflow, firstIndex);
  if (doneCount > 0) effects.push(texts.retryLabState(doneCount));
  if (firstIndex > doneCount) effects.push(texts.retrySkips(firstIndex - doneCount));
  effects.push('Earlier results and the time of its end stay on record until the steps are done again.');
  return {
    allowed: true,
    title: `Try “${workflow.name}” again?`,
    effects,
    impacts: [{ target: `step ${firstIndex + 1}`, severity: completed ? 2 : 1 }],
    verb: 'Retry workflow',
    dangerous: false,
  };
}

/**
 * Always a new submission of the same steps, never MADSci's own resubmit, which loses the owner and the files.
 * `needsSubmitPage`: files have to be chosen again, or the definition isn't known, so the submit page handles it.
 */
export function decideResubmit(workflow: Workflow): Decision & { readonly needsSubmitPage: boolean } {
  const files = (workflow.parameters?.file_inputs ?? []).map(({ key }) => key);
  const hasDefinition = workflow.step_definitions?.length === workflow.steps.length;
  const effects: string[] = [
    'A new workflow with the same definition and the same values is put into the queue.',
    'It stays with the same experiment and owner (MADSci’s own resubmit would lose them).',
  ];
  if (files.length > 0)
    effects.push(`It needs ${files.join(', ')}: MADSci does not copy files, so select them again on the submit page.`);
  else if (!hasDefinition)
    effects.push(
      'The workcell manager does not report which definition it came from, so it is opened on the submit page.',
    );
  const needsSubmitPage = files.length > 0 || !hasDefinition;
  return {
    allowed: true,
    title: `Submit “${workflow.name}” again?`,
    effects,
    impacts: [ownImpact(1)],
    verb: needsSubmitPage ? 'Open on the submit page' : 'Submit again',
    dangerous: false,
    needsSubmitPage,
  };
}
