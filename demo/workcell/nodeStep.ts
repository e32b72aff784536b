/** A step on a node: files go up, the action starts, and its result is asked for at growing intervals. */
import type { ActionResult } from '../../api/managers/action.ts';
import { Refusal } from '../base/handling.ts';
import type { DemoNode } from '../nodes/node.ts';
import { StartError, withLocations, withValues } from './parameters.ts';
import type { Run, Step } from './run.ts';
import type { NodeRecord, WorkcellState } from './state.ts';
import { endStep, ownResult, takeResult } from './stepEnd.ts';

/** What the way there and back takes when an action ends at once: real steps need half a second. */
const roundTrip = 500;

const isEnd = (result: ActionResult) =>
  ['succeeded', 'failed', 'cancelled', 'not_ready', 'unknown'].includes(result.status);

/** Puts the files on the node's action; the key where a file isn't known. */
function sendFiles(state: WorkcellState, run: Run, step: Step, node: DemoNode, actionId: string): string | null {
  for (const [argument, key] of Object.entries(step.filled.files)) {
    const file = state.parts.adapters.file(run.fileIds[key] ?? '');
    if (file === undefined) return key;
    node.upload(step.filled.action ?? '', actionId, argument, [file]);
  }
  return null;
}

/** Where the manager keeps each file meanwhile, with the ending of the original one. */
function filePaths(state: WorkcellState, run: Run, step: Step): Record<string, string> {
  const entries = Object.entries(step.filled.files).map(([argument, key]) => {
    const ending = /\.[^./\\]+$/.exec(run.filePaths[key] ?? '')?.[0] ?? '';
    return [argument, `/tmp/tmp${state.parts.random.ulid().slice(-8).toLowerCase()}${ending}`];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

function begin(state: WorkcellState, run: Run, step: Step, node: DemoNode): ActionResult {
  const missing = Object.values(step.filled.files).find((key) => run.fileIds[key] === undefined);
  if (missing !== undefined) {
    // The file of a resubmitted workflow: it was not copied.
    return ownResult(state, { status: 'failed', errors: [state.error(`'${missing}'`, 'KeyError')], datapoints: {} });
  }
  step.filePaths = filePaths(state, run, step);
  const name = step.filled.action ?? '';
  try {
    const { action_id: id } = node.create(name, { ...step.filled.args, ...step.filled.locations });
    const lost = sendFiles(state, run, step, node, id);
    if (lost !== null) return ownResult(state, { status: 'failed', errors: [state.error(`'${lost}'`, 'KeyError')] });
    return node.start(name, id);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const why = `HTTP Error ${error.status}: ${error.message}`;
    return ownResult(state, { status: 'unknown', errors: [state.error(why, 'HTTPStatusError')] });
  }
}

/** Asks for the result of one action until it ends; three failures in a row are forgiven. */
function follow(state: WorkcellState, run: Run, step: Step, record: NodeRecord, actionId: string): void {
  const { clock } = state.parts;
  let interval = 1000;
  let failures = 0;
  const ask = () => {
    const node = state.reach(record);
    if (node === undefined) {
      failures += 1;
      if (failures <= 3) {
        clock.after(interval, ask);
        return;
      }
      const errors = [state.error('[Errno 111] Connection refused', 'ConnectError')];
      takeResult(state, run, step, ownResult(state, { action_id: actionId, status: 'unknown', errors }), undefined);
      endStep(state, run, step);
      return;
    }
    failures = 0;
    const result = node.result(actionId);
    takeResult(state, run, step, result, node);
    if (isEnd(result)) {
      endStep(state, run, step);
      return;
    }
    interval = Math.min(interval * 1.5, 10_000);
    clock.after(interval, ask);
  };
  clock.after(interval, ask);
}

/**
 * The step with the values and locations of this moment: a location that comes from a parameter is put in again as what
 * the parameter says, its name. One that is gone meanwhile fails the step.
 */
function fillAgain(state: WorkcellState, run: Run, step: Step): ActionResult | null {
  try {
    step.filled = withLocations(withValues(step.filled, run.values), state.parts.adapters, state.parts.name);
    return null;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return ownResult(state, { status: 'failed', errors: [state.error(error.message, 'ValueError')] });
  }
}

export function startNodeStep(state: WorkcellState, run: Run, step: Step): void {
  const unfit = fillAgain(state, run, step);
  const record = state.nodes.get(step.filled.node ?? '');
  const node = record === undefined ? undefined : state.reach(record);
  const refused = [state.error('[Errno 111] Connection refused', 'ConnectError')];
  const result =
    unfit ??
    (node === undefined ? ownResult(state, { status: 'unknown', errors: refused }) : begin(state, run, step, node));
  if (record !== undefined) record.locked = true;
  if (record === undefined || isEnd(result)) {
    state.parts.clock.after(roundTrip, () => {
      takeResult(state, run, step, result, node);
      endStep(state, run, step);
    });
    return;
  }
  takeResult(state, run, step, result, node);
  follow(state, run, step, record, result.action_id);
}
