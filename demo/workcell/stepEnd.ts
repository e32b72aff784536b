/** Applies a result to its step, and the end of a step to its workflow. */
import type { ActionResult } from '../../api/managers/action.ts';
import type { OwnershipInfo } from '../../api/client/wire.ts';
import type { DemoNode } from '../nodes/node.ts';
import { applyValues } from './start.ts';
import { isTerminal, type Run, type Step } from './run.ts';
import type { WorkcellState } from './state.ts';
import { endEntries, logStepEnded } from './eventLog.ts';

/** Returns a result created by the manager itself. */
export function managerResult(
  state: WorkcellState,
  part: Partial<ActionResult> & Pick<ActionResult, 'status'>,
): ActionResult {
  return {
    action_id: state.parts.random.ulid(),
    errors: [],
    json_result: null,
    files: null,
    datapoints: null,
    history_created_at: state.parts.clock.zoned(),
    ...part,
  };
}

/** Stores the action's results in the data manager; the workflow stores only the IDs, by label. */
function storeResults(
  state: WorkcellState,
  run: Run,
  step: Step,
  result: ActionResult,
  node: DemoNode | undefined,
): Record<string, string> {
  const datapointIds: Record<string, string> = {};
  if (result.status !== 'succeeded') return datapointIds;
  const { lab } = state.parts;
  // The experiment is left out, because the workcell manager records it only in the workflow.
  const ownership: OwnershipInfo = {
    ...state.parts.identity.ownership,
    workflow_id: run.id,
    step_id: step.id,
    ...(node === undefined ? {} : { node_id: node.id }),
  };
  const label = (key: string) => step.filled.data_labels[key] ?? key;
  if (result.json_result !== null && result.json_result !== undefined) {
    datapointIds[label('json_result')] = lab.addJson(label('json_result'), result.json_result, ownership);
  }
  for (const [key, file] of Object.entries(node?.files(result.action_id) ?? {})) {
    datapointIds[label(key)] = lab.addFile(label(key), file, ownership);
  }
  return datapointIds;
}

/** Writes a node's result into the step, regardless of the workflow's status. */
export function applyResult(
  state: WorkcellState,
  run: Run,
  step: Step,
  received: ActionResult,
  node: DemoNode | undefined,
): void {
  const recorded = step.history.find(
    (entry) => entry.action_id === received.action_id && entry.status === received.status,
  );
  const result = recorded ?? {
    ...received,
    json_result: null,
    files: null,
    datapoints: storeResults(state, run, step, received, node),
  };
  if (recorded === undefined) step.history.push(result);
  step.result = result;
  step.status = received.status;
  step.lastUpdate = state.parts.clock.now();
}

/**
 * Sets the parameters of later steps to results of this one. Returns the error message if a label is missing from the
 * datapoints; `null` on success.
 */
function feedForward(state: WorkcellState, run: Run, step: Step, index: number): string | null {
  const datapoints = Object.entries(step.result?.datapoints ?? {});
  for (const parameter of run.definition.parameters.feed_forward) {
    if (parameter.step !== index && parameter.step !== step.filled.key) continue;
    const datapoint =
      parameter.label === null ? datapoints[0] : datapoints.find(([label]) => label === parameter.label);
    const id = datapoint?.[1];
    if (typeof id !== 'string') return `'${parameter.label ?? parameter.key}'`;
    if (parameter.parameter_type === 'feed_forward_file') run.fileIds[parameter.key] = id;
    else run.values[parameter.key] = state.parts.lab.json(id);
  }
  return null;
}

function advance(state: WorkcellState, run: Run, step: Step, index: number): void {
  const problem = feedForward(state, run, step, index);
  if (problem !== null) {
    step.status = 'failed';
    step.result = managerResult(state, { status: 'failed', errors: [state.error(problem, 'KeyError')] });
    run.flags.failed = true;
    run.ended = state.parts.clock.now();
  } else if (index + 1 >= run.steps.length) {
    run.flags.completed = true;
    run.ended = state.parts.clock.now();
  } else {
    run.index = index + 1;
    const next = run.steps[run.index];
    if (next !== undefined) next.filled = applyValues(next.filled, run.values);
  }
}

/** Updates the workflow after the last result of a step. A stale result changes only the step. */
export function endStep(state: WorkcellState, run: Run, step: Step): void {
  const now = state.parts.clock.now();
  const index = run.steps.indexOf(step);
  step.ended = now;
  if (isTerminal(run) || run.index !== index) return;
  run.flags.running = false;
  switch (step.status) {
    case 'succeeded':
      advance(state, run, step, index);
      break;
    case 'cancelled':
      run.flags.cancelled = true;
      run.ended = now;
      break;
    case 'paused':
      run.flags.paused = true;
      break;
    case 'not_ready':
      state.notBefore.set(run.id, now + 30_000);
      break;
    default:
      run.flags.failed = true;
      run.ended = now;
  }
  if (isTerminal(run)) for (const entry of endEntries(state, run)) state.parts.log(entry);
  logStepEnded(state, run, step);
}
