/** Completions at the cursor: keys, nodes, actions, arguments, locations, parameters and steps. */
import type { ActionDefinition } from '../../../../api/managers/action.ts';
import { definitionTexts } from './texts.ts';
import { cursorAt, type Cursor } from './cursor.ts';
import { knownAction } from './describe.ts';
import {
  aboutKey,
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
  useKeys,
  type KeySet,
} from './keys.ts';
import type { LabKnowledge } from './labKnowledge.ts';
import { stepTitle, type Definition, type DefinitionStep, type Parameter } from './model.ts';

interface Option {
  readonly label: string;
  /** Short text next to the label. */
  readonly detail: string;
  /** A sentence about the option. */
  readonly about: string;
  readonly kind: 'key' | 'node' | 'action' | 'argument' | 'location' | 'parameter' | 'step' | 'word';
  /** Inserted text, if longer than the label. */
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

const texts = definitionTexts.completion;

function option(kind: Option['kind'], label: string, more: Partial<Option> = {}): Option {
  return { kind, label, detail: '', about: '', apply: label, boost: 0, ...more };
}

/** Quotes text that YAML would parse as another type. */
function quoteYaml(label: string): string {
  return /^[\w./µ-][\w ./µ-]*$/.test(label) && !/^(?:[\d.+-]|(?:true|false|null|yes|no|on|off|~)$)/i.test(label)
    ? label
    : JSON.stringify(label);
}

const value = (kind: Option['kind'], label: string, more: Partial<Option> = {}) =>
  option(kind, label, { apply: quoteYaml(label), ...more });

const blocks = new Set([
  'args',
  'locations',
  'files',
  'use_parameters',
  'data_labels',
  'definition_metadata',
  'parameters',
]);
const listed = new Set(['steps', 'conditions', 'json_inputs', 'file_inputs', 'feed_forward']);

function keysOf(keys: KeySet): Option[] {
  return Object.keys(keys.spellings).map((key, index) =>
    option('key', key, {
      // Nested content starts on the next line; the editor indents it.
      apply: listed.has(key) ? `${key}:\n  - ` : blocks.has(key) ? `${key}:\n  ` : `${key}: `,
      about: aboutKey(keys, key),
      boost: -index,
    }),
  );
}

const find = (names: readonly string[], part: unknown) => names.includes(String(part));
const parameterNames = ['parameters', 'params', 'workflow_params', 'workflow_parameters'];
const useNames = ['use_parameters', 'use_params', 'params', 'parameters'];
const argNames = ['args', 'arguments'];
const locationNames = ['locations', 'location_args', 'location_arguments'];
const groups: Readonly<Record<string, KeySet>> = {
  json_inputs: jsonInputKeys,
  value_inputs: jsonInputKeys,
  json: jsonInputKeys,
  inputs: jsonInputKeys,
  file_inputs: fileInputKeys,
  files: fileInputKeys,
  feed_forward: feedForwardKeys,
};

function stepAt({ definition, cursor }: CompletionContext): DefinitionStep | null {
  const [top, index] = cursor.path;
  return top === 'steps' && typeof index === 'number' ? (definition?.steps[index] ?? null) : null;
}

function argumentKeys(declared: ActionDefinition['args'], used: readonly string[]): Option[] {
  return Object.values(declared)
    .filter(({ name }) => !used.includes(name))
    .map(({ name, argument_type: type, description, required }) =>
      option('argument', name, {
        apply: `${name}: `,
        detail: required ? `${type}, ${texts.required}` : type,
        about: description ?? '',
        boost: required ? 10 : 0,
      }),
    );
}

/** Returns the action's arguments in the group at the cursor. */
function argumentsOf(situation: CompletionContext, group: string): Option[] {
  const step = stepAt(situation);
  if (step === null) return [];
  const action = knownAction(step, situation.knowledge);
  if (find(argNames, group)) {
    const used = [...Object.keys(step.args), ...Object.keys(step.uses.args)];
    return argumentKeys(action?.args ?? {}, used);
  }
  if (find(locationNames, group)) {
    const used = [...Object.keys(step.locations), ...Object.keys(step.uses.locations)];
    return argumentKeys(action?.locations ?? {}, used);
  }
  if (group === 'files') return argumentKeys(action?.files ?? {}, Object.keys(step.files));
  if (group === 'data_labels')
    return Object.values(action?.results ?? {}).map(({ result_label: label, result_type: type }) =>
      option('argument', label, { apply: `${label}: `, detail: type }),
    );
  return [];
}

function keyOptions(situation: CompletionContext): Option[] {
  const { path } = situation.cursor;
  const [top, second, third, fourth] = path;
  if (path.length === 0) return keysOf(definitionKeys);
  if (top === 'definition_metadata' || top === 'metadata') return keysOf(metadataKeys);
  if (find(parameterNames, top)) {
    if (second === undefined) return keysOf(parameterGroups);
    if (typeof second === 'number') return keysOf(flatParameterKeys);
    return typeof third === 'number' ? keysOf(groups[second] ?? flatParameterKeys) : [];
  }
  if (top !== 'steps' || typeof second !== 'number') return [];
  if (third === undefined) return keysOf(stepKeys);
  if (find(useNames, third)) return fourth === undefined ? keysOf(useKeys) : argumentsOf(situation, String(fourth));
  if (third === 'conditions' && typeof fourth === 'number') {
    const type = stepAt(situation)?.conditions[fourth]?.['condition_type'];
    const keys = typeof type === 'string' ? conditionKeys[type] : undefined;
    return keysOf(keys ?? conditionKeys['resource_present'] ?? definitionKeys);
  }
  return path.length === 3 ? argumentsOf(situation, String(third)) : [];
}

function nodes({ knowledge }: CompletionContext): Option[] {
  return Object.entries(knowledge.nodes).map(([name, info]) =>
    value('node', name, { detail: info?.module_name ?? '', about: info?.node_description ?? '' }),
  );
}

function actions(situation: CompletionContext): Option[] {
  const node = stepAt(situation)?.node ?? null;
  const builtInActions = Object.entries(builtIns).map(([name, { about }]) =>
    value('action', name, { detail: texts.builtIn, about, boost: node === null ? 5 : -50 }),
  );
  if (node !== null) {
    const known = Object.values(situation.knowledge.nodes[node]?.actions ?? {});
    return known.map(({ name, description }) => value('action', name, { detail: node, about: description ?? '' }));
  }
  return builtInActions;
}

function locations(situation: CompletionContext): Option[] {
  const node = stepAt(situation)?.node ?? null;
  return situation.knowledge.locations.map(({ name, representations }) => {
    const known = node === null || representations.includes(node);
    return value('location', name, { detail: known ? texts.location : texts.noRepresentation, boost: known ? 5 : -20 });
  });
}

function parameters({ definition }: CompletionContext, kinds: readonly Parameter['kind'][]): Option[] {
  return (definition?.parameters ?? [])
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ key, description }) => value('parameter', key, { detail: texts.parameter, about: description ?? '' }));
}

