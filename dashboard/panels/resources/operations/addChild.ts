/**
 * A new resource: the form fields of its type, and a single atomic request that adds it at its place without replacing
 * another.
 */
import { ManagerError } from '#api/client/managerError.ts';
import type { ResourceBody } from '#api/managers/resourceBody.ts';
import { type Resource, baseTypes, type ResourceTemplate } from '#api/managers/resourceTypes.ts';
import { NotConfirmedError } from '#dashboard/managers/commands/commandResult.ts';
import { resourcesTexts } from '../texts.ts';
import type { ResourceCommands } from './useResourceOperations.ts';
import { valueField, type FormField } from '#dashboard/components/form/field.ts';
import { readScalar } from '#dashboard/components/form/jsonText.ts';
import {
  integerShape,
  nameShape,
  realShape,
  textShape,
  type Limits,
  type Shape,
} from '#dashboard/components/form/declared/shape.ts';
import { isConsumable } from '#dashboard/managers/resource/amount.ts';
import { isGrid, isContainer } from '#dashboard/managers/resource/resourceRow.ts';
import { getValueAt } from './resourceSpec.ts';
import { toNumber } from '#api/exactJson.ts';

type Client = Pick<ResourceCommands, 'addResource' | 'pushResource'>;

/** Target: `null` for the top level; without a key the resource is pushed. */
export type AddTarget = { readonly parentId: string; readonly key: string | null } | null;

/**
 * Adds a resource at its place. The request contains the place as fields of the resource: the database then rejects an
 * occupied place, whereas the endpoint for children would replace its contents.
 * @param exists whether an earlier request, whose result was unknown, has added the resource
 * @throws ManagerError if the manager rejects the request; Error if the position has become occupied; NotConfirmedError if
 * the response differs
 */
export async function addChild(
  client: Client,
  body: ResourceBody & { readonly resource_id?: string | undefined },
  to: AddTarget,
  exists: boolean,
): Promise<'added' | 'existing'> {
  if (exists) return 'existing';
  try {
    const addedResource = await sendChild(client, body, to);
    if (addedResource?.resource_name !== body.resource_name)
      throw new NotConfirmedError(resourcesTexts.adding.unexpectedResponse);
  } catch (error) {
    explainOccupied(error);
  }
  return 'added';
}

/** Rethrows an error, with its reason in place of the database's text if the place has become occupied. */
export function explainOccupied(error: unknown): never {
  // Error texts of SQLite and PostgreSQL for two children with one key.
  if (error instanceof ManagerError && /unique constraint/i.test(error.reason))
    throw new Error(resourcesTexts.adding.filledMeanwhile, { cause: error });
  throw error;
}

/** @returns the added resource in the response; `undefined` if it is missing */
async function sendChild(
  client: Client,
  body: Parameters<typeof addChild>[1],
  to: AddTarget,
): Promise<Resource | undefined> {
  if (to === null) return client.addResource({ body });
  if (to.key !== null) return client.addResource({ body: { ...body, parent_id: to.parentId, key: to.key } });
  const parent = await client.pushResource({ resource_id: to.parentId, body: { child: body } });
  const children = Object.values(parent.children ?? {}).filter((child) => child !== null);
  return (
    children.find((child) => body.resource_id === undefined || child?.resource_id === body.resource_id) ?? undefined
  );
}

const texts = resourcesTexts.adding;
/** Returns whether the capacity is a field of the type: the capacity of a slot or a plate is fixed. */
const hasCapacity = (kind: { readonly type: string }): boolean =>
  isConsumable(kind) || (isContainer(kind) && !isGrid(kind) && kind.type !== 'slot');

function createField(name: string, title: string, shape: Shape, required = false, fallback: unknown = null): FormField {
  return valueField(name, shape, { title, required, default: fallback });
}
const numberShape = (isWhole: boolean, limits: Limits): Shape =>
  ({ ...(isWhole ? integerShape : realShape), limits }) as Shape;
/**
 * The number of rows, columns or layers of a plate. The manager stores a table row per well, so larger plates take too
 * long.
 */
const plateSizeShape = numberShape(true, { minimum: 1, maximum: 100 });

