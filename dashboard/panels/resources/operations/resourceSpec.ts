/** Specifications of new resources: a base type or a template, and values that several resources can share. */
import type { JsonObject } from '#api/client/wire.ts';
import { isObject } from '#api/client/wire.ts';
import type { ResourceBody } from '#api/managers/resourceBody.ts';
import type { ResourceTemplate } from '#api/managers/resourceTypes.ts';

type Values = Readonly<Record<string, unknown>>;

export type ResourceSpec =
  { readonly type: string; readonly values: Values } | { readonly template: ResourceTemplate; readonly values: Values };

export const getSpecType = (spec: ResourceSpec): string => ('type' in spec ? spec.type : spec.template.base_type);

/** Returns whether the manager finds the template: it looks names up in lower case, so capitals make one unusable. */
export function isUsableTemplate({ template_name: name }: Pick<ResourceTemplate, 'template_name'>): boolean {
  return typeof name === 'string' && name !== '' && name === name.toLowerCase();
}

/** Returns whether resources from the template have children; those of a plate are its rows. */
export function hasParts({ default_values: values }: Pick<ResourceTemplate, 'default_values'>): boolean {
  const { children } = values ?? {};
  return typeof children === 'object' && children !== null && Object.keys(children).length > 0;
}

/**
 * Returns the overrides of a template: the manager replaces whole fields, so `attributes.lot` is merged into the
 * template's other attributes.
 */
export function buildOverrides(defaults: Values, values: Values): JsonObject {
  const overrides: JsonObject = {};
  for (const [path, value] of Object.entries(values)) {
    const [field = '', ...rest] = path.split('.');
    const base = overrides[field] ?? defaults[field];
    overrides[field] = (
      rest.length === 0 ? value : setNested(isObject(base) ? base : {}, rest, value)
    ) as JsonObject[string];
  }
  return overrides;
}

function setNested(base: Values, [field = '', ...rest]: readonly string[], value: unknown): Values {
  const inner = base[field];
  return { ...base, [field]: rest.length === 0 ? value : setNested(isObject(inner) ? inner : {}, rest, value) };
}

/** Returns the value at a path of a template's values; `undefined` if there is none. */
export function getValueAt(values: Values, path: string): unknown {
  return path.split('.').reduce<unknown>((current, field) => (isObject(current) ? current[field] : undefined), values);
}

/** Removes the IDs: each new resource needs children with new IDs, and a template contains those of its original. */
export function removeIdentity(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeIdentity);
  if (!isObject(value)) return value;
  const remaining = Object.entries(value).filter(([key]) => !identityFields.has(key));
  return Object.fromEntries(
    remaining.map(([key, item]) => [key, key === 'children' ? removeChildIdentity(item) : item] as const),
  );
}
const identityFields: ReadonlySet<string> = new Set([
  'resource_id',
  'parent_id',
  'key',
  'created_at',
  'updated_at',
  'locked_by',
  'locked_until',
]);
function removeChildIdentity(children: unknown): unknown {
  if (!isObject(children)) return removeIdentity(children);
  return Object.fromEntries(Object.entries(children).map(([key, child]) => [key, removeIdentity(child)]));
}

/** Returns the request body of a resource of this type. The manager stores a unit only as an attribute. */
export function newResourceBody(type: string, { unit, ...values }: Values): ResourceBody {
  const body = { base_type: type, ...values } as ResourceBody;
  if (typeof unit !== 'string' || unit.trim() === '') return body;
  return { ...body, attributes: { ...body.attributes, unit: unit.trim() } };
}

export function createSpecBody(
  spec: ResourceSpec,
  { id, name }: { readonly id: string; readonly name: string },
): ResourceBody {
  const idAndName = { resource_id: id, resource_name: name };
  if ('type' in spec) return { ...newResourceBody(spec.type, spec.values), ...idAndName };
  const { template, values } = spec;
  const defaults = removeIdentity(template.default_values ?? {}) as Values;
  return {
    ...defaults,
    ...buildOverrides(defaults, values),
    ...idAndName,
    base_type: template.base_type,
    template_name: template.template_name ?? '',
  } as ResourceBody;
}
