/** A parsed workflow definition: each key has one spelling, parameters are in one list, and every part has its path. */
import { isObject, type JsonObject } from '#api/client/wire.ts';
import type { NewWorkflowDefinition, StepFields, StepParameters } from '#api/managers/workflowDefinition.ts';
import type { Path } from './source.ts';

export interface Parameter {
  readonly kind: 'json' | 'file' | 'feed_json' | 'feed_file';
  readonly key: string;
  readonly description: string | null;
  /** Null if a value is required. */
  readonly default: unknown;
  /** Source of a feed-forward value: the key or index of a step. */
  readonly step: string | number | null;
  readonly label: string | null;
  readonly dataType: string | null;
  readonly path: Path;
}

export interface DefinitionStep extends StepFields {
  readonly path: Path;
  readonly conditions: readonly JsonObject[];
  readonly dataLabels: Readonly<Record<string, string>>;
  readonly uses: StepParameters;
}

export interface Definition {
  readonly name: string;
  readonly id: string | null;
  readonly metadata: JsonObject;
  readonly parameters: readonly Parameter[];
  readonly steps: readonly DefinitionStep[];
}

/** Returns `2. Read the plate`: the step's number from 1, and its title. */
export function stepTitle(step: Pick<DefinitionStep, 'name' | 'key' | 'action'>, index: number): string {
  const name = step.name ?? step.key ?? step.action;
  return name === null || name === '' ? `${index + 1}` : `${index + 1}. ${name}`;
}

/** Removes `null`, `undefined` and empty collections. */
function omitEmpty(object: JsonObject): JsonObject {
  const isEmpty = (value: unknown) =>
    value === null ||
    value === undefined ||
    (Array.isArray(value) && value.length === 0) ||
    (isObject(value) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
}

function toParameterBody(parameter: Parameter): { key: string } & JsonObject {
  const { key, description } = parameter;
  const descriptionField = description === null ? {} : { description };
  switch (parameter.kind) {
    case 'json':
      return { key, ...descriptionField, parameter_type: 'json_input', default: parameter.default };
    case 'file':
      return { key, ...descriptionField, parameter_type: 'file_input' };
    default: {
      const file = parameter.kind === 'feed_file';
      return {
        key,
        ...descriptionField,
        parameter_type: file ? 'feed_forward_file' : 'feed_forward_json',
        step: parameter.step ?? 0,
        ...(parameter.label === null ? {} : { label: parameter.label }),
        data_type: parameter.dataType ?? (file ? 'file' : 'json'),
      };
    }
  }
}

/** Returns the definition in the spelling that MADSci 0.7 and 0.8 accept; inline parameters are moved to the lists. */
export function toRequestBody(definition: Definition, author: string | null = null): NewWorkflowDefinition {
  const bodiesOfKind = (kinds: readonly Parameter['kind'][]) =>
    definition.parameters.filter(({ kind }) => kinds.includes(kind)).map(toParameterBody);
  const metadata = { ...definition.metadata };
  if (author !== null && author !== '' && !metadata['author']) metadata['author'] = author;
  return {
    name: definition.name,
    ...(definition.id === null ? {} : { workflow_definition_id: definition.id }),
    definition_metadata: metadata,
    parameters: {
      json_inputs: bodiesOfKind(['json']),
      file_inputs: bodiesOfKind(['file']),
      feed_forward: bodiesOfKind(['feed_json', 'feed_file']),
    },
    steps: definition.steps.map((step) =>
      omitEmpty({
        name: step.name,
        key: step.key,
        description: step.description,
        action: step.action,
        node: step.node,
        args: step.args,
        files: step.files,
        locations: step.locations,
        conditions: step.conditions,
        data_labels: step.dataLabels,
        use_parameters: omitEmpty({ ...step.uses }),
      }),
    ),
  };
}
