/** Reads a workflow definition in the spelling that pages send: unknown keys are dropped, contradictions are rejected. */
import { isObject, type JsonObject } from '../../api/client/wire.ts';
import type { Condition } from '../../api/condition.ts';
import { unprocessable } from '../base/reading.ts';
import type { Definition, Parameters, StepDefinition, UsedParameters } from './run.ts';

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.map(objectOf) : []);
const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Returns the entries whose values are texts. */
const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(objectOf(value)).filter((entry): entry is [string, string] => !!textOr(entry[1])));

function refuse(message: string): never {
  throw unprocessable(['body'], message);
}

function requireField(received: JsonObject, name: string, where: string): string {
  const text = textOr(received[name]);
  if (text === null) throw unprocessable(['body', where, name], 'Field required');
  return text;
}

function readParameters(received: JsonObject): Parameters {
  const keyAndText = (item: JsonObject) => ({
    key: requireField(item, 'key', 'parameters'),
    description: textOr(item['description']),
  });
  return {
    json_inputs: listOf(received['json_inputs']).map((item) => ({
      ...keyAndText(item),
      parameter_type: 'json_input',
      default: item['default'] ?? null,
    })),
    file_inputs: listOf(received['file_inputs']).map((item) => ({ ...keyAndText(item), parameter_type: 'file_input' })),
    feed_forward: listOf(received['feed_forward']).map((item) => {
      const isFile = item['parameter_type'] === 'feed_forward_file' || item['data_type'] === 'file';
      return {
        ...keyAndText(item),
        parameter_type: isFile ? 'feed_forward_file' : 'feed_forward_json',
        step: typeof item['step'] === 'number' ? item['step'] : requireField(item, 'step', 'parameters'),
        label: textOr(item['label']),
        data_type: textOr(item['data_type']) ?? (isFile ? 'file' : 'json'),
      };
    }),
  };
}

function readUsed(received: unknown): UsedParameters | null {
  if (!isObject(received)) return null;
  return {
    name: textOr(received['name']),
    description: textOr(received['description']),
    action: textOr(received['action']),
    node: textOr(received['node']),
    args: textsOf(received['args']),
    locations: textsOf(received['locations']),
  };
}

function readStep(received: JsonObject): StepDefinition {
  const step: StepDefinition = {
    name: textOr(received['name']),
    key: textOr(received['key']),
    description: textOr(received['description']),
    action: textOr(received['action']),
    node: textOr(received['node']),
    args: objectOf(received['args']),
    files: textsOf(received['files']),
    locations: objectOf(received['locations']),
    conditions: (Array.isArray(received['conditions']) ? received['conditions'] : []) as readonly Condition[],
    data_labels: textsOf(received['data_labels']),
    use_parameters: readUsed(received['use_parameters']),
  };
  if (step.action !== null || (step.use_parameters?.action ?? null) !== null) return step;
  return refuse(`Step ${step.name ?? 'None'} must have either an action or action parameter`);
}

function check(steps: readonly StepDefinition[], { json_inputs, file_inputs, feed_forward }: Parameters): void {
  const stepKeys = steps.map(({ key }) => key).filter((key) => key !== null);
  if (new Set(stepKeys).size < stepKeys.length) refuse('Step keys must be unique across workflow');
  const inputs = [...json_inputs, ...file_inputs].map(({ key }) => key);
  if (new Set(inputs).size < inputs.length) refuse('Input value keys must be unique across workflow definition');
  const known = new Set([...inputs, ...feed_forward.map(({ key }) => key)]);
  for (const { name, files, use_parameters: used } of steps) {
    const keys = [files, used?.args ?? {}, used?.locations ?? {}].flatMap((references) => Object.values(references));
    const unknown = keys.find((key) => !known.has(key));
    if (unknown !== undefined) refuse(`Step ${name ?? 'None'}: Parameter ${unknown} not found in workflow parameters`);
  }
}

/** `newId` generates the ID if the client sends none. */
export function readDefinition(body: unknown, newId: () => string): Definition {
  const received = objectOf(body);
  const name = requireField(received, 'name', 'definition');
  const parameters = readParameters(objectOf(received['parameters']));
  const steps = listOf(received['steps']).map(readStep);
  check(steps, parameters);
  const metadata = objectOf(received['definition_metadata']);
  return {
    name,
    workflow_definition_id: textOr(received['workflow_definition_id']) ?? newId(),
    definition_metadata: { author: null, description: null, version: '', ownership_info: null, ...metadata },
    parameters,
    steps,
  };
}
