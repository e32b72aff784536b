/** Conditions on resources in steps and experiments. */
import * as z from 'zod/mini';
import { childKey, id, openEnum } from './client/wire.ts';

/** The last one behaves like "less than" in 0.8.1. */
const operator = openEnum([
  'is_greater_than',
  'is_less_than',
  'is_equal_to',
  'is_greater_than_or_equal_to',
  'is_less_than_or_equal_to',
]);

/**
 * A condition of any type; `condition_type` decides its fields. `resource_child_field_check` is accepted and never
 * evaluated in 0.8.1.
 */
export const condition = z.looseObject({
  condition_type: openEnum([
    'resource_present',
    'no_resource_present',
    'resource_field_check',
    'resource_child_field_check',
  ]),
  condition_name: z.optional(z.string()),
  location_id: z.nullish(id),
  location_name: z.nullish(z.string()),
  key: z.optional(childKey),
  resource_class: z.nullish(z.string()),
  resource_id: z.nullish(id),
  resource_name: z.nullish(z.string()),
  field: z.optional(z.string()),
  operator: z.optional(operator),
  target_value: z.optional(z.unknown()),
});
export type Condition = z.infer<typeof condition>;
