/**
 * Reads a definition as the manager does, with all aliases, and reports what the manager would reject or silently ignore.
 * Source: MADSci 0.8.1, workcell manager.
 */
import { isObject, type JsonObject } from '../../../../api/client/wire.ts';
import { definitionTexts } from './texts.ts';
import {
  definitionKeys,
  feedForwardKeys,
  fileInputKeys,
  flatParameterKeys,
  jsonInputKeys,
  metadataKeys,
  parameterGroups,
  stepKeys,
  parameterUseKeys,
  type KeySet,
} from './keys.ts';
import type { Definition, DefinitionStep, Parameter, ParameterUses } from './model.ts';
import { readCondition } from './readCondition.ts';
import { nearestName } from '../../../../api/nearestName.ts';
import type { Issue, Path, Severity } from './source.ts';

const texts = definitionTexts.structure;

/** Collects the issues found while reading a definition. */
class DefinitionReader {
  readonly issues: Issue[] = [];
  readonly parameters: Parameter[] = [];

  report(severity: Severity, path: Path, message: string, on?: 'key'): void {
    this.issues.push(on === undefined ? { severity, path, message } : { severity, path, message, on });
  }

  /** Returns an object's values by canonical key and reports unknown keys. */
  keys(object: JsonObject, { spellings, allowsOtherKeys }: KeySet, at: Path): JsonObject {
    const all = Object.entries(spellings).flatMap(([key, others]) => [key, ...others]);
    for (const key of Object.keys(object)) {
      if (allowsOtherKeys || all.includes(key)) continue;
      this.report('warning', [...at, key], texts.unknownKey(key, nearestName(key, all)), 'key');
    }
    const values: Record<string, unknown> = allowsOtherKeys ? { ...object } : {};
    for (const [key, others] of Object.entries(spellings)) {
      const input = [key, ...others].filter((name) => Object.hasOwn(object, name));
      for (const unusedKey of others) delete values[unusedKey];
      const [first, second] = input;
      if (first === undefined) continue;
      if (second !== undefined) this.report('error', [...at, second], texts.twice(first, second), 'key');
      values[key] = object[first];
    }
    return values;
  }

  text(value: unknown, at: Path): string | null {
    if (value === undefined || value === null) return null;
    if (typeof value === 'string') return value;
    this.report('error', at, texts.notText(JSON.stringify(value)));
    return null;
  }

  object(value: unknown, at: Path): JsonObject {
    if (value === undefined || value === null) return {};
    if (isObject(value)) return value;
    this.report('error', at, texts.notMap);
    return {};
  }

  list(value: unknown, at: Path): readonly unknown[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.report('error', at, texts.notList);
    return [];
  }

  /** Returns the key of a parameter; a parameter defined inline is added to the list. */
  reference(value: unknown, at: Path): string | null {
    if (!isObject(value)) return this.text(value, at);
    this.parameter(value, flatParameterKeys, null, at);
    const key = value['key'] ?? value['name'];
    return typeof key === 'string' ? key : null;
  }

  references(value: unknown, at: Path): Record<string, string> {
    const parameterKeys: Record<string, string> = {};
    for (const [argument, reference] of Object.entries(this.object(value, at))) {
      const key = this.reference(reference, [...at, argument]);
      if (key !== null) parameterKeys[argument] = key;
    }
    return parameterKeys;
  }

  parameter(item: unknown, keys: KeySet, group: Parameter['kind'] | null, at: Path): void {
    if (!isObject(item)) {
      this.report('error', at, texts.notMap);
      return;
    }
    const input = this.keys(item, keys, at);
    const key = this.text(input['key'], [...at, 'key']);
    if (key === null) {
      if (input['key'] === undefined || input['key'] === null) this.report('error', at, texts.parameterKey);
      return;
    }
    const kind = group === null || group === 'feed_json' ? classifyParameter(input, group) : group;
    const step = input['step'];
    if (kind.startsWith('feed') && typeof step !== 'string' && !Number.isInteger(step))
      this.report('error', [...at, 'step'], texts.feedStep(key));
    this.parameters.push({
      kind,
      key,
      description: this.text(input['description'], [...at, 'description']),
      default: input['default'] ?? null,
      step: typeof step === 'string' || typeof step === 'number' ? step : null,
      label: this.text(input['label'], [...at, 'label']),
      dataType: this.text(input['data_type'], [...at, 'data_type']),
      path: at,
    });
  }
}

function classifyParameter(input: JsonObject, group: Parameter['kind'] | null): Parameter['kind'] {
  const type = typeof input['parameter_type'] === 'string' ? input['parameter_type'] : '';
  if (group === 'feed_json' || type.startsWith('feed_forward'))
    return type === 'feed_forward_file' || input['data_type'] === 'file' ? 'feed_file' : 'feed_json';
  if (['file_input', 'file', 'input_file'].includes(type)) return 'file';
  return type === '' && input['step'] !== undefined ? 'feed_json' : 'json';
}

