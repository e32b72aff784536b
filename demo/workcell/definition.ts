/** Reads a workflow definition from a request: unknown keys are dropped, contradictions are rejected. */
import { isObject, type JsonObject } from '../../api/client/wire.ts';
import type { Condition } from '../../api/resourceCondition.ts';
import { unprocessable } from '../base/parseRequest.ts';
import type { StepParameters } from '../../api/managers/workflowDefinition.ts';
import type { Definition, Parameters, StepDefinition } from './run.ts';

const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
const toObjects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.map(toObject) : []);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Returns the entries whose values are non-empty strings. */
const toTexts = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(toObject(value)).filter((entry): entry is [string, string] => !!textOrNull(entry[1])),
  );

function reject(message: string): never {
  throw unprocessable(['body'], message);
}

function requireField(received: JsonObject, name: string, where: string): string {
  const text = textOrNull(received[name]);
  if (text === null) throw unprocessable(['body', where, name], 'Field required');
  return text;
}

function readParameters(received: JsonObject): Parameters {
  const keyAndDescription = (item: JsonObject) => ({
    key: requireField(item, 'key', 'parameters'),
    description: textOrNull(item['description']),
  });
  return {
    json_inputs: toObjects(received['json_inputs']).map((item) => ({
      ...keyAndDescription(item),
      parameter_type: 'json_input',
      default: item['default'] ?? null,
    })),
    file_inputs: toObjects(received['file_inputs']).map((item) => ({
      ...keyAndDescription(item),
      parameter_type: 'file_input',
    })),
    feed_forward: toObjects(received['feed_forward']).map((item) => {
      const isFile = item['parameter_type'] === 'feed_forward_file' || item['data_type'] === 'file';
      return {
        ...keyAndDescription(item),
        parameter_type: isFile ? 'feed_forward_file' : 'feed_forward_json',
        step: typeof item['step'] === 'number' ? item['step'] : requireField(item, 'step', 'parameters'),
        label: textOrNull(item['label']),
        data_type: textOrNull(item['data_type']) ?? (isFile ? 'file' : 'json'),
      };
    }),
  };
}

function readUsedParameters(received: unknown): StepParameters | null {
  if (!isObject(received)) return null;
  return {
    name: textOrNull(received['name']),
    description: textOrNull(received['description']),
    action: textOrNull(received['action']),
    node: textOrNull(received['node']),
    args: toTexts(received['args']),
    locations: toTexts(received['locations']),
  };
}

function readStep(received: JsonObject): StepDefinition {
  const step: StepDefinition = {
    name: textOrNull(received['name']),
    key: textOrNull(received['key']),
    description: textOrNull(received['description']),
    action: textOrNull(received['action']),
    node: textOrNull(received['node']),
    args: toObject(received['args']),
    files: toTexts(received['files']),
    locations: toObject(received['locations']),
    conditions: (Array.isArray(received['conditions']) ? received['conditions'] : []) as readonly Condition[],
    data_labels: toTexts(received['data_labels']),
    use_parameters: readUsedParameters(received['use_parameters']),
  };
  if (step.action !== null || (step.use_parameters?.action ?? null) !== null) return step;
  return reject(`Step ${step.name ?? 'None'} must have either an action or action parameter`);
}

function checkDefinition(
  steps: readonly StepDefinition[],
  { json_inputs, file_inputs, feed_forward }: Parameters,
): void {
  const stepKeys = steps.map(({ key }) => key).filter((key) => key !== null);
  if (new Set(stepKeys).size < stepKeys.length) reject('Step keys must be unique across workflow');
  const inputs = [...json_inputs, ...file_inputs].map(({ key }) => key);
  if (new Set(inputs).size < inputs.length) reject('Input value keys must be unique across workflow definition');
  const knownKeys = new Set([...inputs, ...feed_forward.map(({ key }) => key)]);
  for (const { name, files, use_parameters: parameters } of steps) {
    const keys = [files, parameters?.args ?? {}, parameters?.locations ?? {}].flatMap((references) =>
      Object.values(references),
    );
    const unknownKey = keys.find((key) => !knownKeys.has(key));
    if (unknownKey !== undefined)
      reject(`Step ${name ?? 'None'}: Parameter ${unknownKey} not found in workflow parameters`);
  }
}

/** @param newId generates an ID if the client sends none */
export function readDefinition(body: unknown, newId: () => string): Definition {
  const received = toObject(body);
  const name = requireField(received, 'name', 'definition');
  const parameters = readParameters(toObject(received['parameters']));
  const steps = toObjects(received['steps']).map(readStep);
  checkDefinition(steps, parameters);
  const metadata = toObject(received['definition_metadata']);
  return {
    name,
    workflow_definition_id: textOrNull(received['workflow_definition_id']) ?? newId(),
    definition_metadata: { author: null, description: null, version: '', ownership_info: null, ...metadata },
    parameters,
    steps,
  };
}
