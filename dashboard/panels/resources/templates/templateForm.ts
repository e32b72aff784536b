/** Forms of a template: fields and request bodies, limited to what the manager can change. Pure. */
import type { JsonObject } from '../../../../api/client/wire.ts';
import type { ResourceBody } from '../../../../api/managers/resourceBody.ts';
import type { Resource, ResourceTemplate } from '../../../../api/managers/resourceTypes.ts';
import { sameJson } from '../../../base/sameJson.ts';
import { valueField, type FormField } from '../../../components/form/field.ts';
import { text, type Shape } from '../../../components/form/declared/shape.ts';
import { findConflicts, type Conflict } from '../../../managers/commands/conflicts.ts';
import { addFields } from '../operations/addChild.ts';
import { removeIdentity } from '../operations/recipe.ts';
import { templateTexts } from './texts.ts';

const texts = templateTexts.fields;
const message: Shape = { kind: 'list', item: text };

const name = valueField('template_name', text, { title: texts.name, required: true });
const templateFields: readonly FormField[] = [
  valueField('description', text, { title: texts.description }),
  valueField('required_overrides', message, { title: texts.required, description: templateTexts.requiredHint }),
  valueField('tags', message, { title: texts.tags }),
  valueField('version', text, { title: texts.version }),
];

/** Fields of the resulting resource that the manager can change consistently in a template; sizes are not among them. */
const changeable: ReadonlySet<string> = new Set(['resource_class', 'quantity', 'capacity', 'attributes']);

export type TemplateMode = 'new' | 'edit' | 'saveAs' | 'fromResource';

/** @param type base type of the resulting resource */
export function formFields(mode: TemplateMode, type: string): readonly FormField[] {
  if (mode === 'saveAs' || mode === 'fromResource') return [name, ...templateFields];
  const values = addFields(type).filter((one) => one.name !== 'resource_name' && one.name !== 'resource_description');
  if (mode === 'new') return [name, ...templateFields, ...values];
  return [
    ...templateFields,
    ...values.filter((one) => changeable.has(one.name)).map((one) => ({ ...one, required: false })),
  ];
}

/** Returns the initial values of the form. */
export function formValues(template: ResourceTemplate | null): { readonly args: Readonly<Record<string, unknown>> } {
  if (template === null) return { args: {} };
  const { description, required_overrides, tags, version, default_values: values } = template;
  const shown = { description, required_overrides, tags, version, ...pick(values ?? {}) };
  return { args: Object.fromEntries(Object.entries(shown).filter(([, value]) => !isNothing(value))) };
}
const pick = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([key]) => changeable.has(key)));
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || sameJson(value, []) || sameJson(value, {});

/** Returns the changed fields in the manager's format: a cleared field is sent as the empty value of its type. */
export function updatesOf(template: ResourceTemplate, values: Readonly<Record<string, unknown>>): JsonObject {
  const before = formValues(template).args;
  const changed = formFields('edit', template.base_type).filter(
    ({ name: key }) => !sameJson(before[key] ?? null, values[key] ?? null),
  );
  return Object.fromEntries(
    changed.map(({ name: key, shape }) => [key, values[key] ?? nothingOf(shape)]),
  ) as JsonObject;
}

/** Returns the fields that were changed both here and concurrently since the form opened, and still differ. */
export function updateConflicts(
  initialTemplate: ResourceTemplate,
  now: ResourceTemplate,
  values: Readonly<Record<string, unknown>>,
): readonly Conflict[] {
  const [before, current] = [formValues(initialTemplate).args, formValues(now).args];
  return findConflicts(
    Object.keys(updatesOf(initialTemplate, values)).map((field) => ({
      field,
      initialValue: before[field] ?? null,
      currentValue: current[field] ?? null,
      editedValue: values[field] ?? null,
    })),
  );
}
function nothingOf(shape: Shape): unknown {
  if (shape.kind === 'list') return [];
  if (shape.kind === 'json') return {};
  return shape.kind === 'text' ? '' : null;
}

/** Returns why a template can't have this name; `null` if it can. */
export function nameProblem(newName: string, names: readonly string[]): string | null {
  if (newName !== newName.toLowerCase()) return templateTexts.problems.capitals;
  if (newName.includes('/')) return templateTexts.problems.slash;
  return names.includes(newName) ? templateTexts.problems.nameExists(newName) : null;
}

/** Fields that a template does not pass on: contents, removal, owner, template and URL. */
const omittedFields: ReadonlySet<string> = new Set(['children', 'removed', 'owner', 'template_name', 'resource_url']);

/** Returns the resource that a template creates copies of. */
export function patternOf(resource: Resource | JsonObject): ResourceBody {
  const entries = Object.entries(removeIdentity(resource) as JsonObject).filter(
    ([key, value]) => !omittedFields.has(key) && value !== null,
  );
  return Object.fromEntries(entries) as unknown as ResourceBody;
}

/** Returns the request body of a new template. */
export function newTemplate(values: Readonly<Record<string, unknown>>, resource: ResourceBody) {
  const list = (key: string): string[] => (Array.isArray(values[key]) ? values[key].map(String) : []);
  const line = (key: string): string => (typeof values[key] === 'string' ? values[key] : '');
  return {
    template_name: line('template_name'),
    resource,
    description: line('description'),
    required_overrides: list('required_overrides'),
    tags: list('tags'),
    ...(line('version') === '' ? {} : { version: line('version') }),
  };
}

/** Returns the form values of a new template's resource, without the template's own fields. */
export function resourceValues(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const mine = new Set([name, ...templateFields].map((one) => one.name));
  return Object.fromEntries(Object.entries(values).filter(([key]) => !mine.has(key)));
}
