/**
 * Reads a definition as the manager does, with all its spellings, and says what it would refuse or silently drop.
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
  useKeys,
  type KeySet,
} from './keys.ts';
import type { Definition, DefinitionStep, Parameter, Uses } from './model.ts';
import { readCondition } from './readCondition.ts';
import { nearestName } from '../../../../api/nearestName.ts';
import type { Issue, Path, Severity } from './source.ts';

const texts = definitionTexts.structure;

/** Collects what there is to say while a definition is read. */
class Reading {
  readonly issues: Issue[] = [];
  readonly parameters: Parameter[] = [];

  say(severity: Severity, path: Path, message: string, on?: 'key'): void {
    this.issues.push(on === undefined ? { severity, path, message } : { severity, path, message, on });
  }

  /** An object's values by the key that is sent; unknown keys are said. */
  keys(object: JsonObject, { spellings, open }: KeySet, at: Path): JsonObject {
    const all = Object.entries(spellings).flatMap(([key, others]) => [key, ...others]);
    for (const key of Object.keys(object)) {
      if (open || all.includes(key)) continue;
      this.say('warning', [...at, key], texts.unknownKey(key, nearestName(key, all)), 'key');
    }
    const found: Record<string, unknown> = open ? { ...object } : {};
    for (const [key, others] of Object.entries(spellings)) {
      const given = [key, ...others].filter((name) => Object.hasOwn(object, name));
      for (const other of others) delete found[other];
      const [first, second] = given;
      if (first === undefined) continue;
      if (second !== undefined) this.say('error', [...at, second], texts.twice(first, second), 'key');
      found[key] = object[first];
    }
    return found;
  }

  text(value: unknown, at: Path): string | null {
    if (value === undefined || value === null) return null;
    if (typeof value === 'string') return value;
    this.say('error', at, texts.notText(JSON.stringify(value)));
    return null;
  }

  object(value: unknown, at: Path): JsonObject {
    if (value === undefined || value === null) return {};
    if (isObject(value)) return value;
    this.say('error', at, texts.notMap);
    return {};
  }

  list(value: unknown, at: Path): readonly unknown[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.say('error', at, texts.notList);
    return [];
  }

  /** A parameter's key, or a parameter written in its place, which joins the list. */
  reference(value: unknown, at: Path): string | null {
    if (!isObject(value)) return this.text(value, at);
    this.parameter(value, flatParameterKeys, null, at);
    const key = value['key'] ?? value['name'];
    return typeof key === 'string' ? key : null;
  }

  references(value: unknown, at: Path): Record<string, string> {
    const found: Record<string, string> = {};
    for (const [argument, reference] of Object.entries(this.object(value, at))) {
      const key = this.reference(reference, [...at, argument]);
      if (key !== null) found[argument] = key;
    }
    return found;
  }

  parameter(item: unknown, keys: KeySet, group: Parameter['kind'] | null, at: Path): void {
    if (!isObject(item)) {
      this.say('error', at, texts.notMap);
      return;
    }
    const given = this.keys(item, keys, at);
    const key = this.text(given['key'], [...at, 'key']);
    if (key === null) {
      if (given['key'] === undefined || given['key'] === null) this.say('error', at, texts.parameterKey);
      return;
    }
    const kind = group === null || group === 'feed_json' ? kindOf(given, group) : group;
    const step = given['step'];
    if (kind.startsWith('feed') && typeof step !== 'string' && !Number.isInteger(step))
      this.say('error', [...at, 'step'], texts.feedStep(key));
    this.parameters.push({
      kind,
      key,
      description: this.text(given['description'], [...at, 'description']),
      default: given['default'] ?? null,
      step: typeof step === 'string' || typeof step === 'number' ? step : null,
      label: this.text(given['label'], [...at, 'label']),
      dataType: this.text(given['data_type'], [...at, 'data_type']),
      at,
    });
  }
}

function kindOf(given: JsonObject, group: Parameter['kind'] | null): Parameter['kind'] {
  const type = typeof given['parameter_type'] === 'string' ? given['parameter_type'] : '';
  if (group === 'feed_json' || type.startsWith('feed_forward'))
    return type === 'feed_forward_file' || given['data_type'] === 'file' ? 'feed_file' : 'feed_json';
  if (['file_input', 'file', 'input_file'].includes(type)) return 'file';
  return type === '' && given['step'] !== undefined ? 'feed_json' : 'json';
}

