/**
 * Pause, resume, cancel and retry. As in the real manager, pause and cancel don't check the workflow's status, and the first
 * three send a command to the node of the current step, even if that node runs another workflow or none.
 */
import { InternalFailure, ErrorResponse } from '../base/handlers.ts';
import { sendCommand } from './nodes.ts';
import { isTerminal, noFlags, type Run, type Step } from './run.ts';
import type { WorkcellState } from './state.ts';
import { managerResult } from './stepEnd.ts';

/** Returns the current step. A built-in step has no node, which raises an exception in the real manager. */
function currentStep(run: Run): Step {
  const step = run.steps[run.index];
  if (step === undefined || step.filled.node === null) throw new InternalFailure('the step has no node');
  return step;
}

/** Sends the command to the step's node, unless the node doesn't support it. */
async function sendStepCommand(state: WorkcellState, step: Step, command: string): Promise<void> {
  await sendCommand(state, step.filled.node ?? '', command);
}

export async function pause(state: WorkcellState, run: Run): Promise<void> {
  const step = currentStep(run);
  await sendStepCommand(state, step, 'pause');
  run.flags.paused = true;
  run.flags.running = false;
  step.status = 'paused';
  step.result = managerResult(state, { status: 'paused' });
  state.activate(run);
}

function requeue(state: WorkcellState, run: Run): void {
  Object.assign(run.flags, noFlags);
  state.activate(run);
  state.queue.push(run.id);
}

/** Queues the step again, even while its node still executes it. */
export async function resume(state: WorkcellState, run: Run): Promise<void> {
  if (!run.flags.paused) return;
  await sendStepCommand(state, currentStep(run), 'resume');
  requeue(state, run);
}

export async function cancel(state: WorkcellState, run: Run): Promise<void> {
  const step = currentStep(run);
  await sendStepCommand(state, step, 'cancel');
  const now = state.parts.clock.now();
  run.flags.cancelled = true;
  run.flags.running = false;
  step.status = 'cancelled';
  step.result = managerResult(state, { status: 'cancelled' });
  step.ended = now;
  step.duration = step.started === null ? null : now - step.started;
  run.ended = now;
  state.activate(run);
}

/**
 * Restarts from `index`, which isn't validated; if negative, restarts from the current step. A completed workflow
 * restarts from its first step.
 */
export function retry(state: WorkcellState, run: Run, index: number): void {
  if (!isTerminal(run)) throw new ErrorResponse(400, 'Workflow is not in a terminal state, cannot retry');
  if (run.flags.completed) run.index = 0;
  else if (index >= 0) run.index = index;
  requeue(state, run);
}
