/**
 * Reads a definition as the manager does, with all aliases, and reports what the manager would reject or silently ignore.
 * Source: MADSci 0.8.1, workcell manager.
 */
import { exactText, stringifyExactJson, toNumber } from '#api/exactJson.ts';
import { isObject, type JsonObject } from '#api/client/wire.ts';
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
import type { StepParameters } from '#api/managers/workflowDefinition.ts';
import type { Definition, DefinitionStep, Parameter } from './model.ts';
import { readCondition } from './readCondition.ts';
import { findNearestName } from '#api/nearestName.ts';
import type { Issue, Path, Severity } from './source.ts';

const texts = definitionTexts.structure;

/** Collects the issues found while reading a definition. */
class DefinitionReader {
  readonly issues: Issue[] = [];
  readonly parameters: Parameter[] = [];

  report(severity: Severity, path: Path, message: string, part?: 'key'): void {
    this.issues.push(part === undefined ? { severity, path, message } : { severity, path, message, part });
  }

  /** Returns an object's values by canonical key and reports unknown keys. */
  readKeys(object: JsonObject, { spellings, allowsOtherKeys }: KeySet, path: Path): JsonObject {
    const all = Object.entries(spellings).flatMap(([key, others]) => [key, ...others]);
    for (const key of Object.keys(object)) {
      if (allowsOtherKeys || all.includes(key)) continue;
      this.report('warning', [...path, key], texts.unknownKey(key, findNearestName(key, all)), 'key');
    }
    const values: Record<string, unknown> = allowsOtherKeys ? { ...object } : {};
    for (const [key, others] of Object.entries(spellings)) {
      const input = [key, ...others].filter((name) => Object.hasOwn(object, name));
      for (const unusedKey of others) delete values[unusedKey];
      const [first, second] = input;
      if (first === undefined) continue;
      if (second !== undefined)
        this.report(
          'error',
          [...path, second],
          `“${first}” and “${second}” are two spellings of the same key: give one.`,
          'key',
        );
      values[key] = object[first];
    }
    return values;
  }

  readText(value: unknown, path: Path): string | null {
    if (value === undefined || value === null) return null;
    if (typeof value === 'string' && exactText(value) === null) return value;
    this.report('error', path, texts.notText(stringifyExactJson(value)));
    return null;
  }

  readObject(value: unknown, path: Path): JsonObject {
    if (value === undefined || value === null) return {};
    if (isObject(value)) return value;
    this.report('error', path, texts.notMap);
    return {};
  }

  readList(value: unknown, path: Path): readonly unknown[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.report('error', path, 'This must be a list, each item after a dash.');
    return [];
  }

  /** Returns the key of a parameter; a parameter defined inline is added to the list. */
  readReference(value: unknown, path: Path): string | null {
    if (!isObject(value)) return this.readText(value, path);
    this.readParameter(value, flatParameterKeys, null, path);
    const key = value['key'] ?? value['name'];
    return typeof key === 'string' ? key : null;
  }

  readReferences(value: unknown, path: Path): Record<string, string> {
    const parameterKeys: Record<string, string> = {};
    for (const [argument, reference] of Object.entries(this.readObject(value, path))) {
      const key = this.readReference(reference, [...path, argument]);
      if (key !== null) parameterKeys[argument] = key;
    }
    return parameterKeys;
  }

