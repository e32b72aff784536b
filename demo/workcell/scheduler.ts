/**
 * One scheduler tick: selects the workflows that may run, in order of submission, and starts the next step of the
 * first.
 */
import { startBuiltInStep } from './builtInStep.ts';
import { unmetReason } from './conditions.ts';
import { startNodeStep } from './nodeStep.ts';
import { isActive, isTerminal, type Run } from './run.ts';
import type { WorkcellState } from './state.ts';
import { logStepStarted } from './eventLog.ts';

function nodeReasons(state: WorkcellState, name: string): string[] {
  const record = state.nodes.get(name);
  if (record === undefined) return [`Node ${name} not found`];
  const reasons: string[] = [];
  if (record.status?.ready !== true) {
    reasons.push(`Node ${name} not ready: ${record.status?.description ?? 'Node status unknown'}`);
  }
  if (record.locked) reasons.push(`Node ${name} is locked by another action`);
  return reasons;
}

/** Returns the reasons why the next step can't start; empty if it can. */
function blockingReasons(state: WorkcellState, run: Run): string[] {
  const reasons: string[] = [];
  if (run.flags.running) reasons.push('Workflow is already running');
  if (run.flags.paused) reasons.push('Workflow is paused');
  const step = run.steps[run.index];
  // A retry can set any index.
  if (step === undefined) return [...reasons, 'Exception in scheduler: list index out of range'];
  const { node } = step.filled;
  for (const condition of step.filled.conditions) {
    const reason = unmetReason(condition, state.parts.lab);
    if (reason !== null) reasons.push(reason);
  }
  if (node !== null) reasons.push(...nodeReasons(state, node));
  const notBefore = state.notBefore.get(run.id);
  if (notBefore !== undefined && state.parts.clock.now() < notBefore) {
    reasons.push(`Waiting for Node ${node ?? ''} to be ready`);
  }
  return reasons;
}

function startStep(state: WorkcellState, run: Run): void {
  const step = run.steps[run.index];
  if (step === undefined) return;
  const now = state.parts.clock.now();
  run.flags.running = true;
  run.flags.hasStarted = true;
  if (run.index === 0 || run.started === null) run.started = now;
  if (step.filled.node !== null) step.started = now;
  logStepStarted(state, run, step);
  if (step.filled.node === null) startBuiltInStep(state, run, step);
  else startNodeStep(state, run, step);
}

export function tick(state: WorkcellState): void {
  state.queue = state.queue.filter((id) => {
    const run = state.active.get(id);
    return run !== undefined && isActive(run);
  });
  for (const run of [...state.active.values()].filter(isTerminal)) state.archive(run);

  const queued = [...new Set(state.queue)]
    .map((id) => state.active.get(id))
    .filter((run) => run !== undefined)
    .toSorted((a, b) => a.submitted - b.submitted);
  for (const [position, run] of queued.entries()) {
    // A workflow without steps completes immediately, without start and end times.
    if (run.steps.length === 0) run.flags.completed = true;
    const reasons = blockingReasons(state, run);
    run.scheduler = { ready: reasons.length === 0, priority: position === 0 ? 0 : -position, reasons };
  }
  if (state.errored) return;
  const next = queued.find((run) => run.scheduler.ready && !isTerminal(run));
  if (next !== undefined) startStep(state, next);
}