function readParameters(reading: Reading, given: unknown, at: Path): void {
  if (Array.isArray(given)) {
    for (const [index, item] of given.entries()) reading.parameter(item, flatParameterKeys, null, [...at, index]);
    return;
  }
  const groups = reading.keys(reading.object(given, at), parameterGroups, at);
  const kinds = [
    ['json_inputs', jsonInputKeys, 'json'],
    ['file_inputs', fileInputKeys, 'file'],
    ['feed_forward', feedForwardKeys, 'feed_json'],
  ] as const;
  for (const [group, keys, kind] of kinds) {
    const list = reading.list(groups[group], [...at, group]);
    for (const [index, item] of list.entries()) reading.parameter(item, keys, kind, [...at, group, index]);
  }
}

function readUses(reading: Reading, value: unknown, at: Path): Uses {
  const given = reading.keys(reading.object(value, at), useKeys, at);
  const one = (key: string) => reading.reference(given[key], [...at, key]);
  return {
    name: one('name'),
    description: one('description'),
    action: one('action'),
    node: one('node'),
    args: reading.references(given['args'], [...at, 'args']),
    locations: reading.references(given['locations'], [...at, 'locations']),
  };
}

function readStep(reading: Reading, value: unknown, at: Path): DefinitionStep {
  if (!isObject(value)) reading.say('error', at, texts.stepNotMap);
  const given = reading.keys(isObject(value) ? value : {}, stepKeys, at);
  const uses = readUses(reading, given['use_parameters'], [...at, 'use_parameters']);
  const text = (key: string) => reading.text(given[key], [...at, key]);
  const labels: Record<string, string> = {};
  for (const [result, label] of Object.entries(reading.object(given['data_labels'], [...at, 'data_labels']))) {
    const found = reading.text(label, [...at, 'data_labels', result]);
    if (found !== null) labels[result] = found;
  }
  const step: DefinitionStep = {
    at,
    name: text('name'),
    key: text('key'),
    description: text('description'),
    action: text('action'),
    node: text('node'),
    args: reading.object(given['args'], [...at, 'args']),
    files: reading.references(given['files'], [...at, 'files']),
    locations: reading.object(given['locations'], [...at, 'locations']),
    conditions: reading
      .list(given['conditions'], [...at, 'conditions'])
      .map((item, index) => readCondition(reading, item, [...at, 'conditions', index])),
    dataLabels: labels,
    uses,
  };
  if (isObject(value) && step.action === null && uses.action === null && given['action'] === undefined)
    reading.say('error', at, texts.noAction);
  return step;
}

function readMetadata(reading: Reading, root: JsonObject): JsonObject {
  const at = ['definition_metadata'];
  const metadata = reading.keys(reading.object(root['definition_metadata'], at), metadataKeys, at);
  for (const key of ['author', 'description'])
    if (metadata[key] !== undefined) metadata[key] = reading.text(metadata[key], [...at, key]);
  const { version } = metadata;
  if (version !== undefined && typeof version !== 'string' && typeof version !== 'number')
    reading.say('error', [...at, 'version'], texts.version);
  const above = reading.text(root['description'], ['description']);
  // The manager takes the description at the top only from 0.8 on.
  if (above !== null && (metadata['description'] ?? null) === null) metadata['description'] = above;
  return metadata;
}

interface ReadDefinition {
  /** Null where the text is no definition at all. */
  readonly definition: Definition | null;
  readonly issues: readonly Issue[];
}

export function readDefinition(value: unknown): ReadDefinition {
  const reading = new Reading();
  if (!isObject(value)) {
    const empty = value === undefined || value === null;
    return {
      definition: null,
      issues: [{ severity: 'error', path: [], message: empty ? texts.empty : texts.notDefinition }],
    };
  }
  const root = reading.keys(value, definitionKeys, []);
  const name = reading.text(root['name'], ['name']);
  if (root['name'] === undefined || root['name'] === null || name === '') reading.say('error', ['name'], texts.noName);
  readParameters(reading, root['parameters'], ['parameters']);
  const steps = reading.list(root['steps'], ['steps']).map((step, index) => readStep(reading, step, ['steps', index]));
  if (steps.length === 0) reading.say('warning', ['steps'], texts.noSteps);
  const definition = {
    name: name ?? '',
    id: reading.text(root['workflow_definition_id'], ['workflow_definition_id']),
    metadata: readMetadata(reading, root),
    parameters: reading.parameters,
    steps,
  };
  return { definition, issues: reading.issues };
}