  readParameter(item: unknown, keys: KeySet, group: Parameter['kind'] | null, path: Path): void {
    if (!isObject(item)) {
      this.report('error', path, texts.notMap);
      return;
    }
    const input = this.readKeys(item, keys, path);
    const key = this.readText(input['key'], [...path, 'key']);
    if (key === null) {
      if (input['key'] === undefined || input['key'] === null) this.report('error', path, 'A parameter needs a key.');
      return;
    }
    const kind = group === null || group === 'feed_json' ? classifyParameter(input, group) : group;
    const step = toNumber(input['step']) ?? input['step'];
    if (kind.startsWith('feed') && typeof step !== 'string' && !Number.isInteger(step))
      this.report('error', [...path, 'step'], `${key} needs the step it comes from: its key, or its index from 0.`);
    this.parameters.push({
      kind,
      key,
      description: this.readText(input['description'], [...path, 'description']),
      default: input['default'] ?? null,
      step: typeof step === 'string' || typeof step === 'number' ? step : null,
      label: this.readText(input['label'], [...path, 'label']),
      dataType: this.readText(input['data_type'], [...path, 'data_type']),
      path,
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

function readParameters(reader: DefinitionReader, input: unknown, path: Path): void {
  if (Array.isArray(input)) {
    for (const [index, item] of input.entries()) reader.readParameter(item, flatParameterKeys, null, [...path, index]);
    return;
  }
  const groups = reader.readKeys(reader.readObject(input, path), parameterGroups, path);
  const kinds = [
    ['json_inputs', jsonInputKeys, 'json'],
    ['file_inputs', fileInputKeys, 'file'],
    ['feed_forward', feedForwardKeys, 'feed_json'],
  ] as const;
  for (const [group, keys, kind] of kinds) {
    const list = reader.readList(groups[group], [...path, group]);
    for (const [index, item] of list.entries()) reader.readParameter(item, keys, kind, [...path, group, index]);
  }
}

function readUses(reader: DefinitionReader, value: unknown, path: Path): StepParameters {
  const input = reader.readKeys(reader.readObject(value, path), parameterUseKeys, path);
  const readUse = (key: string) => reader.readReference(input[key], [...path, key]);
  return {
    name: readUse('name'),
    description: readUse('description'),
    action: readUse('action'),
    node: readUse('node'),
    args: reader.readReferences(input['args'], [...path, 'args']),
    locations: reader.readReferences(input['locations'], [...path, 'locations']),
  };
}

function readStep(reader: DefinitionReader, value: unknown, path: Path): DefinitionStep {
  if (!isObject(value)) reader.report('error', path, 'A step is keys with values, such as node and action.');
  const input = reader.readKeys(isObject(value) ? value : {}, stepKeys, path);
  const uses = readUses(reader, input['use_parameters'], [...path, 'use_parameters']);
  const text = (key: string) => reader.readText(input[key], [...path, key]);
  const labels: Record<string, string> = {};
  for (const [result, label] of Object.entries(reader.readObject(input['data_labels'], [...path, 'data_labels']))) {
    const dataLabel = reader.readText(label, [...path, 'data_labels', result]);
    if (dataLabel !== null) labels[result] = dataLabel;
  }
  const step: DefinitionStep = {
    path,
    name: text('name'),
    key: text('key'),
    description: text('description'),
    action: text('action'),
    node: text('node'),
    args: reader.readObject(input['args'], [...path, 'args']),
    files: reader.readReferences(input['files'], [...path, 'files']),
    locations: reader.readObject(input['locations'], [...path, 'locations']),
    conditions: reader
      .readList(input['conditions'], [...path, 'conditions'])
      .map((item, index) => readCondition(reader, item, [...path, 'conditions', index])),
    dataLabels: labels,
    uses,
  };
  if (isObject(value) && step.action === null && uses.action === null && input['action'] === undefined)
    reader.report('error', path, 'This step has no action.');
  return step;
}

function readMetadata(reader: DefinitionReader, root: JsonObject): JsonObject {
  const path = ['definition_metadata'];
  const metadata = reader.readKeys(reader.readObject(root['definition_metadata'], path), metadataKeys, path);
  for (const key of ['author', 'description'])
    if (metadata[key] !== undefined) metadata[key] = reader.readText(metadata[key], [...path, key]);
  const { version } = metadata;
  if (version !== undefined && typeof version !== 'string' && typeof version !== 'number')
    reader.report('error', [...path, 'version'], 'The version is a number or a text.');
  const topLevelDescription = reader.readText(root['description'], ['description']);
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
      issues: [
        {
          severity: 'error',
          path: [],
          message: empty
            ? 'The definition is empty. Start with its name.'
            : 'A definition is a set of keys: name, parameters, steps.',
        },
      ],
    };
  }
  const root = reader.readKeys(value, definitionKeys, []);
  const name = reader.readText(root['name'], ['name']);
  if (root['name'] === undefined || root['name'] === null || name?.trim() === '')
    reader.report('error', ['name'], 'The workflow needs a name.');
  readParameters(reader, root['parameters'], ['parameters']);
  const steps = reader
    .readList(root['steps'], ['steps'])
    .map((step, index) => readStep(reader, step, ['steps', index]));
  if (steps.length === 0) reader.report('warning', ['steps'], 'Without steps the workflow ends at once.');
  const definition = {
    name: name ?? '',
    id: reader.readText(root['workflow_definition_id'], ['workflow_definition_id']),
    metadata: readMetadata(reader, root),
    parameters: reader.parameters,
    steps,
  };
  return { definition, issues: reader.issues };
}
