/** Completions at the cursor: keys, nodes, actions, arguments, locations, parameters and steps. */
import type { ActionDefinition } from '#api/managers/action.ts';
import { findCursor, type Cursor } from './cursor.ts';
import { findAction } from './describe.ts';
import {
  describeKey,
  builtIns,
  conditionKeys,
  definitionKeys,
  feedForwardKeys,
  fileInputKeys,
  flatParameterKeys,
  jsonInputKeys,
  metadataKeys,
  operators,
  parameterGroups,
  stepKeys,
  parameterUseKeys,
  type KeySet,
} from './keys.ts';
import type { LabKnowledge } from './labKnowledge.ts';
import { stepTitle, type Definition, type DefinitionStep, type Parameter } from './model.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

interface Option {
  readonly label: string;
  /** Short text next to the label. */
  readonly detail: string;
  /** A sentence about the option. */
  readonly description: string;
  readonly kind: 'key' | 'node' | 'action' | 'argument' | 'location' | 'parameter' | 'step' | 'word';
  /** Inserted text; by default the label. */
  readonly apply: string;
  /** Higher values rank first. */
  readonly boost: number;
}

export interface Completion {
  readonly from: number;
  readonly options: readonly Option[];
}

interface CompletionContext {
  readonly cursor: Cursor;
  readonly definition: Definition | null;
  readonly knowledge: LabKnowledge;
}

function option(kind: Option['kind'], label: string, more: Partial<Option> = {}): Option {
  return { kind, label, detail: '', description: '', apply: label, boost: 0, ...more };
}

/** Quotes text that YAML would parse as another type. */
function quoteYaml(label: string): string {
  return /^[\w./µ-][\w ./µ-]*$/.test(label) && !/^(?:[\d.+-]|(?:true|false|null|yes|no|on|off|~)$)/i.test(label)
    ? label
    : stringifyExactJson(label);
}

const valueOption = (kind: Option['kind'], label: string, more: Partial<Option> = {}) =>
  option(kind, label, { apply: quoteYaml(label), ...more });

const mapKeys = new Set([
  'args',
  'locations',
  'files',
  'use_parameters',
  'data_labels',
  'definition_metadata',
  'parameters',
]);
const listKeys = new Set(['steps', 'conditions', 'json_inputs', 'file_inputs', 'feed_forward']);

function keyCompletions(keys: KeySet): Option[] {
  return Object.keys(keys.spellings).map((key, index) =>
    option('key', key, {
      // Nested content starts on the next line; the editor indents it.
      apply: listKeys.has(key) ? `${key}:\n  - ` : mapKeys.has(key) ? `${key}:\n  ` : `${key}: `,
      description: describeKey(keys, key),
      boost: -index,
    }),
  );
}

const isIncluded = (spellings: readonly string[], part: unknown) => spellings.includes(String(part));
const parametersSpellings = ['parameters', 'params', 'workflow_params', 'workflow_parameters'];
const useParametersSpellings = ['use_parameters', 'use_params', 'params', 'parameters'];
const argsSpellings = ['args', 'arguments'];
const locationsSpellings = ['locations', 'location_args', 'location_arguments'];
const keySetOfParameterGroup: Readonly<Record<string, KeySet>> = {
  json_inputs: jsonInputKeys,
  value_inputs: jsonInputKeys,
  json: jsonInputKeys,
  inputs: jsonInputKeys,
  file_inputs: fileInputKeys,
  files: fileInputKeys,
  feed_forward: feedForwardKeys,
};

function stepAtCursor({ definition, cursor }: CompletionContext): DefinitionStep | null {
  const [top, index] = cursor.path;
  return top === 'steps' && typeof index === 'number' ? (definition?.steps[index] ?? null) : null;
}

function argumentKeyCompletions(declared: ActionDefinition['args'], used: readonly string[]): Option[] {
  return Object.values(declared)
    .filter(({ name }) => !used.includes(name))
    .map(({ name, argument_type: type, description, required }) =>
      option('argument', name, {
        apply: `${name}: `,
        detail: required ? `${type}, required` : type,
        description: description ?? '',
        boost: required ? 10 : 0,
      }),
    );
}

/** Returns the action's arguments in the group at the cursor. */
function completeArguments(context: CompletionContext, group: string): Option[] {
  const step = stepAtCursor(context);
  if (step === null) return [];
  const action = findAction(step, context.knowledge);
  if (isIncluded(argsSpellings, group)) {
    const used = [...Object.keys(step.args), ...Object.keys(step.uses.args)];
    return argumentKeyCompletions(action?.args ?? {}, used);
  }
  if (isIncluded(locationsSpellings, group)) {
    const used = [...Object.keys(step.locations), ...Object.keys(step.uses.locations)];
    return argumentKeyCompletions(action?.locations ?? {}, used);
  }
  if (group === 'files') return argumentKeyCompletions(action?.files ?? {}, Object.keys(step.files));
  if (group === 'data_labels')
    return Object.values(action?.results ?? {}).map(({ result_label: label, result_type: type }) =>
      option('argument', label, { apply: `${label}: `, detail: type }),
    );
  return [];
}