export function newResourceFields(type: string): readonly FormField[] {
  const isWhole = type !== 'continuous_consumable' && type !== 'consumable' && type !== 'pool';
  const amount = numberShape(isWhole, { minimum: 0 });
  return [
    createField('resource_name', texts.name, nameShape, true),
    createField('resource_class', texts.cls, textShape),
    createField('resource_description', texts.description, textShape),
    ...(isConsumable({ type }) ? [createField('quantity', texts.quantity, amount, true, 0)] : []),
    ...(hasCapacity({ type }) ? [createField('capacity', texts.capacity, amount)] : []),
    ...(isConsumable({ type }) ? [createField('unit', texts.unit, textShape)] : []),
    ...(['grid', 'voxel_grid'].includes(type) ? [createField('rows', texts.rows, plateSizeShape, true, 8)] : []),
    ...(isGrid({ type }) ? [createField('columns', texts.columns, plateSizeShape, true, 12)] : []),
    ...(type === 'voxel_grid' ? [createField('layers', texts.layers, plateSizeShape, true, 2)] : []),
    createField('attributes', texts.attributes, { kind: 'json', expects: 'object' }),
  ];
}

/** Types of the fields that a template may require; attributes have any type. */
const knownShapes: Readonly<Record<string, Shape>> = {
  resource_class: textShape,
  resource_description: textShape,
  quantity: numberShape(false, { minimum: 0 }),
  capacity: numberShape(false, { minimum: 0 }),
  rows: plateSizeShape,
  columns: plateSizeShape,
  layers: plateSizeShape,
};

const fieldTitles: Readonly<Record<string, string>> = {
  resource_class: texts.cls,
  resource_description: texts.description,
  quantity: texts.quantity,
  capacity: texts.capacity,
  rows: texts.rows,
  columns: texts.columns,
  layers: texts.layers,
  attributes: texts.attributes,
};

/** Returns the shape of a field by its default in the template, for example a number; text if there is none. */
function getDefaultShape(defaults: Readonly<Record<string, unknown>>, path: string): Shape {
  const knownShape = knownShapes[path];
  if (knownShape !== undefined) return knownShape;
  const value = getValueAt(defaults, path);
  if (toNumber(value) !== null) return realShape;
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (path === 'attributes') return { kind: 'json', expects: 'object' };
  return typeof value === 'object' && value !== null
    ? { kind: 'json', expects: 'any' }
    : { kind: 'text', isScalar: value === undefined };
}

/** Returns the form fields of a template: the name, and the required fields. */
export function templateFields({
  required_overrides: required,
  default_values: defaults,
}: Pick<ResourceTemplate, 'required_overrides' | 'default_values'>): readonly FormField[] {
  const requiredFields = (required ?? []).filter((name) => name !== 'resource_name');
  return [
    createField('resource_name', texts.name, nameShape, true),
    ...requiredFields.map((name) =>
      createField(
        name,
        fieldTitles[name] ?? name.replace(/^attributes\./, ''),
        getDefaultShape(defaults ?? {}, name),
        true,
        getValueAt(defaults ?? {}, name) ?? null,
      ),
    ),
  ];
}

/** The form refuses what can't be read. */
function readUntyped(text: string): unknown {
  const result = readScalar(text);
  return result.ok ? result.value : text;
}

/** Returns the values of a template's form; untyped text is parsed as a scalar. */
export function templateValues(
  template: Pick<ResourceTemplate, 'required_overrides' | 'default_values'>,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isUntyped = (name: string): boolean =>
    knownShapes[name] === undefined && getValueAt(template.default_values ?? {}, name) === undefined;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && isUntyped(name) ? readUntyped(value) : value,
    ]),
  );
}

/** Returns the initial values of a form: those that are sent even if unedited. */
export function initialValues(fields: readonly FormField[]): { readonly args: Readonly<Record<string, unknown>> } {
  const prefilled = fields.filter(({ required, default: value }) => required && value !== null);
  return { args: Object.fromEntries(prefilled.map(({ name, default: value }) => [name, value])) };
}

/** The types that the dashboard offers; `resource` is only the base of the others. */
export const offeredTypes = baseTypes.filter((type) => type !== 'resource');
