/** Forms of a template: fields and request bodies, limited to what the manager can change. */
import type { JsonObject } from '#api/client/wire.ts';
import type { ResourceBody } from '#api/managers/resourceBody.ts';
import type { Resource, ResourceTemplate } from '#api/managers/resourceTypes.ts';
import { sameJson } from '#api/sameJson.ts';
import { valueField, type FormField } from '#dashboard/components/form/field.ts';
import { nameShape, textShape, type Shape } from '#dashboard/components/form/declared/shape.ts';
import { findConflicts, type Conflict } from '#dashboard/managers/commands/conflicts.ts';
import { newResourceFields } from '../operations/addChild.ts';
import { removeIdentity } from '../operations/resourceSpec.ts';
import { templateTexts } from '../texts.ts';

const texts = templateTexts.fields;
const textList: Shape = { kind: 'list', item: nameShape };

const nameField = valueField('template_name', nameShape, { title: texts.name, required: true });
const templateFields: readonly FormField[] = [
  valueField('description', textShape, { title: 'Description' }),
  valueField('required_overrides', textList, {
    title: 'Required when it is used',
    description: 'Fields by their stored names, such as quantity, resource_class (the class) or attributes.lot.',
  }),
  valueField('tags', textList, { title: 'Tags' }),
  valueField('version', textShape, { title: texts.version }),
];

/** Fields of the resulting resource that the manager can change consistently in a template; sizes are not among them. */
const changeableFields: ReadonlySet<string> = new Set(['resource_class', 'quantity', 'capacity', 'attributes']);

export type TemplateMode = 'new' | 'edit' | 'saveAs' | 'fromResource';

/** @param type base type of the resulting resource */
export function formFields(mode: TemplateMode, type: string): readonly FormField[] {
  if (mode === 'saveAs' || mode === 'fromResource') return [nameField, ...templateFields];
  const values = newResourceFields(type).filter(
    (field) => field.name !== 'resource_name' && field.name !== 'resource_description',
  );
  if (mode === 'new') return [nameField, ...templateFields, ...values];
  return [
    ...templateFields,
    ...values.filter((field) => changeableFields.has(field.name)).map((field) => ({ ...field, required: false })),
  ];
}

export function formValues(template: ResourceTemplate | null): { readonly args: Readonly<Record<string, unknown>> } {
  if (template === null) return { args: {} };
  const { description, required_overrides, tags, version, default_values: values } = template;
  const fields = { description, required_overrides, tags, version, ...pickChangeableFields(values ?? {}) };
  return { args: Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value))) };
}
const pickChangeableFields = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([key]) => changeableFields.has(key)));
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || sameJson(value, []) || sameJson(value, {});

/** Returns the changed fields in the manager's format: a cleared field is sent as the empty value of its type. */
export function findUpdates(template: ResourceTemplate, values: Readonly<Record<string, unknown>>): JsonObject {
  const initial = formValues(template).args;
  const changed = formFields('edit', template.base_type).filter(
    ({ name: key }) => !sameJson(initial[key] ?? null, values[key] ?? null),
  );
  return Object.fromEntries(
    changed.map(({ name: key, shape }) => [key, values[key] ?? emptyValue(shape)]),
  ) as JsonObject;
}

/** Returns the fields that were changed both here and concurrently since the form opened, and still differ. */
export function findUpdateConflicts(
  initialTemplate: ResourceTemplate,
  currentTemplate: ResourceTemplate,
  values: Readonly<Record<string, unknown>>,
): readonly Conflict[] {
  const [previous, current] = [formValues(initialTemplate).args, formValues(currentTemplate).args];
  return findConflicts(
    Object.keys(findUpdates(initialTemplate, values)).map((field) => ({
      field,
      initialValue: previous[field] ?? null,
      currentValue: current[field] ?? null,
      editedValue: values[field] ?? null,
    })),
  );
}
function emptyValue(shape: Shape): unknown {
  if (shape.kind === 'list') return [];
  if (shape.kind === 'json') return {};
  return shape.kind === 'text' ? '' : null;
}

/** Returns why a template can't have this name; `null` if it can. */
export function findNameProblem(newName: string, names: readonly string[]): string | null {
  if (newName !== newName.toLowerCase()) return 'Use lower case only: the resource manager couldn’t find it again.';
  if (newName.includes('/')) return 'A name can’t have a slash in it.';
  return names.includes(newName) ? `A template ${newName} is there already; it would be replaced.` : null;
}

/** Fields that a template does not pass on: contents, removal, owner, template and URL. */
const omittedFields: ReadonlySet<string> = new Set(['children', 'removed', 'owner', 'template_name', 'resource_url']);

/** Returns the fields of a resource from which a template creates new resources. */
export function toTemplateResource(resource: Resource | JsonObject): ResourceBody {
  const entries = Object.entries(removeIdentity(resource) as JsonObject).filter(
    ([key, value]) => !omittedFields.has(key) && value !== null,
  );
  return Object.fromEntries(entries) as unknown as ResourceBody;
}

export function createTemplateBody(values: Readonly<Record<string, unknown>>, resource: ResourceBody) {
  const readList = (key: string): string[] => (Array.isArray(values[key]) ? values[key].map(String) : []);
  const readText = (key: string): string => (typeof values[key] === 'string' ? values[key] : '');
  return {
    template_name: readText('template_name'),
    resource,
    description: readText('description'),
    required_overrides: readList('required_overrides'),
    tags: readList('tags'),
    ...(readText('version') === '' ? {} : { version: readText('version') }),
  };
}

/** Returns the form values of a new template's resource, without the template's own fields. */
export function resourceValues(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const templateFieldNames = new Set([nameField, ...templateFields].map((field) => field.name));
  return Object.fromEntries(Object.entries(values).filter(([key]) => !templateFieldNames.has(key)));
}