function keyOptions(context: CompletionContext): Option[] {
  const { path } = context.cursor;
  const [top, second, third, fourth] = path;
  if (path.length === 0) return keyCompletions(definitionKeys);
  if (top === 'definition_metadata' || top === 'metadata') return keyCompletions(metadataKeys);
  if (isIncluded(parametersSpellings, top)) {
    if (second === undefined) return keyCompletions(parameterGroups);
    if (typeof second === 'number') return keyCompletions(flatParameterKeys);
    return typeof third === 'number' ? keyCompletions(keySetOfParameterGroup[second] ?? flatParameterKeys) : [];
  }
  if (top !== 'steps' || typeof second !== 'number') return [];
  if (third === undefined) return keyCompletions(stepKeys);
  if (isIncluded(useParametersSpellings, third))
    return fourth === undefined ? keyCompletions(parameterUseKeys) : completeArguments(context, String(fourth));
  if (third === 'conditions' && typeof fourth === 'number') {
    const type = stepAtCursor(context)?.conditions[fourth]?.['condition_type'];
    const keys = typeof type === 'string' ? conditionKeys[type] : undefined;
    return keyCompletions(keys ?? conditionKeys['resource_present'] ?? definitionKeys);
  }
  return path.length === 3 ? completeArguments(context, String(third)) : [];
}

function nodeCompletions({ knowledge }: CompletionContext): Option[] {
  return Object.entries(knowledge.nodes).map(([name, info]) =>
    valueOption('node', name, { detail: info?.module_name ?? '', description: info?.node_description ?? '' }),
  );
}

function actionCompletions(context: CompletionContext): Option[] {
  const node = stepAtCursor(context)?.node ?? null;
  const builtInActions = Object.entries(builtIns).map(([name, { description }]) =>
    valueOption('action', name, { detail: 'built in', description, boost: node === null ? 5 : -50 }),
  );
  if (node !== null) {
    const nodeActions = Object.values(context.knowledge.nodes[node]?.actions ?? {});
    return nodeActions.map(({ name, description }) =>
      valueOption('action', name, { detail: node, description: description ?? '' }),
    );
  }
  return builtInActions;
}

function locationCompletions(context: CompletionContext): Option[] {
  const node = stepAtCursor(context)?.node ?? null;
  return context.knowledge.locations.map(({ name, representations }) => {
    const isRepresented = node === null || representations.includes(node);
    return valueOption('location', name, {
      detail: isRepresented ? 'location' : 'not known to this node',
      boost: isRepresented ? 5 : -20,
    });
  });
}

function parameterCompletions({ definition }: CompletionContext, kinds: readonly Parameter['kind'][]): Option[] {
  return (definition?.parameters ?? [])
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ key, description }) =>
      valueOption('parameter', key, { detail: 'parameter', description: description ?? '' }),
    );
}

function stepCompletions({ definition }: CompletionContext): Option[] {
  return (definition?.steps ?? []).flatMap((step, index) =>
    step.key === null ? [] : valueOption('step', step.key, { detail: stepTitle(step, index) }),
  );
}

const wordOptions = (list: readonly string[]) => list.map((word) => valueOption('word', word));

/** Returns the possible values of an action's argument. */
function argumentValues(context: CompletionContext, name: string): Option[] {
  const step = stepAtCursor(context);
  const type = (step && findAction(step, context.knowledge)?.args[name]?.argument_type) ?? '';
  if (/^(?:Optional\[)?bool\b/.test(type)) return [option('word', 'true'), option('word', 'false')];
  if (type === 'location') return locationCompletions(context);
  const choices = /Literal\[([^\]]*)\]/.exec(type)?.[1] ?? '';
  return wordOptions([...choices.matchAll(/'([^']*)'|"([^"]*)"/g)].map((match) => match[1] ?? match[2] ?? ''));
}

function stepValues(context: CompletionContext, key: string): Option[] {
  const [, , third, fourth] = context.cursor.path;
  if (third === undefined) {
    if (key === 'node') return nodeCompletions(context);
    return key === 'action' ? actionCompletions(context) : [];
  }
  if (isIncluded(useParametersSpellings, third))
    return parameterCompletions(context, fourth === undefined ? ['json'] : ['json', 'feed_json']);
  if (third === 'files') return parameterCompletions(context, ['file', 'feed_file']);
  if (isIncluded(locationsSpellings, third)) return locationCompletions(context);
  if (isIncluded(argsSpellings, third)) return argumentValues(context, key);
  if (third === 'conditions') {
    if (key === 'condition_type') return wordOptions(Object.keys(conditionKeys));
    if (key === 'operator') return wordOptions(operators);
    if (key === 'location_name') return locationCompletions(context);
  }
  return [];
}

const typeNames = {
  parameter_type: ['json_input', 'file_input', 'feed_forward_json', 'feed_forward_file'],
  data_type: ['json', 'file', 'object_storage'],
} as const;

function valueOptions(context: CompletionContext): Option[] {
  const { path, key } = context.cursor;
  if (key === null) return [];
  if (path[0] === 'steps') return stepValues(context, key);
  if (!isIncluded(parametersSpellings, path[0])) return [];
  if (key === 'step') return stepCompletions(context);
  return key === 'parameter_type' || key === 'data_type' ? wordOptions(typeNames[key]) : [];
}

/** Returns the completions at `offset`; `null` if there are none. */
export function complete(
  text: string,
  offset: number,
  definition: Definition | null,
  knowledge: LabKnowledge,
): Completion | null {
  const cursor = findCursor(text, offset);
  if (cursor === null) return null;
  const context = { cursor, definition, knowledge };
  const options = cursor.typing === 'value' ? valueOptions(context) : keyOptions(context);
  return options.length === 0 ? null : { from: cursor.from, options };
}
