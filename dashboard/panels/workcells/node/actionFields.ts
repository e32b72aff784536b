/** Form fields of an action, and their values as a workflow of one step. */
import type { ActionDefinition } from '#api/managers/action.ts';
import type { Location } from '#api/managers/location.ts';
import type { WorkcellStatus } from '#api/managers/workcell.ts';
import { workcellTexts } from '../texts.ts';
import type { FormValue } from '#dashboard/components/form/entry.ts';
import { fieldsOfAction, type FormField } from '#dashboard/components/form/field.ts';
import { describeWork, type NodeContext } from '#dashboard/managers/guards/nodeContext.ts';
import { nodeState } from '#dashboard/managers/workcell/nodeState.ts';
import type { SingleAction } from '#dashboard/managers/workcell/singleAction.ts';
import { truncate } from '#dashboard/base/texts.ts';
import type { JsonObject } from '#api/client/wire.ts';
import { formatJson } from '#api/exactJson.ts';

const texts = workcellTexts.send;

/** A workflow accepts one file per argument, even if the node accepts several. */
export function actionFields(action: ActionDefinition): readonly FormField[] {
  return fieldsOfAction(action).map((field) =>
    field.shape.kind === 'file' ? { ...field, shape: { ...field.shape, several: false } } : field,
  );
}

export function acceptsSeveralFiles(action: ActionDefinition): boolean {
  return fieldsOfAction(action).some(({ shape }) => shape.kind === 'file' && shape.several);
}

/** Returns the form's values as a step. */
export function toSingleStep(node: string, action: string, { args, locations, files }: FormValue): SingleAction {
  return {
    node,
    action,
    args,
    locations: Object.fromEntries(
      Object.entries(locations).map(([argument, location]) => [
        argument,
        typeof location === 'string' ? location : null,
      ]),
    ),
    files: Object.fromEntries(
      Object.entries(files).flatMap(([argument, file]) => (file instanceof File ? [[argument, file] as const] : [])),
    ),
  };
}

/** Returns whether the node has a representation of the location. */
export function isReachableBy({ representations }: Location, node: string): boolean {
  return Object.hasOwn(representations ?? {}, node);
}

/** Returns why an action would not start immediately; empty if it would. */
export function listWaitingReasons(context: NodeContext, status: WorkcellStatus | undefined): readonly string[] {
  const state = nodeState(context.node);
  const reasons: string[] = [];
  if (status?.errored === true) reasons.push(texts.waitReasons.workcell);
  if (state === 'busy')
    reasons.push(
      context.workflow === null ? texts.waitReasons.busyPlain : texts.waitReasons.busy(describeWork(context)),
    );
  else if (state !== 'ready') reasons.push(texts.waitReasons[state]);
  if (context.waitingCount > 0) reasons.push(texts.waitReasons.queue(context.waitingCount));
  return reasons;
}

/** Returns the declared results: `value (number), image (file)`. */
export function describeResults({ results }: Pick<ActionDefinition, 'results'>): string {
  const list = Object.values(results ?? {}).map(({ result_label: label, result_type: type }) => `${label} (${type})`);
  return list.length === 0 ? '' : `Returns ${list.join(', ')}`;
}

/** Returns the first sentence of a description, for a single line. */
export function firstSentence(description: string): string {
  const text = description.trim();
  const end = /[.!?](?=\s)|\n/.exec(text);
  return end === null ? text : text.slice(0, end.index + (end[0] === '\n' ? 0 : 1)).trim();
}

/** Returns the text after the first sentence; empty if there is none. */
export function furtherSentences(description: string): string {
  return description.trim().slice(firstSentence(description).length).trim();
}

const maxLength = 80;

/** Returns a value on one line. */
export function formatValue(value: unknown): string {
  const text = formatJson(value);
  return truncate(text, maxLength);
}

/** Returns one item of `steps:`, with a line for each file that the workflow must declare. */
export async function formatStepYaml(step: JsonObject): Promise<string> {
  const { formatPythonYaml } = await import('#dashboard/base/pythonYaml.ts');
  const files = Object.values((step['files'] ?? {}) as Record<string, string>);
  return (
    files.map((key) => `# needs a file parameter: parameters: file_inputs: - key: ${key}\n`).join('') +
    formatPythonYaml([step])
  );
}
