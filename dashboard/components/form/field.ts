/** The fields of a form, from the actions that nodes declare and from the parameters of a workflow. */
import type { ActionDefinition, ArgumentDefinition } from '#api/managers/action.ts';
import type { WorkflowParameters } from '#api/managers/workflowDefinition.ts';
import { formatLimitRange, isWithinLimits } from './validate.ts';
import { valueTypeFromSchema } from './declared/jsonSchema.ts';
import { valueTypeFromPython } from './declared/pythonType.ts';
import { anyShape, textShape, makeValueType, type Limits, type Shape, type ValueType } from './declared/shape.ts';
import { extractLimits, extractUnit } from './declared/descriptionHints.ts';
import { kindFromName, isIdField, type SuggestionKind } from './suggestion.ts';
import { toNumber } from '#api/exactJson.ts';

export type Section = 'args' | 'locations' | 'files';
export const sections: readonly Section[] = ['args', 'locations', 'files'];

export interface FormField {
  readonly section: Section;
  readonly name: string;
  /** A display name, where `name` is a program's identifier. */
  readonly title?: string;
  readonly description: string;
  /** The declared type; `null` if none was declared. */
  readonly typeText: string | null;
  readonly shape: Shape;
  readonly nullable: boolean;
  readonly unit: string | null;
  /** A range that only the description names: displayed, not enforced. */
  readonly describedLimits: Limits;
  readonly required: boolean;
  /** `null` if there is no default; the managers don't distinguish this from the default `null`. */
  readonly default: unknown;
  /** The kind of objects that the value refers to, if any. */
  readonly refersTo?: SuggestionKind | null;
  /** Whether only an ID is valid. */
  readonly isId?: boolean;
}

/** Returns a field that is not declared by a node. */
export function valueField(name: string, shape: Shape, more: Partial<FormField> = {}): FormField {
  return {
    section: 'args',
    name,
    description: '',
    typeText: null,
    shape,
    nullable: false,
    unit: null,
    describedLimits: {},
    required: false,
    default: null,
    ...more,
  };
}

/** Identifies a field across lists of fields. */
export function fieldKey({ section, name }: Pick<FormField, 'section' | 'name'>): string {
  return `${section}.${name}`;
}

interface FieldDeclaration {
  readonly section: Section;
  readonly name: string;
  readonly description: string | null | undefined;
  readonly typeText: string | null;
  readonly type: ValueType;
  readonly required: boolean;
  readonly default: unknown;
  readonly refersTo?: SuggestionKind | null;
  readonly isId?: boolean;
}

const itemShape = (shape: Shape): Shape => (shape.kind === 'list' ? shape.item : shape);

function inferSuggestionKind({ shape }: ValueType, name: string): SuggestionKind | null {
  const { kind } = itemShape(shape);
  if (kind === 'location') return 'locations';
  return kind === 'text' ? kindFromName(name) : null;
}

function makeField({
  section,
  name,
  description,
  typeText,
  type,
  required,
  default: fallback,
  refersTo,
  isId = itemShape(type.shape).kind === 'text' && isIdField(name),
}: FieldDeclaration): FormField {
  const descriptionText = description ?? '';
  const isNumber = type.shape.kind === 'number';
  const usesDescribedLimits =
    isNumber && Object.keys(type.shape.kind === 'number' ? type.shape.limits : {}).length === 0;
  return {
    section,
    name,
    description: descriptionText,
    typeText,
    shape: type.shape,
    nullable: type.nullable,
    unit: isNumber ? (type.unit ?? extractUnit(descriptionText)) : null,
    describedLimits: usesDescribedLimits ? extractLimits(descriptionText) : {},
    required,
    default: fallback ?? null,
    refersTo: refersTo ?? inferSuggestionKind(type, name),
    isId,
  };
}

