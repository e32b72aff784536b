/** The start form of a definition: each value has the type of the argument that uses it. */
import type { ActionDefinition } from '#api/managers/action.ts';
import {
  fieldsOfAction,
  fieldsOfParameters,
  type FormField,
  type ParameterUse,
} from '#dashboard/components/form/field.ts';
import { kindFromName, isIdField } from '#dashboard/components/form/suggestion.ts';
import { valueTypeFromPython } from '#dashboard/components/form/declared/pythonType.ts';
import { builtIns, shapeOfBuiltIn } from './keys.ts';
import { fillStep, effectiveValues } from './fillStep.ts';
import type { LabKnowledge } from './labKnowledge.ts';
import type { Definition } from './model.ts';
import { listUses, type Use } from './references.ts';

function fieldToUse(field: FormField): ParameterUse {
  const { shape, typeText, unit, nullable, refersTo = null, isId = false } = field;
  return { shape, typeText, unit, nullable, refersTo, isId };
}

function builtInToUse(action: string | null, argument: string): ParameterUse | null {
  const declaration = Object.hasOwn(builtIns, action ?? '') ? builtIns[action ?? '']?.args[argument] : undefined;
  if (declaration === undefined) return null;
  const { nullable } = valueTypeFromPython(declaration.type);
  return {
    shape: shapeOfBuiltIn(declaration),
    nullable,
    typeText: declaration.type,
    unit: argument === 'seconds' ? 's' : null,
    refersTo: kindFromName(argument),
    isId: isIdField(argument),
  };
}

/** Returns the type of a parameter from its use; `null` if unknown. */
function inferType(use: Use, definition: Definition, knowledge: LabKnowledge): ParameterUse | null {
  const step = definition.steps[use.step];
  if (step === undefined) return null;
  if (use.role === 'locations')
    return { shape: { kind: 'location' }, typeText: 'location', unit: null, nullable: false };
  if (use.role === 'node' && knowledge.workcell.isResponding)
    return {
      shape: { kind: 'choice', options: Object.keys(knowledge.nodes) },
      typeText: 'node',
      unit: null,
      nullable: false,
    };
  if (use.role !== 'args') return { shape: { kind: 'text' }, typeText: null, unit: null, nullable: false };
  const { node, action } = fillStep(step, use.step, effectiveValues(definition, {}));
  if (node === null) return builtInToUse(action, use.argument ?? '');
  const actions = knowledge.nodes[node]?.actions;
  const declaration: ActionDefinition | undefined =
    actions !== undefined && action !== null && Object.hasOwn(actions, action) ? actions[action] : undefined;
  const field = declaration && fieldsOfAction({ args: declaration.args }).find(({ name }) => name === use.argument);
  return field === undefined ? null : fieldToUse(field);
}

/** Returns the form fields for the values and files that a definition needs at its start. */
export function createStartFields(definition: Definition, knowledge: LabKnowledge): FormField[] {
  const uses: Record<string, ParameterUse> = {};
  for (const use of definition.steps.flatMap((step, index) => listUses(step, index))) {
    if (Object.hasOwn(uses, use.parameter)) continue;
    const type = inferType(use, definition, knowledge);
    if (type !== null) uses[use.parameter] = type;
  }
  const { parameters } = definition;
  // A duplicate key is an error of the definition, and a single field of the form.
  const uniqueParameters = parameters.filter(
    ({ key }, index) => parameters.findIndex((parameter) => parameter.key === key) === index,
  );
  const parametersOfKind = (kind: 'json' | 'file') =>
    uniqueParameters
      .filter((parameter) => parameter.kind === kind)
      .map(({ key, description, default: fallback }) => ({ key, description, default: fallback }));
  return fieldsOfParameters({ json_inputs: parametersOfKind('json'), file_inputs: parametersOfKind('file') }, uses);
}
