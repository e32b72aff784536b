/** Steps without a node: the manager's own actions. Such a step stays `not_started` until it ends. */
import type { JsonObject } from '../../api/client/wire.ts';
import { every } from '../life/clock.ts';
import { Refusal } from '../serving/handling.ts';
import { readDefinition } from './definition.ts';
import { StartError } from './parameters.ts';
import { isTerminal, type Run, type Step } from './run.ts';
import { submit } from './start.ts';
import type { WorkcellState } from './state.ts';
import type { LabLocation } from './surroundings.ts';
import { endStep, ownResult } from './stepEnd.ts';

function succeed(state: WorkcellState, run: Run, step: Step, json: unknown): void {
  step.status = 'succeeded';
  step.result = ownResult(state, { status: 'succeeded', json_result: json });
  endStep(state, run, step);
}

function fail(state: WorkcellState, run: Run, step: Step, message: string, type: string): void {
  step.status = 'failed';
  step.result = ownResult(state, { status: 'failed', errors: [state.error(message, type)] });
  endStep(state, run, step);
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** The location where a resource lies, itself or in what the location holds. */
function locationOf(state: WorkcellState, resourceId: string): LabLocation | undefined {
  const { adapters } = state.parts;
  const parent = text(adapters.resource(resourceId)?.['parent_id']);
  return adapters.locations().find(({ resourceId: held }) => held !== null && (held === resourceId || held === parent));
}

/** Runs the planned workflow as a child and waits for its end. */
function carry(state: WorkcellState, run: Run, step: Step, from: LabLocation, to: LabLocation): void {
  const { clock, adapters, random } = state.parts;
  const began = clock.now();
  let child: Run;
  try {
    const plan: JsonObject = adapters.plan(from.id, to.id);
    const definition = readDefinition(plan, () => random.ulid());
    state.definitions.set(definition.workflow_definition_id, definition);
    child = submit(state, definition, { values: {}, filePaths: {}, files: [], ownership: run.ownership });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof StartError)) throw error;
    fail(state, run, step, `Transfer failed: ${error.message}`, 'TransferError');
    return;
  }
  const facts = { workflow_id: child.id, source_location_id: from.id, target_location_id: to.id };
  if (step.filled.args['await_completion'] === false) {
    succeed(state, run, step, { message: `Transfer started from ${from.name} to ${to.name}`, ...facts });
    return;
  }
  const stop = every(clock, 1000, () => {
    if (!isTerminal(child)) return;
    stop();
    if (!child.flags.completed) {
      const why = `Transfer workflow ${child.id} ${child.flags.cancelled ? 'was cancelled' : 'failed'}`;
      fail(state, run, step, why, 'TransferError');
      return;
    }
    const { workflow_id, ...ids } = facts;
    succeed(state, run, step, {
      message: `Transfer completed from ${from.name} to ${to.name}`,
      workflow_id,
      execution_time: ((child.ended ?? clock.now()) - (child.started ?? began)) / 1000,
      ...ids,
    });
  });
}

export function startBuiltInStep(state: WorkcellState, run: Run, step: Step): void {
  const { args, action } = step.filled;
  const { adapters } = state.parts;
  if (action === 'wait') {
    const seconds = typeof args['seconds'] === 'number' ? args['seconds'] : 0;
    state.parts.clock.after(seconds * 1000, () => succeed(state, run, step, null));
    return;
  }
  const resource = action === 'transfer_resource' ? text(args['resource_id']) : null;
  const from = resource === null ? adapters.location(text(args['source'])) : locationOf(state, resource);
  const to = adapters.location(text(args['target']));
  if (from === undefined || to === undefined) {
    const missing = from === undefined ? (resource ?? text(args['source'])) : text(args['target']);
    fail(state, run, step, `Location of '${missing}' not found`, 'TransferError');
    return;
  }
  carry(state, run, step, from, to);
}
