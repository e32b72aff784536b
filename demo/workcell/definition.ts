/** Reads a workflow definition as the manager does: with all spellings of its keys, unknown keys dropped. */
import { isObject, type JsonObject } from '../../api/client/wire.ts';
import type { Condition } from '../../api/condition.ts';
import { Refusal } from '../base/handling.ts';
import type {
  Definition,
  FeedForward,
  FileInput,
  JsonInput,
  Parameters,
  StepDefinition,
  UsedParameters,
} from './run.ts';

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The first of some spellings of a key that is given. */
function first(of: JsonObject, ...keys: readonly string[]): unknown {
  return keys.map((key) => of[key]).find((value) => value !== undefined && value !== null);
}

function refuse(message: string, input: unknown): never {
  throw new Refusal(422, [
    { type: 'value_error', loc: ['body'], msg: `Value error, ${message}`, input, ctx: { error: {} } },
  ]);
}

function missing(loc: readonly (string | number)[], input: unknown): never {
  throw new Refusal(422, [{ type: 'missing', loc: ['body', ...loc], msg: 'Field required', input }]);
}

/** Collects parameters, those written in place of their key among them. */
class ParameterList {
  readonly jsonInputs: JsonInput[] = [];
  readonly fileInputs: FileInput[] = [];
  readonly feedForward: FeedForward[] = [];

  addJson(item: JsonObject): void {
    const description = textOr(item['description']);
    this.jsonInputs.push({
      key: keyOf(item),
      description,
      parameter_type: 'json_input',
      default: item['default'] ?? null,
    });
  }

  addFile(item: JsonObject): void {
    this.fileInputs.push({ key: keyOf(item), description: textOr(item['description']), parameter_type: 'file_input' });
  }

  addFeedForward(item: JsonObject): void {
    const { step } = item;
    const file = item['parameter_type'] === 'feed_forward_file' || item['data_type'] === 'file';
    this.feedForward.push({
      key: keyOf(item),
      description: textOr(item['description']),
      parameter_type: file ? 'feed_forward_file' : 'feed_forward_json',
      step:
        typeof step === 'number' || typeof step === 'string'
          ? step
          : missing(['parameters', 'feed_forward', 'step'], item),
      label: textOr(item['label']),
      data_type: textOr(item['data_type']) ?? (file ? 'file' : 'json'),
    });
  }

  /** An item of a flat list: it says its type itself, or is a `{name, type}`. */
  add(item: JsonObject): void {
    const type = textOr(first(item, 'parameter_type', 'type')) ?? '';
    if (type.startsWith('feed_forward')) this.addFeedForward(item);
    else if (['file_input', 'file', 'input_file'].includes(type)) this.addFile(item);
    else this.addJson(item);
  }

  /** The key of a reference; a parameter in its place joins the list. */
  key(reference: unknown): string | null {
    if (!isObject(reference)) return textOr(reference);
    this.add(reference);
    return keyOf(reference);
  }

  has(key: string): boolean {
    return [...this.jsonInputs, ...this.fileInputs, ...this.feedForward].some((known) => known.key === key);
  }
}

function keyOf(item: JsonObject): string {
  return textOr(first(item, 'key', 'name')) ?? missing(['parameters', 'key'], item);
}

function readParameters(given: unknown): ParameterList {
  const list = new ParameterList();
  if (Array.isArray(given)) {
    for (const item of given) list.add(objectOf(item));
    return list;
  }
  const groups = objectOf(given);
  for (const item of listOf(first(groups, 'json_inputs', 'value_inputs', 'json', 'inputs')))
    list.addJson(objectOf(item));
  for (const item of listOf(first(groups, 'file_inputs', 'files'))) list.addFile(objectOf(item));
  for (const item of listOf(groups['feed_forward'])) list.addFeedForward(objectOf(item));
  return list;
}

/** References by argument, as keys. */
function references(given: unknown, list: ParameterList): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [argument, reference] of Object.entries(objectOf(given))) {
    const key = list.key(reference);
    if (key !== null) found[argument] = key;
  }
  return found;
}