/** Returns the type of a node's argument: from its JSON schema if there is one, else from the Python type. */
function typeOfArgument(argument: ArgumentDefinition): ValueType {
  const schema = argument['json_schema'] ?? argument['schema'];
  if (typeof schema === 'object' && schema !== null && !Array.isArray(schema))
    return valueTypeFromSchema(schema as Readonly<Record<string, unknown>>);
  return valueTypeFromPython(argument.argument_type);
}

function fieldOfArgument(section: Section, argument: ArgumentDefinition, type: ValueType): FormField {
  return makeField({
    section,
    name: argument.name,
    description: argument.description,
    typeText: argument.argument_type,
    type,
    required: argument.required,
    default: argument.default,
  });
}

function fileType(argument: ArgumentDefinition): ValueType {
  return makeValueType({ kind: 'file', several: /\b(?:list|sequence|tuple|files)\b/i.test(argument.argument_type) });
}

/** Returns the fields of an action, as the node declares it. */
export function fieldsOfAction(action: Pick<ActionDefinition, 'args' | 'locations' | 'files'>): FormField[] {
  return [
    ...Object.values(action.args).map((argument) => fieldOfArgument('args', argument, typeOfArgument(argument))),
    ...Object.values(action.locations ?? {}).map((argument) =>
      fieldOfArgument('locations', argument, makeValueType({ kind: 'location' })),
    ),
    ...Object.values(action.files ?? {}).map((argument) => fieldOfArgument('files', argument, fileType(argument))),
  ];
}

/** The type of a parameter, taken from its first use, because a workflow doesn't declare types. */
export type ParameterUse = Pick<FormField, 'shape' | 'typeText' | 'unit' | 'nullable'> &
  Partial<Pick<FormField, 'refersTo' | 'isId'>>;

/** Infers the type of a default, only for unambiguous kinds. */
function typeOfDefault(value: unknown): ValueType {
  if (typeof value === 'boolean') return makeValueType({ kind: 'boolean' });
  if (toNumber(value) !== null) return makeValueType({ kind: 'number', integer: false, limits: {} });
  if (typeof value === 'string') return makeValueType(textShape);
  return makeValueType(anyShape);
}

/**
 * Returns the fields of a workflow's start form: its values and its files. A value's type comes from its use in `uses`,
 * else from its default; otherwise it is any JSON value.
 */
export function fieldsOfParameters(
  parameters: Pick<WorkflowParameters, 'json_inputs' | 'file_inputs'>,
  uses: Readonly<Record<string, ParameterUse>> = {},
): FormField[] {
  const values = (parameters.json_inputs ?? []).map(({ key, description, default: fallback }) => {
    const use = Object.hasOwn(uses, key) ? uses[key] : undefined;
    const type = use === undefined ? typeOfDefault(fallback) : makeValueType(use.shape, use.nullable, use.unit);
    const required = fallback === null || fallback === undefined;
    const typeText = use?.typeText ?? null;
    const refersTo = use?.refersTo ?? null;
    const isId = use?.isId === true;
    return makeField({
      section: 'args',
      name: key,
      description,
      typeText,
      type,
      required,
      default: fallback,
      refersTo,
      isId,
    });
  });
  const files = (parameters.file_inputs ?? []).map(({ key, description }) =>
    makeField({
      section: 'files',
      name: key,
      description,
      typeText: null,
      type: makeValueType({ kind: 'file', several: false }),
      required: true,
      default: null,
    }),
  );
  return [...values, ...files];
}

/** Returns the limits of a number as text: its own, or those in its description. Empty if there are none. */
export function formatLimits(formField: FormField): string {
  return (
    formatLimitRange(formField.shape.kind === 'number' ? formField.shape.limits : {}) ||
    formatLimitRange(formField.describedLimits)
  );
}

/** Returns whether a number is outside the range that its description names. */
export function exceedsDescribedLimits(formField: FormField, value: unknown): boolean {
  const number = toNumber(value);
  return number !== null && !isWithinLimits(number, formField.describedLimits);
}
