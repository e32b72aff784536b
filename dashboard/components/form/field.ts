/** The fields of a form, from what nodes declare of their actions and from what a workflow asks for at its start. */
import type { ActionDefinition, ArgumentDefinition } from '../../../api/managers/action.ts';
import type { WorkflowParameters } from '../../../api/managers/workflowDefinition.ts';
import { limitText, within } from './validate.ts';
import { shapeOfSchema } from './declared/jsonSchema.ts';
import { shapeOfPython } from './declared/pythonType.ts';
import { anything, text, typed, type Limits, type Shape, type Typed } from './declared/shape.ts';
import { statedLimits, statedUnit } from './declared/descriptionHints.ts';
import { kindNamedBy, isIdField, type SuggestionKind } from './suggestion.ts';

export type Section = 'args' | 'locations' | 'files';
export const sections: readonly Section[] = ['args', 'locations', 'files'];

export interface FormField {
  readonly section: Section;
  readonly name: string;
  /** What people read instead of the name, where that is a program's. */
  readonly title?: string;
  readonly description: string;
  /** The type as it was declared; null where nothing was. */
  readonly typeText: string | null;
  readonly shape: Shape;
  readonly nullable: boolean;
  readonly unit: string | null;
  /** A range that only the description names: it is said, not enforced. */
  readonly stated: Limits;
  readonly required: boolean;
  /** Null is no default: the managers don't tell the two apart. */
  readonly default: unknown;
  /** Of which kind of things it names one, where it does. */
  readonly names?: SuggestionKind | null;
  /** It takes an ID, and nothing else. */
  readonly isId?: boolean;
}

/** A field of a form that no node declared. */
export function valueField(name: string, shape: Shape, more: Partial<FormField> = {}): FormField {
  return {
    section: 'args',
    name,
    description: '',
    typeText: null,
    shape,
    nullable: false,
    unit: null,
    stated: {},
    required: false,
    default: null,
    ...more,
  };
}

/** By this a field is known from one list of fields to the next. */
export function fieldKey({ section, name }: Pick<FormField, 'section' | 'name'>): string {
  return `${section}.${name}`;
}

interface Declared {
  readonly section: Section;
  readonly name: string;
  readonly description: string | null | undefined;
  readonly typeText: string | null;
  readonly type: Typed;
  readonly required: boolean;
  readonly default: unknown;
  readonly names?: SuggestionKind | null;
  readonly isId?: boolean;
}

export const isResourceArgument = (name: string): boolean => kindNamedBy(name) === 'resources';

const itemOf = (shape: Shape): Shape => (shape.kind === 'list' ? shape.item : shape);

function namedBy({ shape }: Typed, name: string): SuggestionKind | null {
  const { kind } = itemOf(shape);
  if (kind === 'location') return 'locations';
  return kind === 'text' ? kindNamedBy(name) : null;
}

function field({
  section,
  name,
  description,
  typeText,
  type,
  required,
  default: fallback,
  names,
  isId = itemOf(type.shape).kind === 'text' && isIdField(name),
}: Declared): FormField {
  const hint = description ?? '';
  const number = type.shape.kind === 'number';
  const stated = number && Object.keys(type.shape.kind === 'number' ? type.shape.limits : {}).length === 0;
  return {
    section,
    name,
    description: hint,
    typeText,
    shape: type.shape,
    nullable: type.nullable,
    unit: number ? (type.unit ?? statedUnit(hint)) : null,
    stated: stated ? statedLimits(hint) : {},
    required,
    default: fallback ?? null,
    names: names ?? namedBy(type, name),
    isId,
  };
}

/** What a node says of an argument: a JSON schema where it gives one, else the Python type. */
function typeOfArgument(argument: ArgumentDefinition): Typed {
  const schema = argument['json_schema'] ?? argument['schema'];
  if (typeof schema === 'object' && schema !== null && !Array.isArray(schema))
    return shapeOfSchema(schema as Readonly<Record<string, unknown>>);
  return shapeOfPython(argument.argument_type);
}

function ofArgument(section: Section, argument: ArgumentDefinition, type: Typed): FormField {
  return field({
    section,
    name: argument.name,
    description: argument.description,
    typeText: argument.argument_type,
    type,
    required: argument.required,
    default: argument.default,
  });
}

function fileType(argument: ArgumentDefinition): Typed {
  return typed({ kind: 'file', several: /\b(?:list|sequence|tuple|files)\b/i.test(argument.argument_type) });
}

/** The form of an action, as the node declares it. */
export function fieldsOfAction(action: Pick<ActionDefinition, 'args' | 'locations' | 'files'>): FormField[] {
  return [
    ...Object.values(action.args).map((argument) => ofArgument('args', argument, typeOfArgument(argument))),
    ...Object.values(action.locations ?? {}).map((argument) =>
      ofArgument('locations', argument, typed({ kind: 'location' })),
    ),
    ...Object.values(action.files ?? {}).map((argument) => ofArgument('files', argument, fileType(argument))),
  ];
}

/** What the first use of a parameter tells of its type; a workflow itself doesn't. */
export type ParameterUse = Pick<FormField, 'shape' | 'typeText' | 'unit' | 'nullable'> &
  Partial<Pick<FormField, 'names' | 'isId'>>;

/** The type a default shows. Only the kinds that can't be mistaken. */
function typeOfDefault(value: unknown): Typed {
  if (typeof value === 'boolean') return typed({ kind: 'boolean' });
  if (typeof value === 'number') return typed({ kind: 'number', integer: false, limits: {} });
  if (typeof value === 'string') return typed(text);
  return typed(anything);
}

/**
 * The form of a workflow's start: its values and its files. `uses` tells for what each value is used, where that is
 * known: the type comes from there, else from the default, else it is any JSON value.
 */
export function fieldsOfParameters(
  parameters: Pick<WorkflowParameters, 'json_inputs' | 'file_inputs'>,
  uses: Readonly<Record<string, ParameterUse>> = {},
): FormField[] {
  const values = (parameters.json_inputs ?? []).map(({ key, description, default: fallback }) => {
    const use = Object.hasOwn(uses, key) ? uses[key] : undefined;
    const type = use === undefined ? typeOfDefault(fallback) : typed(use.shape, use.nullable, use.unit);
    const required = fallback === null || fallback === undefined;
    const typeText = use?.typeText ?? null;
    const names = use?.names ?? null;
    const isId = use?.isId === true;
    return field({ section: 'args', name: key, description, typeText, type, required, default: fallback, names, isId });
  });
  const files = (parameters.file_inputs ?? []).map(({ key, description }) =>
    field({
      section: 'files',
      name: key,
      description,
      typeText: null,
      type: typed({ kind: 'file', several: false }),
      required: true,
      default: null,
    }),
  );
  return [...values, ...files];
}

/** The limits of a number, in words: its own, or those its description names. Empty where there are none. */
export function limitsOf(of: FormField): string {
  return limitText(of.shape.kind === 'number' ? of.shape.limits : {}) || limitText(of.stated);
}

/** Whether a number is out of the range that only its description names. */
export function beyondStated(of: FormField, value: unknown): boolean {
  return typeof value === 'number' && !within(value, of.stated);
}