function readUsed(given: unknown, list: ParameterList): UsedParameters | null {
  if (!isObject(given)) return null;
  return {
    name: list.key(given['name']),
    description: list.key(given['description']),
    action: list.key(given['action']),
    node: list.key(given['node']),
    args: references(first(given, 'args', 'arguments'), list),
    locations: references(given['locations'], list),
  };
}

function readStep(given: unknown, index: number, list: ParameterList): StepDefinition {
  if (!isObject(given)) return missing(['steps', index, 'name'], given);
  const used = readUsed(first(given, 'use_parameters', 'use_params', 'params', 'parameters'), list);
  const labels = Object.entries(objectOf(given['data_labels'])).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const step: StepDefinition = {
    name: textOr(given['name']),
    key: textOr(first(given, 'key', 'step_key')),
    description: textOr(given['description']),
    action: textOr(given['action']),
    node: textOr(given['node']),
    args: objectOf(first(given, 'args', 'arguments')),
    files: references(given['files'], list),
    locations: objectOf(first(given, 'locations', 'location_args', 'location_arguments')),
    conditions: listOf(given['conditions']) as readonly Condition[],
    data_labels: Object.fromEntries(labels),
    use_parameters: used,
  };
  if (step.action === null && used?.action === null) refuse(noAction(step), given);
  if (step.action === null && used === null) refuse(noAction(step), given);
  return step;
}

const noAction = (step: StepDefinition) =>
  `Step ${step.name ?? 'None'} (${step.key ?? 'None'}) must have either an action or action parameter`;

const repeated = (values: readonly (string | null)[]) => {
  const given = values.filter((value) => value !== null);
  return new Set(given).size < given.length;
};

function check(steps: readonly StepDefinition[], list: ParameterList, input: unknown): void {
  if (repeated(steps.map((step) => step.key))) refuse('Step keys must be unique across workflow', input);
  const keys = [...list.jsonInputs, ...list.fileInputs].map((parameter) => parameter.key);
  if (repeated(keys)) refuse('Input value keys must be unique across workflow definition', input);
  for (const step of steps) {
    const kinds = [
      ['Argument', Object.values(step.use_parameters?.args ?? {})],
      ['Location', Object.values(step.use_parameters?.locations ?? {})],
      ['File', Object.values(step.files)],
    ] as const;
    for (const [kind, used] of kinds) {
      const unknown = used.find((key) => !list.has(key));
      if (unknown === undefined) continue;
      refuse(`Step ${step.name ?? 'None'}: ${kind} Parameter ${unknown} not found in workflow parameters`, input);
    }
  }
}

const known = new Set(['author', 'description', 'version', 'ownership_info']);

function readMetadata(body: JsonObject): JsonObject {
  const given = objectOf(first(body, 'definition_metadata', 'metadata'));
  const { info, ...rest } = given;
  return {
    author: given['author'] ?? null,
    description: given['description'] ?? info ?? textOr(body['description']),
    version: given['version'] ?? '',
    ownership_info: given['ownership_info'] ?? null,
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => !known.has(key))),
  };
}

/** `newId` makes the ID where the client gives none. */
export function readDefinition(body: unknown, newId: () => string): Definition {
  const given = objectOf(body);
  const name = textOr(given['name']) ?? missing(['name'], body);
  const list = readParameters(first(given, 'parameters', 'params', 'workflow_params', 'workflow_parameters'));
  const steps = listOf(given['steps']).map((step, index) => readStep(step, index, list));
  check(steps, list, body);
  const parameters: Parameters = {
    json_inputs: list.jsonInputs,
    file_inputs: list.fileInputs,
    feed_forward: list.feedForward,
  };
  return {
    name,
    workflow_definition_id: textOr(given['workflow_definition_id']) ?? newId(),
    definition_metadata: readMetadata(given),
    parameters,
    steps,
  };
}
