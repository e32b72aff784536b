/**
 * Resources as the resource manager serves them. All types share one wide table, so every resource has all columns, null
 * where they do not apply; `base_type` decides which columns are valid and the type of `children`. Source: MADSci 0.8.1,
 * resource manager; 0.7 is the same.
 */
import * as z from 'zod/mini';
import { id, jsonObject, managerTime, openEnum, ownershipInfo, jsonInteger, jsonNumber } from '../client/wire.ts';

export const baseTypes = [
  'resource',
  'asset',
  'consumable',
  'discrete_consumable',
  'continuous_consumable',
  'container',
  'collection',
  'row',
  'grid',
  'voxel_grid',
  'slot',
  'stack',
  'queue',
  'pool',
] as const;
const baseType = openEnum(baseTypes);
export type BaseType = (typeof baseTypes)[number];

export const customAttribute = z.looseObject({
  attribute_name: z.string(),
  attribute_description: z.nullish(z.string()),
  optional: z.optional(z.boolean()),
  default_value: z.optional(z.unknown()),
});

/** The fields of every resource type, in requests and responses. */
export const sharedColumns = {
  resource_name_prefix: z.nullish(z.string()),
  resource_class: z.nullish(z.string()),
  resource_description: z.nullish(z.string()),
  custom_attributes: z.nullish(z.array(customAttribute)),
  resource_url: z.nullish(z.string()),
  parent_id: z.nullish(id),
  /** Its key in the parent; the keys of a queue are not renumbered when one is popped. */
  key: z.nullish(z.string()),
  attributes: z.optional(jsonObject),
  created_at: z.nullish(managerTime),
  updated_at: z.nullish(managerTime),
  removed: z.optional(z.boolean()),
};

/** The columns of every stored resource. Times are naive UTC on SQLite and have a zone on PostgreSQL. */
const resourceColumns = {
  ...sharedColumns,
  resource_name: z.string(),
  base_type: baseType,
  owner: z.nullish(ownershipInfo),
  resource_id: id,
  /**
   * The amount of a consumable, the sum of a pool, the number of children of other containers. For a row, grid or voxel
   * grid the sum of the children's quantities, where assets count 0.
   */
  quantity: z.nullish(jsonNumber),
  capacity: z.nullish(jsonNumber),
  /** Accepted, but not stored by 0.8.1. */
  unit: z.nullish(z.string()),
  columns: z.nullish(jsonInteger),
  rows: z.nullish(jsonInteger),
  layers: z.nullish(jsonInteger),
  is_one_indexed: z.nullish(z.boolean()),
  template_name: z.nullish(z.string()),
  locked_until: z.nullish(managerTime),
  locked_by: z.nullish(z.string()),
};

const base = z.looseObject(resourceColumns);

/**
 * A resource with its children: by key in a container, collection or pool; in order in a stack (from the bottom), a
 * queue (from the front) and a slot; by position, null where empty, in a row; rows in a grid; grids in a voxel grid.
 */
export type Resource = z.infer<typeof base> & { children?: Children | undefined };
export type Children = (Resource | null)[] | { [key: string]: Resource } | null;

const children: z.ZodMiniType<Children, Children> = z.nullable(
  z.union([
    z.array(z.nullable(z.lazy(() => resource))),
    z.record(
      z.string(),
      z.lazy(() => resource),
    ),
  ]),
);

export const resource: z.ZodMiniType<Resource, Resource> = z.looseObject({
  ...resourceColumns,
  children: z.optional(children),
});

/**
 * The children with the manager's key of each, for every type of container; empty positions are omitted. In a row, grid
 * or voxel grid the key is the index from 0.
 */
export function listChildren(parent: Resource): { readonly key: string; readonly child: Resource }[] {
  const currentChildren = parent.children ?? [];
  const pairs = Array.isArray(currentChildren)
    ? currentChildren.map((child, index) => [String(index), child] as const)
    : Object.entries(currentChildren);
  return pairs.flatMap(([key, child]) => (child === null ? [] : [{ key: child.key ?? key, child }]));
}

/** Ancestors nearest first; the child IDs by parent for all descendants. */
export const resourceHierarchy = z.looseObject({
  ancestor_ids: z.array(id),
  resource_id: z.string(),
  descendant_ids: z.record(z.string(), z.array(id)),
});

/** One version of a resource, newest first; `version` counts over all resources. */
export const resourceVersion = z.looseObject({
  ...resourceColumns,
  version: jsonInteger,
  change_type: openEnum(['Added', 'Updated', 'Removed']),
  changed_at: z.nullish(managerTime),
  child_ids: z.nullish(z.array(id)),
});
export type ResourceVersion = z.infer<typeof resourceVersion>;

/** A template's own fields; `default_values` is the resource that it creates. */
const templateFields = {
  description: z.nullish(z.string()),
  required_overrides: z.nullish(z.array(z.string())),
  tags: z.nullish(z.array(z.string())),
  created_by: z.nullish(z.string()),
  version: z.nullish(z.string()),
  default_values: z.nullish(jsonObject),
};

export const resourceTemplateInfo = z.looseObject({
  template_name: z.string(),
  ...templateFields,
  created_at: z.nullish(managerTime),
  updated_at: z.nullish(managerTime),
});

/** A template as a resource, as in the lists of templates. */
export const resourceTemplate = z.looseObject({
  ...resourceColumns,
  resource_id: z.nullish(id),
  children: z.optional(children),
  ...templateFields,
});
export type ResourceTemplate = z.infer<typeof resourceTemplate>;