function steps({ definition }: CompletionContext): Option[] {
  return (definition?.steps ?? []).flatMap((step, index) =>
    step.key === null ? [] : value('step', step.key, { detail: stepTitle(step, index) }),
  );
}

const plain = (list: readonly string[]) => list.map((word) => value('word', word));

/** Returns the possible values of an action's argument. */
function argumentValues(situation: CompletionContext, name: string): Option[] {
  const step = stepAt(situation);
  const type = (step && knownAction(step, situation.knowledge)?.args[name]?.argument_type) ?? '';
  if (/^(?:Optional\[)?bool\b/.test(type)) return [option('word', 'true'), option('word', 'false')];
  if (type === 'location') return locations(situation);
  const choices = /Literal\[([^\]]*)\]/.exec(type)?.[1] ?? '';
  return plain([...choices.matchAll(/'([^']*)'|"([^"]*)"/g)].map((match) => match[1] ?? match[2] ?? ''));
}

function stepValues(situation: CompletionContext, key: string): Option[] {
  const [, , third, fourth] = situation.cursor.path;
  if (third === undefined) {
    if (key === 'node') return nodes(situation);
    return key === 'action' ? actions(situation) : [];
  }
  if (find(useNames, third)) return parameters(situation, fourth === undefined ? ['json'] : ['json', 'feed_json']);
  if (third === 'files') return parameters(situation, ['file', 'feed_file']);
  if (find(locationNames, third)) return locations(situation);
  if (find(argNames, third)) return argumentValues(situation, key);
  if (third === 'conditions') {
    if (key === 'condition_type') return plain(Object.keys(conditionKeys));
    if (key === 'operator') return plain(operators);
    if (key === 'location_name') return locations(situation);
  }
  return [];
}

const types = {
  parameter_type: ['json_input', 'file_input', 'feed_forward_json', 'feed_forward_file'],
  data_type: ['json', 'file', 'object_storage'],
} as const;

function valueOptions(situation: CompletionContext): Option[] {
  const { path, key } = situation.cursor;
  if (key === null) return [];
  if (path[0] === 'steps') return stepValues(situation, key);
  if (!find(parameterNames, path[0])) return [];
  if (key === 'step') return steps(situation);
  return key === 'parameter_type' || key === 'data_type' ? plain(types[key]) : [];
}

/** Returns the completions at `offset`; `null` if there are none. */
export function complete(
  text: string,
  offset: number,
  definition: Definition | null,
  knowledge: LabKnowledge,
): Completion | null {
  const cursor = cursorAt(text, offset);
  if (cursor === null) return null;
  const situation = { cursor, definition, knowledge };
  const options = cursor.typing === 'value' ? valueOptions(situation) : keyOptions(situation);
  return options.length === 0 ? null : { from: cursor.from, options };
}
