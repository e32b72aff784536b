/**
 * Steps without a node: the manager's built-in actions. The manager reports nothing about such a step before it ends,
 * not even its start.
 */
import type { ActionResult } from '../../api/managers/action.ts';
import type { JsonObject } from '../../api/client/wire.ts';
import { every } from '../base/clock.ts';
import { ErrorResponse } from '../base/handlers.ts';
import { readDefinition } from './definition.ts';
import { isTerminal, type Run, type Step } from './run.ts';
import { StartError, submit } from './start.ts';
import type { LabLocation, WorkcellState } from './state.ts';
import { endStep, managerResult } from './stepEnd.ts';
import { toNumber } from '../../api/exactJson.ts';

interface StartedStep {
  readonly state: WorkcellState;
  readonly run: Run;
  readonly step: Step;
  /** ms since the epoch. */
  readonly startedAt: number;
}

function completeStep({ state, run, step, startedAt }: StartedStep, json: unknown): void {
  step.started = startedAt;
  step.status = 'succeeded';
  step.result = managerResult(state, { status: 'succeeded', json_result: json });
  endStep(state, run, step);
}

function failStep({ state, run, step, startedAt }: StartedStep, message: string): void {
  step.started = startedAt;
  step.status = 'failed';
  step.result = managerResult(state, { status: 'failed', errors: [state.error(message, null)] });
  endStep(state, run, step);
}

const asString = (value: unknown) => (typeof value === 'string' ? value : '');

/** Returns the location whose resource is this one or its parent. */
function findLocation(state: WorkcellState, resourceId: string): LabLocation | undefined {
  const { lab } = state.parts;
  const parent = asString(lab.resource(resourceId)?.['parent_id']);
  return lab
    .locations()
    .find(({ resourceId: content }) => content !== null && (content === resourceId || content === parent));
}

/** Returns the real client's message about a failed or cancelled child; a failed step's result is a Python repr. */
function childFailureText(child: Run): string {
  const step = child.steps[child.index];
  const head = `Workflow ${child.definition.name} (${child.id})`;
  const at = `on step ${child.index}: '${step?.filled.name ?? 'None'}'`;
  return child.flags.failed
    ? `${head} failed ${at} with result:\n ${resultRepr(step?.result ?? null)}.`
    : `${head} was cancelled ${at}.`;
}

function resultRepr(result: ActionResult | null): string {
  if (result === null) return 'None';
  const errors = (result.errors ?? []).map(
    ({ message, error_type: type }) => `Error(message='${message ?? ''}', error_type='${type ?? ''}')`,
  );
  return `action_id='${result.action_id}' status=<ActionStatus.${result.status.toUpperCase()}: '${result.status}'> errors=[${errors.join(', ')}] json_result=None files=None`;
}

/** The real manager's polling interval for its child, in ms. */
const pollIntervalMs = 2000;

/** Runs the planned workflow as a child, without an owner; waits for its end unless `await_completion` is false. */
function runTransfer(started: StartedStep, from: LabLocation, to: LabLocation): void {
  const { state, step, startedAt } = started;
  const { clock, lab, random } = state.parts;
  const { args } = step.filled;
  let child: Run;
  try {
    const plan: JsonObject = lab.plan(from.id, to.id);
    const definition = readDefinition(plan, () => random.ulid());
    state.definitions.set(definition.workflow_definition_id, definition);
    child = submit(state, definition, { values: {}, filePaths: {}, files: [], ownership: {} });
  } catch (error) {
    if (!(error instanceof ErrorResponse || error instanceof StartError)) throw error;
    failStep(started, `Unexpected error in transfer: ${error.message}`);
    return;
  }
  const path = `from ${asString(args['source']) || from.id} to ${asString(args['target'])}`;
  const ids = { workflow_id: child.id, source_location_id: from.id, target_location_id: to.id };
  if (args['await_completion'] === false) {
    completeStep(started, { message: `Transfer workflow enqueued ${path}`, ...ids });
    return;
  }
  const stop = every(clock, pollIntervalMs, () => {
    if (!isTerminal(child)) return;
    stop();
    if (!child.flags.completed) {
      failStep(started, `Transfer workflow failed during execution: ${childFailureText(child)}`);
      return;
    }
    const { workflow_id, ...locationIds } = ids;
    completeStep(started, {
      message: `Transfer completed ${path}`,
      workflow_id,
      execution_time: ((child.ended ?? clock.now()) - (child.started ?? startedAt)) / 1000,
      ...locationIds,
    });
  });
}

export function startBuiltInStep(state: WorkcellState, run: Run, step: Step): void {
  const { args, action } = step.filled;
  const { lab, clock } = state.parts;
  const started: StartedStep = { state, run, step, startedAt: clock.now() };
  if (action === 'wait') {
    const seconds = toNumber(args['seconds']);
    if (seconds === null || seconds < 0) {
      // The error messages of Python's `time.sleep`.
      const isNumber = seconds !== null;
      failStep(started, isNumber ? 'sleep length must be non-negative' : 'an integer or float is required');
      return;
    }
    clock.after(seconds * 1000, () => completeStep(started, null));
    return;
  }
  const resource = action === 'transfer_resource' ? asString(args['resource_id']) : null;
  const from = resource === null ? lab.location(asString(args['source'])) : findLocation(state, resource);
  const to = lab.location(asString(args['target']));
  if (from === undefined && resource !== null) failStep(started, `Resource '${resource}' not found at any location`);
  else if (from === undefined || to === undefined) {
    const missing = from === undefined ? asString(args['source']) : asString(args['target']);
    failStep(started, `Unexpected error in transfer: Location '${missing}' not found by ID or name`);
  } else runTransfer(started, from, to);
}
