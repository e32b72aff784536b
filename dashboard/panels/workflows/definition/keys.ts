/**
 * Keys of a workflow definition, with the aliases that the manager accepts. The manager ignores other keys silently, so
 * the editor reports them. Source: MADSci 0.8.1, workcell manager.
 */
import { valueTypeFromPython } from '#dashboard/components/form/declared/pythonType.ts';
import { withLimits, type Limits, type Shape } from '#dashboard/components/form/declared/shape.ts';
import { definitionTexts } from './texts.ts';

export interface KeySet {
  /** The other spellings of each key, by the key that is sent. */
  readonly spellings: Readonly<Record<string, readonly string[]>>;
  /** True if other keys are kept. */
  readonly allowsOtherKeys?: true;
}

const keySet = (spellings: Readonly<Record<string, readonly string[]>>, allowsOtherKeys?: true): KeySet =>
  allowsOtherKeys === undefined ? { spellings } : { spellings, allowsOtherKeys };

export const definitionKeys = keySet({
  name: [],
  workflow_definition_id: [],
  definition_metadata: ['metadata'],
  description: [],
  parameters: ['params', 'workflow_params', 'workflow_parameters'],
  steps: [],
});

export const metadataKeys = keySet({ author: [], description: ['info'], version: [], ownership_info: [] }, true);

export const parameterGroups = keySet({
  json_inputs: ['value_inputs', 'json', 'inputs'],
  file_inputs: ['files'],
  feed_forward: [],
});

export const jsonInputKeys = keySet({ key: [], description: [], default: [], parameter_type: [] });
export const fileInputKeys = keySet({ key: [], description: [], parameter_type: [] });
export const feedForwardKeys = keySet({
  key: [],
  description: [],
  step: [],
  label: [],
  parameter_type: [],
  data_type: [],
});
/** An item of a flat list declares its type, and may use `name` and `type`. */
export const flatParameterKeys = keySet({
  key: ['name'],
  description: [],
  parameter_type: ['type'],
  default: [],
  step: [],
  label: [],
  data_type: [],
});

export const stepKeys = keySet({
  name: [],
  key: ['step_key'],
  description: [],
  node: [],
  action: [],
  args: ['arguments'],
  locations: ['location_args', 'location_arguments'],
  files: [],
  use_parameters: ['use_params', 'params', 'parameters'],
  conditions: [],
  data_labels: [],
});

export const parameterUseKeys = keySet({
  name: [],
  description: [],
  action: [],
  node: [],
  args: ['arguments'],
  locations: [],
});

const presenceKeys = keySet({
  condition_type: [],
  condition_name: [],
  location_name: [],
  location_id: [],
  key: [],
  resource_class: [],
});
const fieldCheckKeys = keySet({
  condition_type: [],
  condition_name: [],
  resource_id: [],
  resource_name: [],
  field: [],
  operator: [],
  target_value: [],
});
export const conditionKeys: Readonly<Record<string, KeySet>> = {
  resource_present: presenceKeys,
  no_resource_present: presenceKeys,
  resource_field_check: fieldCheckKeys,
  resource_child_field_check: keySet({ ...fieldCheckKeys.spellings, key: [] }),
};

export const operators = [
  'is_greater_than',
  'is_less_than',
  'is_equal_to',
  'is_greater_than_or_equal_to',
  'is_less_than_or_equal_to',
] as const;

/** The other spellings of all keys of a definition, for finding a key in the source. */
export const allSpellings: Readonly<Record<string, readonly string[]>> = [
  definitionKeys,
  metadataKeys,
  parameterGroups,
  flatParameterKeys,
  stepKeys,
].reduce<Record<string, string[]>>((all, { spellings }) => {
  for (const [key, others] of Object.entries(spellings)) all[key] = [...(all[key] ?? []), ...others];
  return all;
}, {});

/** Returns a sentence about a key; empty if the name is sufficient. */
export function describeKey(keys: KeySet, key: string): string {
  const text: Readonly<Record<string, string>> =
    keys === stepKeys || keys === parameterUseKeys ? definitionTexts.keys.step : definitionTexts.keys.definition;
  return text[key] ?? definitionTexts.keys.definition[key as 'name'] ?? '';
}

/** An action of the manager itself, for steps without a node. */
interface BuiltIn {
  readonly description: string;
  readonly args: Readonly<Record<string, BuiltInArgument>>;
}

interface BuiltInArgument {
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  /** Limits of the value; outside of them, the action always fails. */
  readonly limits?: Limits;
}

export const shapeOfBuiltIn = ({ type, limits = {} }: BuiltInArgument): Shape =>
  withLimits(valueTypeFromPython(type).shape, limits);

const awaitCompletion = {
  type: 'bool',
  required: false,
  description: 'Whether the step ends with the transfer, or at once',
};
export const builtIns: Readonly<Record<string, BuiltIn>> = {
  wait: {
    description: 'Waits.',
    args: {
      seconds: { type: 'float', required: true, description: 'How long, in seconds', limits: { minimum: 0 } },
    },
  },
  transfer: {
    description: 'Transfers the contents of one location to another, with any suitable nodes.',
    args: {
      source: { type: 'location', required: true, description: 'Name of the location to take it from' },
      target: { type: 'location', required: true, description: definitionTexts.builtIn.target },
      await_completion: awaitCompletion,
    },
  },
  transfer_resource: {
    description: 'Transfers a resource to a location, with any suitable nodes.',
    args: {
      resource_id: { type: 'str', required: true, description: 'ID of the resource' },
      target: { type: 'location', required: true, description: definitionTexts.builtIn.target },
      await_completion: awaitCompletion,
    },
  },
};
