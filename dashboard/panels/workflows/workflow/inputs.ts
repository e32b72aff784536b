/** Values and files of a workflow with their origin. Pure. */
import { sameJson } from '../../../../api/sameJson.ts';
import type { Workflow } from '../../../../api/managers/workflow.ts';
import { workflowsTexts } from '../texts.ts';

const texts = workflowsTexts.inputs;

interface ValueLine {
  readonly key: string;
  readonly description: string;
  /** `undefined` if not available (yet). */
  readonly value: unknown;
  readonly origin: string;
}

export function valueLines({ parameters, parameter_values: provided, steps }: Workflow): readonly ValueLine[] {
  const values = provided ?? {};
  const inputs = (parameters?.json_inputs ?? []).map((input): ValueLine => {
    const here = input.key in values;
    const isDefault = here && sameJson(values[input.key], input.default);
    return {
      key: input.key,
      description: input.description ?? '',
      value: here ? values[input.key] : (input.default ?? undefined),
      origin: here && !isDefault ? texts.startValue : here || input.default !== undefined ? texts.default : texts.unset,
    };
  });
  const producers = (parameters?.feed_forward ?? [])
    .filter((one) => one.parameter_type !== 'feed_forward_file')
    .map((one): ValueLine => {
      const from = stepText(one.step, steps);
      const here = one.key in values;
      return {
        key: one.key,
        description: one.description ?? '',
        value: values[one.key],
        origin: here ? texts.made(from) : texts.notMade(from),
      };
    });
  const known = new Set([...inputs, ...producers].map(({ key }) => key));
  const extra = Object.entries(values)
    .filter(([key]) => !known.has(key))
    .map(([key, value]): ValueLine => ({ key, description: '', value, origin: texts.extra }));
  return [...inputs, ...producers, ...extra];
}

interface FileInputLine {
  readonly key: string;
  readonly description: string;
  /** Selected file name, or its source. */
  readonly origin: string;
  /** ID of the datapoint with the file. */
  readonly datapoint: string | null;
}

export function fileInputLines(workflow: Workflow): readonly FileInputLine[] {
  const { parameters, file_input_paths: paths, file_input_ids: ids, steps } = workflow;
  const chosen = (parameters?.file_inputs ?? []).map((input) => ({
    key: input.key,
    description: input.description ?? '',
    origin: paths?.[input.key] ?? texts.noFile,
    datapoint: ids?.[input.key] ?? null,
  }));
  const producers = (parameters?.feed_forward ?? [])
    .filter((one) => one.parameter_type === 'feed_forward_file')
    .map((one) => {
      const id = ids?.[one.key] ?? null;
      const from = stepText(one.step, steps);
      return {
        key: one.key,
        description: one.description ?? '',
        origin: id === null ? texts.notMade(from) : texts.made(from),
        datapoint: id,
      };
    });
  return [...chosen, ...producers];
}

/** Returns a step with its number from 1: parameters name it by key, or by an index from 0. */
function stepText(step: number | string | undefined, steps: Workflow['steps']): string {
  const index = typeof step === 'number' ? step : steps.findIndex(({ key }) => key === step);
  return index < 0 ? String(step ?? '') : String(index + 1);
}