function readParameters(reader: DefinitionReader, input: unknown, at: Path): void {
  if (Array.isArray(input)) {
    for (const [index, item] of input.entries()) reader.parameter(item, flatParameterKeys, null, [...at, index]);
    return;
  }
  const groups = reader.keys(reader.object(input, at), parameterGroups, at);
  const kinds = [
    ['json_inputs', jsonInputKeys, 'json'],
    ['file_inputs', fileInputKeys, 'file'],
    ['feed_forward', feedForwardKeys, 'feed_json'],
  ] as const;
  for (const [group, keys, kind] of kinds) {
    const list = reader.list(groups[group], [...at, group]);
    for (const [index, item] of list.entries()) reader.parameter(item, keys, kind, [...at, group, index]);
  }
}

function readUses(reader: DefinitionReader, value: unknown, at: Path): ParameterUses {
  const input = reader.keys(reader.object(value, at), parameterUseKeys, at);
  const readReference = (key: string) => reader.reference(input[key], [...at, key]);
  return {
    name: readReference('name'),
    description: readReference('description'),
    action: readReference('action'),
    node: readReference('node'),
    args: reader.references(input['args'], [...at, 'args']),
    locations: reader.references(input['locations'], [...at, 'locations']),
  };
}

function readStep(reader: DefinitionReader, value: unknown, at: Path): DefinitionStep {
  if (!isObject(value)) reader.report('error', at, texts.stepNotMap);
  const input = reader.keys(isObject(value) ? value : {}, stepKeys, at);
  const uses = readUses(reader, input['use_parameters'], [...at, 'use_parameters']);
  const text = (key: string) => reader.text(input[key], [...at, key]);
  const labels: Record<string, string> = {};
  for (const [result, label] of Object.entries(reader.object(input['data_labels'], [...at, 'data_labels']))) {
    const dataLabel = reader.text(label, [...at, 'data_labels', result]);
    if (dataLabel !== null) labels[result] = dataLabel;
  }
  const step: DefinitionStep = {
    path: at,
    name: text('name'),
    key: text('key'),
    description: text('description'),
    action: text('action'),
    node: text('node'),
    args: reader.object(input['args'], [...at, 'args']),
    files: reader.references(input['files'], [...at, 'files']),
    locations: reader.object(input['locations'], [...at, 'locations']),
    conditions: reader
      .list(input['conditions'], [...at, 'conditions'])
      .map((item, index) => readCondition(reader, item, [...at, 'conditions', index])),
    dataLabels: labels,
    uses,
  };
  if (isObject(value) && step.action === null && uses.action === null && input['action'] === undefined)
    reader.report('error', at, texts.noAction);
  return step;
}

function readMetadata(reader: DefinitionReader, root: JsonObject): JsonObject {
  const at = ['definition_metadata'];
  const metadata = reader.keys(reader.object(root['definition_metadata'], at), metadataKeys, at);
  for (const key of ['author', 'description'])
    if (metadata[key] !== undefined) metadata[key] = reader.text(metadata[key], [...at, key]);
  const { version } = metadata;
  if (version !== undefined && typeof version !== 'string' && typeof version !== 'number')
    reader.report('error', [...at, 'version'], texts.version);
  const topLevelDescription = reader.text(root['description'], ['description']);
  // The manager accepts the top-level description only since 0.8.
  if (topLevelDescription !== null && (metadata['description'] ?? null) === null)
    metadata['description'] = topLevelDescription;
  return metadata;
}

interface ReadDefinition {
  /** Null if the text is not a definition. */
  readonly definition: Definition | null;
  readonly issues: readonly Issue[];
}

export function readDefinition(value: unknown): ReadDefinition {
  const reader = new DefinitionReader();
  if (!isObject(value)) {
    const empty = value === undefined || value === null;
    return {
      definition: null,
      issues: [{ severity: 'error', path: [], message: empty ? texts.empty : texts.notDefinition }],
    };
  }
  const root = reader.keys(value, definitionKeys, []);
  const name = reader.text(root['name'], ['name']);
  if (root['name'] === undefined || root['name'] === null || name === '')
    reader.report('error', ['name'], texts.noName);
  readParameters(reader, root['parameters'], ['parameters']);
  const steps = reader.list(root['steps'], ['steps']).map((step, index) => readStep(reader, step, ['steps', index]));
  if (steps.length === 0) reader.report('warning', ['steps'], texts.noSteps);
  const definition = {
    name: name ?? '',
    id: reader.text(root['workflow_definition_id'], ['workflow_definition_id']),
    metadata: readMetadata(reader, root),
    parameters: reader.parameters,
    steps,
  };
  return { definition, issues: reader.issues };
}
