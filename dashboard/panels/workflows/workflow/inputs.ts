/** Values and files of a workflow with their origin. */
import { sameJson } from '#api/sameJson.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { workflowsTexts } from '../texts.ts';

const texts = workflowsTexts.inputs;

interface ValueLine {
  readonly key: string;
  readonly description: string;
  /** `undefined` if not available (yet). */
  readonly value: unknown;
  readonly origin: string;
}

export function listValueLines({
  parameters,
  parameter_values: parameterValues,
  steps,
}: Workflow): readonly ValueLine[] {
  const values = parameterValues ?? {};
  const inputLines = (parameters?.json_inputs ?? []).map((input): ValueLine => {
    const isGiven = input.key in values;
    const isDefault = isGiven && sameJson(values[input.key], input.default);
    return {
      key: input.key,
      description: input.description ?? '',
      value: isGiven ? values[input.key] : (input.default ?? undefined),
      origin:
        isGiven && !isDefault ? 'given at the start' : isGiven || input.default !== undefined ? 'default' : 'not given',
    };
  });
  const producedLines = (parameters?.feed_forward ?? [])
    .filter((parameter) => parameter.parameter_type !== 'feed_forward_file')
    .map((parameter): ValueLine => {
      const producer = describeStep(parameter.step, steps);
      const isGiven = parameter.key in values;
      return {
        key: parameter.key,
        description: parameter.description ?? '',
        value: values[parameter.key],
        origin: isGiven ? texts.produced(producer) : texts.notProduced(producer),
      };
    });
  const listedKeys = new Set([...inputLines, ...producedLines].map(({ key }) => key));
  const extraLines = Object.entries(values)
    .filter(([key]) => !listedKeys.has(key))
    .map(([key, value]): ValueLine => ({
      key,
      description: '',
      value,
      origin: 'given, but not part of the definition',
    }));
  return [...inputLines, ...producedLines, ...extraLines];
}

interface FileInputLine {
  readonly key: string;
  readonly description: string;
  /** Selected file name, or its source. */
  readonly origin: string;
  /** ID of the datapoint with the file. */
  readonly datapoint: string | null;
}

export function listFileInputLines(workflow: Workflow): readonly FileInputLine[] {
  const { parameters, file_input_paths: paths, file_input_ids: ids, steps } = workflow;
  const selectedLines = (parameters?.file_inputs ?? []).map((input) => ({
    key: input.key,
    description: input.description ?? '',
    origin: paths?.[input.key] ?? 'not given',
    datapoint: ids?.[input.key] ?? null,
  }));
  const producedLines = (parameters?.feed_forward ?? [])
    .filter((parameter) => parameter.parameter_type === 'feed_forward_file')
    .map((parameter) => {
      const id = ids?.[parameter.key] ?? null;
      const producer = describeStep(parameter.step, steps);
      return {
        key: parameter.key,
        description: parameter.description ?? '',
        origin: id === null ? texts.notProduced(producer) : texts.produced(producer),
        datapoint: id,
      };
    });
  return [...selectedLines, ...producedLines];
}

/** Returns a step with its number from 1: parameters name it by key, or by an index from 0. */
function describeStep(step: number | string | undefined, steps: Workflow['steps']): string {
  const index = typeof step === 'number' ? step : steps.findIndex(({ key }) => key === step);
  return index < 0 ? String(step ?? '') : String(index + 1);
}
