/**
 * Request bodies of resources: to add, to update, to define, to search. Source: MADSci 0.8.1, resource manager.
 */
import * as z from 'zod/mini';
import { customAttribute, sharedColumns } from './resourceTypes.ts';
import { id, jsonObject, ownershipInfo, jsonInteger, jsonNumber } from '../client/wire.ts';

const commonFields = {
  ...sharedColumns,
  resource_name: z.optional(z.string()),
  owner: z.optional(ownershipInfo),
  resource_id: z.optional(id),
};
const amountFields = { quantity: z.nullish(jsonNumber), capacity: z.nullish(jsonNumber), unit: z.nullish(z.string()) };
const capacityFields = { capacity: z.nullish(jsonNumber) };
const listFields = { ...capacityFields, children: z.nullish(z.array(z.nullable(jsonObject))) };
const keyedFields = { ...capacityFields, children: z.nullish(z.record(z.string(), jsonObject)) };
const columnFields = { columns: jsonInteger, is_one_indexed: z.nullish(z.boolean()) };
const gridFields = { ...columnFields, rows: jsonInteger };

function variant<const T extends string, S extends z.core.$ZodLooseShape>(type: T, shape: S) {
  return z.looseObject({ ...commonFields, base_type: z.literal(type), ...shape });
}

/**
 * A resource to add or update, with complete resources as children; its mandatory `base_type` decides which sizes are
 * required. An update replaces the whole resource, so unknown fields are sent too: an omitted field falls back to the
 * type's default.
 */
export const resourceBody = z.discriminatedUnion('base_type', [
  variant('resource', {}),
  variant('asset', {}),
  variant('consumable', amountFields),
  variant('discrete_consumable', amountFields),
  variant('continuous_consumable', amountFields),
  variant('container', keyedFields),
  variant('collection', keyedFields),
  variant('pool', keyedFields),
  variant('row', { ...listFields, ...columnFields }),
  variant('grid', { ...listFields, ...gridFields }),
  variant('voxel_grid', { ...listFields, ...gridFields, layers: jsonInteger }),
  variant('slot', listFields),
  variant('stack', listFields),
  variant('queue', listFields),
]);
export type ResourceBody = z.infer<typeof resourceBody>;

/** A definition for `init`: a resource without identity, and the sizes of a row, grid or voxel grid. */
export const resourceDefinition = z.looseObject({
  base_type: z.optional(z.string()),
  resource_name: z.optional(z.string()),
  resource_name_prefix: z.nullish(z.string()),
  resource_class: z.optional(z.string()),
  resource_description: z.nullish(z.string()),
  owner: z.optional(ownershipInfo),
  custom_attributes: z.nullish(z.array(customAttribute)),
  capacity: z.nullish(jsonNumber),
  quantity: z.optional(jsonNumber),
  unit: z.nullish(z.string()),
  columns: z.optional(jsonInteger),
  rows: z.optional(jsonInteger),
  layers: z.optional(jsonInteger),
});

/** The search criteria; any other key is refused. Empty texts filter nothing, and `resource_description` is ignored. */
export const resourceQuery = z.strictObject({
  resource_id: z.nullish(id),
  resource_name: z.nullish(z.string()),
  resource_description: z.nullish(z.string()),
  parent_id: z.nullish(id),
  resource_class: z.nullish(z.string()),
  base_type: z.nullish(z.string()),
  owner: z.nullish(ownershipInfo),
  unique: z.nullish(z.boolean()),
  multiple: z.nullish(z.boolean()),
});
