/** The start form of a definition: each value has the type of the argument that uses it. */
import type { ActionDefinition } from '../../../../api/managers/action.ts';
import {
  fieldsOfAction,
  fieldsOfParameters,
  type FormField,
  type ParameterUse,
} from '../../../components/form/field.ts';
import { kindNamedBy, isIdField } from '../../../components/form/suggestion.ts';
import { shapeOfPython } from '../../../components/form/declared/pythonType.ts';
import { builtIns, builtInShape } from './keys.ts';
import { fillStep, valuesOf } from './filledStep.ts';
import type { LabKnowledge } from './labKnowledge.ts';
import type { Definition } from './model.ts';
import { usesOf, type Use } from './references.ts';

function useOfField(field: FormField): ParameterUse {
  const { shape, typeText, unit, nullable, names = null, isId = false } = field;
  return { shape, typeText, unit, nullable, names, isId };
}

function useOfBuiltIn(action: string | null, argument: string): ParameterUse | null {
  const declared = Object.hasOwn(builtIns, action ?? '') ? builtIns[action ?? '']?.args[argument] : undefined;
  if (declared === undefined) return null;
  const { nullable } = shapeOfPython(declared.type);
  return {
    shape: builtInShape(declared),
    nullable,
    typeText: declared.type,
    unit: argument === 'seconds' ? 's' : null,
    names: kindNamedBy(argument),
    isId: isIdField(argument),
  };
}

/** Returns the type of a parameter from its use; `null` if unknown. */
function typeOf(use: Use, definition: Definition, knowledge: LabKnowledge): ParameterUse | null {
  const step = definition.steps[use.step];
  if (step === undefined) return null;
  if (use.as === 'locations') return { shape: { kind: 'location' }, typeText: 'location', unit: null, nullable: false };
  if (use.as === 'node' && knowledge.workcell.isResponding)
    return {
      shape: { kind: 'choice', options: Object.keys(knowledge.nodes) },
      typeText: 'node',
      unit: null,
      nullable: false,
    };
  if (use.as !== 'args') return { shape: { kind: 'text' }, typeText: null, unit: null, nullable: false };
  const { node, action } = fillStep(step, use.step, valuesOf(definition, {}));
  if (node === null) return useOfBuiltIn(action, use.argument ?? '');
  const actions = knowledge.nodes[node]?.actions;
  const declared: ActionDefinition | undefined =
    actions !== undefined && action !== null && Object.hasOwn(actions, action) ? actions[action] : undefined;
  const field = declared && fieldsOfAction({ args: declared.args }).find(({ name }) => name === use.argument);
  return field === undefined ? null : useOfField(field);
}

/** Returns the form fields for the values and files that a definition needs at its start. */
export function startFields(definition: Definition, knowledge: LabKnowledge): FormField[] {
  const uses: Record<string, ParameterUse> = {};
  for (const use of definition.steps.flatMap((step, index) => usesOf(step, index))) {
    if (Object.hasOwn(uses, use.parameter)) continue;
    const type = typeOf(use, definition, knowledge);
    if (type !== null) uses[use.parameter] = type;
  }
  const { parameters } = definition;
  // A duplicate key is an error of the definition, and a single field of the form.
  const uniqueParameters = parameters.filter(
    ({ key }, index) => parameters.findIndex((other) => other.key === key) === index,
  );
  const ofKind = (kind: 'json' | 'file') =>
    uniqueParameters
      .filter((parameter) => parameter.kind === kind)
      .map(({ key, description, default: fallback }) => ({ key, description, default: fallback }));
  return fieldsOfParameters({ json_inputs: ofKind('json'), file_inputs: ofKind('file') }, uses);
}
