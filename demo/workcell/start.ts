/** Starts workflows: fills parameter values and locations into their steps, and rejects requests with missing ones. */
import type { NodeInfo } from '../../api/managers/node.ts';
import type { JsonObject, OwnershipInfo } from '../../api/client/wire.ts';
import type { UploadedFile } from '../base/handlers.ts';
import { newStep, noFlags, type Definition, type Run, type StepDefinition } from './run.ts';
import type { LabView, WorkcellState } from './state.ts';
import { logStarted } from './eventLog.ts';

const textOr = (value: unknown, fallback: string | null) => (typeof value === 'string' ? value : fallback);

/** Fills the known values of parameters into a step; values that are not known yet are filled in by a later call. */
export function applyValues(step: StepDefinition, values: JsonObject): StepDefinition {
  const used = step.use_parameters;
  if (used === null) return step;
  const resolve = (key: string | null, fallback: string | null) =>
    key === null ? fallback : textOr(values[key], fallback);
  const withKnownValues = (map: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(map)
        .filter(([, key]) => Object.hasOwn(values, key))
        .map(([argument, key]) => [argument, values[key]]),
    );
  return {
    ...step,
    name: resolve(used.name, step.name),
    description: resolve(used.description, step.description),
    action: resolve(used.action, step.action),
    node: resolve(used.node, step.node),
    args: { ...step.args, ...withKnownValues(used.args) },
    locations: { ...step.locations, ...withKnownValues(used.locations) },
  };
}

/** The reason for an invalid start; the response prefixes `Error starting workflow: `. */
export class StartError extends Error {}

/**
 * Resolves each location to the representation for the step's node. Without one, the error has the text of the KeyError
 * in MADSci: the node's name in quotes.
 * @throws {StartError}
 */
export function resolveLocations(step: StepDefinition, lab: LabView, workcell: string): StepDefinition {
  const locations: JsonObject = {};
  for (const [argument, received] of Object.entries(step.locations)) {
    if (typeof received !== 'string') {
      locations[argument] = received;
      continue;
    }
    const location = lab.location(received);
    if (location === undefined) throw new StartError(`Location ${received} not found in Workcell '${workcell}'`);
    const node = step.node ?? '';
    if (!Object.hasOwn(location.representations, node)) throw new StartError(`'${node}'`);
    locations[argument] = {
      representation: location.representations[node],
      resource_id: location.resourceId,
      location_name: location.name,
      reservation: null,
    };
  }
  return { ...step, locations };
}

interface StartRequest {
  readonly values: JsonObject;
  readonly filePaths: Readonly<Record<string, string>>;
  readonly files: readonly UploadedFile[];
  readonly ownership: OwnershipInfo;
}

const builtIn = new Set(['wait', 'transfer', 'transfer_resource']);

function parameterValues(definition: Definition, request: StartRequest): JsonObject {
  const { json_inputs: inputs, feed_forward: feedForward, file_inputs: files } = definition.parameters;
  const received = feedForward.find(({ key }) => Object.hasOwn(request.values, key));
  if (received !== undefined) {
    throw new StartError(
      `${received.key} is a Feed Forward Value and will be calculated during execution, should not be provided`,
    );
  }
  const values: JsonObject = { ...request.values };
  for (const { key, default: fallback } of inputs) {
    if (Object.hasOwn(values, key)) continue;
    if (fallback === null) throw new StartError(`Required value ${key} not provided`);
    values[key] = fallback;
  }
  const file = files.find(({ key }) => !Object.hasOwn(request.filePaths, key));
  if (file !== undefined) throw new StartError(`Required file ${file.key} not provided`);
  return values;
}

/** Checks the action and its required arguments against the node's info, unless the info has not been read yet. */
function checkAction(step: StepDefinition, info: NodeInfo | null): void {
  const [name, node, actionName] = [step.name ?? 'None', step.node ?? '', step.action ?? ''];
  if (info === null) return;
  const action = info.actions[actionName];
  if (action === undefined) throw new StartError(`Step '${name}': Node ${node} has no action '${actionName}'`);
  const parameters = step.use_parameters;
  const kinds = [
    ['arg', action.args, { ...step.args, ...parameters?.args }],
    ['location', action.locations ?? {}, { ...step.locations, ...parameters?.locations }],
    ['file', action.files ?? {}, step.files],
  ] as const;
  for (const [kind, declared, received] of kinds) {
    const missing = Object.values(declared).find(
      (argument) => argument.required && !Object.hasOwn(received, argument.name),
    );
    if (missing === undefined) continue;
    throw new StartError(
      `Step '${name}': Node ${node}'s action, '${actionName}', is missing ${kind} '${missing.name}'`,
    );
  }
}

function prepareStep(state: WorkcellState, step: StepDefinition, values: JsonObject): StepDefinition {
  const filled = applyValues(step, values);
  if (filled.node === null) {
    if (filled.action !== null && builtIn.has(filled.action)) return filled;
    const name = filled.name ?? 'None';
    throw new StartError(`Step '${name}': No internal workcell action matching '${filled.action ?? 'None'}'`);
  }
  const record = state.nodes.get(filled.node);
  if (record === undefined) throw new StartError(`Node ${filled.node} not in Workcell ${state.parts.name}`);
  const resolved = resolveLocations(filled, state.parts.lab, state.parts.name);
  checkAction(resolved, record.info);
  return resolved;
}

/**
 * Builds the workflow and puts it into the queue.
 * @throws {StartError} if the request is invalid
 */
export function submit(state: WorkcellState, definition: Definition, request: StartRequest): Run {
  const { random, lab, identity } = state.parts;
  const values = parameterValues(definition, request);
  const steps = definition.steps.map((step) => prepareStep(state, step, values));
  const id = random.ulid();
  const ownership = { ...request.ownership, ...identity.ownership };
  const fileIds: Record<string, string> = {};
  for (const { key } of definition.parameters.file_inputs) {
    const file = request.files.find(({ filename }) => filename === key);
    if (file === undefined) throw new StartError(`Missing file: ${key}`);
    fileIds[key] = lab.addFile(key, file, { ...ownership, workflow_id: id });
  }
  return enqueue(state, {
    id,
    definition,
    steps: steps.map((step) => newStep(step, random.ulid())),
    ownership,
    values,
    filePaths: { ...request.filePaths },
    fileIds,
  });
}

type NewRun = Omit<Run, 'flags' | 'index' | 'scheduler' | 'submitted' | 'started' | 'ended'>;

function enqueue(state: WorkcellState, newRun: NewRun): Run {
  const run: Run = {
    ...newRun,
    flags: { ...noFlags },
    index: 0,
    scheduler: { ready: false, priority: 0, reasons: [] },
    submitted: state.parts.clock.now(),
    started: null,
    ended: null,
  };
  state.activate(run);
  state.queue.push(run.id);
  logStarted(state, run);
  return run;
}
