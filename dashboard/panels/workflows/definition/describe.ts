/** Descriptions of actions and their arguments for the hover tooltip. */
import type { ActionDefinition, ArgumentDefinition } from '#api/managers/action.ts';
import { builtIns } from './keys.ts';
import { fillStep, effectiveValues } from './fillStep.ts';
import type { LabKnowledge } from './labKnowledge.ts';
import type { Definition, DefinitionStep } from './model.ts';
import type { Source, SourceSpan } from './source.ts';
import { stringifyExactJson } from '#api/exactJson.ts';

function builtInDefinition(action: string): ActionDefinition | null {
  const declaration = Object.hasOwn(builtIns, action) ? builtIns[action] : undefined;
  if (declaration === undefined) return null;
  const args = Object.entries(declaration.args).map(
    ([name, { type, required, description }]): [string, ArgumentDefinition] => [
      name,
      { name, argument_type: type, required, description, default: null },
    ],
  );
  return { name: action, description: declaration.description, args: Object.fromEntries(args) };
}

/** Returns the action of a step as declared by its node; `null` if unknown. */
export function findAction(
  { node, action }: Pick<DefinitionStep, 'node' | 'action'>,
  knowledge: LabKnowledge,
): ActionDefinition | null {
  if (action === null) return null;
  if (node === null) return builtInDefinition(action);
  const actions = knowledge.nodes[node]?.actions ?? {};
  return Object.hasOwn(actions, action) ? (actions[action] ?? null) : null;
}

interface DescribedArgument {
  readonly name: string;
  readonly type: string;
  /** `required`, `default 600`, or nothing. */
  readonly note: string;
  readonly description: string;
}

export interface Description {
  readonly title: string;
  readonly description: string;
  readonly groups: readonly { readonly title: string; readonly items: readonly DescribedArgument[] }[];
}

function describeArgument(argument: ArgumentDefinition): DescribedArgument {
  const { name, argument_type: type, description, required } = argument;
  const fallback = argument.default ?? null;
  const note = fallback === null ? '' : `default ${stringifyExactJson(fallback)}`;
  return { name, type, note: required ? 'required' : note, description: description ?? '' };
}

function describeAction(action: ActionDefinition, node: string | null): Description {
  const results = Object.values(action.results ?? {}).map(({ result_label: name, result_type: type, description }) => ({
    name,
    type,
    note: '',
    description: description ?? '',
  }));
  const groups = [
    { title: 'Arguments', items: Object.values(action.args).map(describeArgument) },
    { title: 'Locations', items: Object.values(action.locations ?? {}).map(describeArgument) },
    { title: 'Files', items: Object.values(action.files ?? {}).map(describeArgument) },
    { title: 'Results', items: results },
  ].filter(({ items }) => items.length > 0);
  return {
    title: node === null ? action.name : `${node}: ${action.name}`,
    description: action.description ?? '',
    groups,
  };
}

/** Returns the description of the step's action at an offset, and the range of its text. */
export function describeAt(
  source: Source,
  definition: Definition | null,
  knowledge: LabKnowledge,
  offset: number,
): { readonly span: SourceSpan; readonly description: Description } | null {
  for (const [index, step] of (definition?.steps ?? []).entries()) {
    if (step.action === null) continue;
    const span = source.locate({ path: [...step.path, 'action'] });
    if (offset < span.from || offset > span.to) continue;
    const { node, action } = fillStep(step, index, definition === null ? {} : effectiveValues(definition, {}));
    const foundAction = findAction({ node, action }, knowledge);
    return foundAction === null ? null : { span, description: describeAction(foundAction, node) };
  }
  return null;
}
