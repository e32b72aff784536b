/**
 * Checks transfers before submitting: whether a path exists, which nodes execute it, whether the source has contents
 * and the target has room.
 */
import { definitionTexts } from './texts.ts';
import { fillStep, effectiveValues, type StepContext, type Values } from './fillStep.ts';
import type { LabKnowledge } from './labKnowledge.ts';
import { transferKey, type Transfer } from './plannedTransfer.ts';
import type { Definition, DefinitionStep } from './model.ts';

const texts = definitionTexts.lab;

const isSource = (argument: string) => /^(source|from)/.test(argument);
const isTarget = (argument: string) => /^(target|destination|to(_|$))/.test(argument);

/** Returns the step's locations with known names, by argument; a built-in step has them in its arguments. */
function listLocations({ args, locations, uses }: DefinitionStep, values: Values): [argument: string, name: string][] {
  const input = { ...args, ...locations };
  const used = Object.entries({ ...uses.args, ...uses.locations }).map(([name, key]) => [name, values[key]] as const);
  return [...Object.entries(input), ...used].flatMap(([argument, value]) =>
    typeof value === 'string' ? [[argument, value] as [string, string]] : [],
  );
}

function extractTransfer(step: DefinitionStep, index: number, values: Values): Transfer | null {
  const { node, action, nodeParameter } = fillStep(step, index, values);
  if (node !== null || nodeParameter !== null || action !== 'transfer') return null;
  const locationByArgument = new Map(listLocations(step, values));
  const [source, target] = [locationByArgument.get('source'), locationByArgument.get('target')];
  return source === undefined || target === undefined ? null : { source, target };
}

/** Returns the distinct transfers of the steps. */
export function listTransfers(definition: Definition, input: Values): readonly Transfer[] {
  const values = effectiveValues(definition, input);
  const transfers = definition.steps.flatMap((step, index) => extractTransfer(step, index, values) ?? []);
  return [...new Map(transfers.map((transfer) => [transferKey(transfer), transfer])).values()];
}

/** Returns the distinct names of the locations that steps take resources from or put resources in. */
export function listEndpoints(definition: Definition, input: Values, { locations }: LabKnowledge): readonly string[] {
  const values = effectiveValues(definition, input);
  const knownNames = new Set(locations.map(({ name }) => name));
  const all = definition.steps.flatMap((step) => listLocations(step, values));
  return [
    ...new Set(
      all.flatMap(([argument, name]) =>
        (isSource(argument) || isTarget(argument)) && knownNames.has(name) ? [name] : [],
      ),
    ),
  ];
}

/** @param checkNode reports the current state of a node on the path */
export function checkTransfer(context: StepContext, checkNode: (node: string) => void): void {
  const { filled, knowledge, values, report } = context;
  const { step, index } = filled;
  const transfer = extractTransfer(step, index, values);
  if (transfer !== null) {
    const planned = knowledge.transfers[transferKey(transfer)];
    if (planned?.kind === 'planned') {
      report('state', 'ok', texts.planned(planned.nodes.join(', ')));
      for (const node of planned.nodes) checkNode(node);
    } else if (planned?.kind === 'none')
      report(
        'locations',
        'problem',
        `No transfer is possible from “${transfer.source}” to “${transfer.target}”: ${planned.reason}.`,
      );
    else report('state', 'unchecked', texts.notPlanned(transfer.source, transfer.target, planned?.reason ?? ''));
  }
  for (const [argument, name] of listLocations(step, values)) {
    if (isSource(argument)) checkSource(context, name);
    else if (isTarget(argument)) checkTarget(context, name);
  }
}

function checkTarget({ filled, definition, knowledge, values, report }: StepContext, name: string): void {
  if (knowledge.contents[name]?.isFull !== true) return;
  const previousSteps = definition.steps.slice(0, filled.index);
  // An earlier step removes the resource from there.
  const isCleared = previousSteps.some((step) =>
    listLocations(step, values).some(([argument, from]) => from === name && isSource(argument)),
  );
  if (!isCleared) report('state', 'warning', `“${name}” is occupied now, and the step puts something there.`);
}

function checkSource({ filled, definition, knowledge, values, report }: StepContext, name: string): void {
  const contents = knowledge.contents[name];
  if (contents === undefined) return;
  const previousSteps = definition.steps.slice(0, filled.index);
  const isFilled = previousSteps.some((step) =>
    listLocations(step, values).some(([argument, to]) => to === name && !isSource(argument)),
  );
  switch (contents.state) {
    case 'something':
      return report('state', 'ok', `Something lies at “${name}”.`);
    case 'nothing':
      // An earlier step puts a resource there.
      return isFilled ? undefined : report('state', 'warning', texts.empty(name));
    case 'unrecorded':
      return report(
        'state',
        'unchecked',
        `Not checked whether anything lies at “${name}”: it has no resource that would record it.`,
      );
    case 'unknown':
      return report('state', 'unchecked', `Not checked whether anything lies at “${name}”: ${contents.reason}.`);
  }
}
