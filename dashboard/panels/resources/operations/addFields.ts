/** What the form of a new resource asks for, by its type, and the body that it makes. Pure. */
import type { ResourceBody } from '../../../../api/managers/resourceBody.ts';
import { baseTypes, type ResourceTemplate } from '../../../../api/managers/resourceTypes.ts';
import { valueField, type FormField } from '../../../components/form/field.ts';
import { integer, real, text, type Limits, type Shape } from '../../../components/form/declared/shape.ts';
import { isConsumable } from '../../../managers/resource/amount.ts';
import { holdsInPlaces, isContainer } from '../../../managers/resource/resourceRow.ts';
import { resourcesTexts } from '../texts.ts';
import { looseValue } from './typedValue.ts';
import { valueAt } from './recipe.ts';

const texts = resourcesTexts.adding;
/** Whether its capacity is a field of its own: a slot takes one, a plate has its places. */
const hasCapacity = (kind: { readonly type: string }): boolean =>
  isConsumable(kind) || (isContainer(kind) && !holdsInPlaces(kind) && kind.type !== 'slot');

function field(name: string, title: string, shape: Shape, required = false, fallback: unknown = null): FormField {
  return valueField(name, shape, { title, required, default: fallback });
}
const number = (whole: boolean, limits: Limits): Shape => ({ ...(whole ? integer : real), limits }) as Shape;
/** Wells of the largest plate that the manager makes in bearable time: each is a row of its tables. */
const places = number(true, { minimum: 1, maximum: 100 });

/** The fields of a new resource of this type. */
export function addFields(type: string): readonly FormField[] {
  const whole = type !== 'continuous_consumable' && type !== 'consumable' && type !== 'pool';
  const amount = number(whole, { minimum: 0 });
  return [
    field('resource_name', texts.name, text, true),
    field('resource_class', texts.cls, text),
    field('resource_description', texts.description, text),
    ...(isConsumable({ type }) ? [field('quantity', texts.quantity, amount, true, 0)] : []),
    ...(hasCapacity({ type }) ? [field('capacity', texts.capacity, amount)] : []),
    ...(['grid', 'voxel_grid'].includes(type) ? [field('rows', texts.rows, places, true, 8)] : []),
    ...(holdsInPlaces({ type }) ? [field('columns', texts.columns, places, true, 12)] : []),
    ...(type === 'voxel_grid' ? [field('layers', texts.layers, places, true, 2)] : []),
    field('attributes', texts.attributes, { kind: 'json', expects: 'object' }),
  ];
}

/** Fields that a template may require and whose type is known; an attribute can be anything. */
const knownShapes: Readonly<Record<string, Shape>> = {
  resource_class: text,
  resource_description: text,
  quantity: number(false, { minimum: 0 }),
  capacity: number(false, { minimum: 0 }),
  rows: places,
  columns: places,
  layers: places,
};

/** The shape of what stands there in the template, so that a number is asked for as one; nothing known is a text. */
function shapeAt(defaults: Readonly<Record<string, unknown>>, path: string): Shape {
  const known = knownShapes[path];
  if (known !== undefined) return known;
  const value = valueAt(defaults, path);
  if (typeof value === 'number') return real;
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (path === 'attributes') return { kind: 'json', expects: 'object' };
  return typeof value === 'object' && value !== null ? { kind: 'json', expects: 'any' } : text;
}

/** The fields of a new resource from a template: its name, and what the template requires. */
export function templateFields({
  required_overrides: required,
  default_values: defaults,
}: Pick<ResourceTemplate, 'required_overrides' | 'default_values'>): readonly FormField[] {
  const asked = (required ?? []).filter((name) => name !== 'resource_name');
  return [
    field('resource_name', texts.name, text, true),
    ...asked.map((name) =>
      field(name, name, shapeAt(defaults ?? {}, name), true, valueAt(defaults ?? {}, name) ?? null),
    ),
  ];
}

/** What a template's form gives: of a text that nobody gave a type, the value that is meant. */
export function templateValues(
  template: Pick<ResourceTemplate, 'required_overrides' | 'default_values'>,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const untyped = (name: string): boolean =>
    knownShapes[name] === undefined && valueAt(template.default_values ?? {}, name) === undefined;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && untyped(name) ? looseValue(value) : value,
    ]),
  );
}

/** What a form begins with: values that must be sent, though nobody touches them. */
export function initialOf(fields: readonly FormField[]): { readonly args: Readonly<Record<string, unknown>> } {
  const known = fields.filter(({ required, default: value }) => required && value !== null);
  return { args: Object.fromEntries(known.map(({ name, default: value }) => [name, value])) };
}

/** What is sent; fields that were left empty take the manager's defaults. */
export function addBody(type: string, values: Readonly<Record<string, unknown>>): ResourceBody {
  return { base_type: type, ...values } as ResourceBody;
}

/** Those the dashboard offers: `resource` is the bare base of the others. */
export const offeredTypes = baseTypes.filter((type) => type !== 'resource');
