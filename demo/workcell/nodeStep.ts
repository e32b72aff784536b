/** A step on a node: the action starts with its files, and its result is polled at growing intervals. */
import type { ActionResult } from '../../api/managers/action.ts';
import { ErrorResponse, type UploadedFile } from '../base/handlers.ts';
import type { ActionFiles } from '../nodes/definition.ts';
import type { DemoNode } from '../nodes/node.ts';
import type { Run, Step } from './run.ts';
import { StartError, resolveLocations, applyValues } from './start.ts';
import type { NodeRecord, WorkcellState } from './state.ts';
import { endStep, managerResult, applyResult } from './stepEnd.ts';

/**
 * The minimum duration of a step in milliseconds, for an action that ends immediately: a real step takes half a second.
 */
const minStepMs = 500;

const isEnd = (result: ActionResult) =>
  ['succeeded', 'failed', 'cancelled', 'not_ready', 'unknown'].includes(result.status);

/** Returns the files of the step by argument, or the key of an unknown file, such as one that a retry has lost. */
function stepFiles(state: WorkcellState, run: Run, step: Step): ActionFiles | string {
  const files: Record<string, UploadedFile> = {};
  for (const [argument, key] of Object.entries(step.filled.files)) {
    const file = state.parts.lab.file(run.fileIds[key] ?? '');
    if (file === undefined) return key;
    files[argument] = file;
  }
  return files;
}

/** Returns the temporary path of each file, with the original's extension. */
function filePaths(state: WorkcellState, run: Run, step: Step): Record<string, string> {
  const entries = Object.entries(step.filled.files).map(([argument, key]) => {
    const extension = /\.[^./\\]+$/.exec(run.filePaths[key] ?? '')?.[0] ?? '';
    return [argument, `/tmp/tmp${state.parts.random.ulid().slice(-8).toLowerCase()}${extension}`];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

function startAction(state: WorkcellState, run: Run, step: Step, node: DemoNode): ActionResult {
  const files = stepFiles(state, run, step);
  if (typeof files === 'string') {
    return managerResult(state, { status: 'failed', errors: [state.error(`'${files}'`, 'KeyError')], datapoints: {} });
  }
  step.filePaths = filePaths(state, run, step);
  try {
    return node.start(step.filled.action ?? '', { ...step.filled.args, ...step.filled.locations }, files);
  } catch (error) {
    if (!(error instanceof ErrorResponse)) throw error;
    const reason = `HTTP Error ${error.status}: ${error.message}`;
    return managerResult(state, { status: 'unknown', errors: [state.error(reason, 'HTTPStatusError')] });
  }
}

/** Polls the result of one action until it ends; up to three failures in a row are tolerated. */
function pollResult(state: WorkcellState, run: Run, step: Step, record: NodeRecord, actionId: string): void {
  const { clock } = state.parts;
  let interval = 1000;
  let failures = 0;
  const poll = () => {
    const node = state.reach(record);
    if (node === undefined) {
      failures += 1;
      if (failures <= 3) {
        clock.after(interval, poll);
        return;
      }
      const errors = [state.error('[Errno 111] Connection refused', 'ConnectError')];
      applyResult(
        state,
        run,
        step,
        managerResult(state, { action_id: actionId, status: 'unknown', errors }),
        undefined,
      );
      endStep(state, run, step);
      return;
    }
    failures = 0;
    const result = node.result(actionId) ?? managerResult(state, { action_id: actionId, status: 'unknown' });
    applyResult(state, run, step, result, node);
    if (isEnd(result)) {
      endStep(state, run, step);
      return;
    }
    interval = Math.min(interval * 1.5, 10_000);
    clock.after(interval, poll);
  };
  clock.after(interval, poll);
}

/**
 * Fills the step with the current values and locations; locations from parameters are resolved again by name. Returns the
 * failed result if a location is missing, otherwise null.
 */
function refillStep(state: WorkcellState, run: Run, step: Step): ActionResult | null {
  try {
    step.filled = resolveLocations(applyValues(step.filled, run.values), state.parts.lab, state.parts.name);
    return null;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return managerResult(state, { status: 'failed', errors: [state.error(error.message, 'ValueError')] });
  }
}

export function startNodeStep(state: WorkcellState, run: Run, step: Step): void {
  const fillFailure = refillStep(state, run, step);
  const record = state.nodes.get(step.filled.node ?? '');
  const node = record === undefined ? undefined : state.reach(record);
  const connectErrors = [state.error('[Errno 111] Connection refused', 'ConnectError')];
  const result =
    fillFailure ??
    (node === undefined
      ? managerResult(state, { status: 'unknown', errors: connectErrors })
      : startAction(state, run, step, node));
  if (record !== undefined) record.locked = true;
  if (record === undefined || isEnd(result)) {
    state.parts.clock.after(minStepMs, () => {
      applyResult(state, run, step, result, node);
      endStep(state, run, step);
    });
    return;
  }
  applyResult(state, run, step, result, node);
  pollResult(state, run, step, record, result.action_id);
}
