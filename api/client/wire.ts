/**
 * The parts that the bodies of all managers share: open enums, naive timestamps, owners and errors. Response schemas keep
 * unknown fields (`looseObject`): a later MADSci may add some, and a body that is sent back must not lose them. Source:
 * responses of MADSci 0.8.1's managers.
 */
import * as z from 'zod/mini';
import { toNumber } from '../exactJson.ts';

/** Any value besides the known ones; `string & {}` keeps the known ones in completion and in `switch`. */
export type OtherString = string & {};

/**
 * An enum that may grow: known values are typed, any other is accepted unchanged, so that a value of a newer manager is
 * shown and does not break the page.
 */
export function openEnum<const Values extends readonly string[]>(
  values: Values,
): z.ZodMiniType<Values[number] | OtherString, Values[number] | OtherString> & { readonly values: Values } {
  return Object.assign(z.string(), { values });
}

/**
 * A time in MADSci's format: ISO 8601, usually without a zone, which then means the local time of the manager's host.
 * Parse it with `parseManagerTime`, never with `new Date`.
 */
export const managerTime = z.string();

/** A duration in pydantic's format, such as `PT0.996324S`. Parse it with `parseDuration`. */
export const duration = z.string();

/** A ULID as text; not validated, because no code depends on its form. */
export const id = z.string();

/** An object with any content. */
export const jsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof jsonObject>;

const roundExactNumber = z.transform((value: number): number => toNumber(value) ?? value);
/** A number for calculations. `parseExactJson` keeps some numbers as text; here they are rounded. */
export const jsonNumber = z.pipe(roundExactNumber, z.number());
export const jsonInteger = z.pipe(roundExactNumber, z.int());

/** The key of a child: a name, an index, or [row, column] and [row, column, layer] in a grid. */
export const childKey = z.union([z.string(), jsonInteger, z.array(z.union([z.string(), jsonInteger]))]);

/** The owner of an object. Managers omit members without a value. */
export const ownershipInfo = z.looseObject({
  user_id: z.nullish(id),
  experiment_id: z.nullish(id),
  campaign_id: z.nullish(id),
  project_id: z.nullish(id),
  node_id: z.nullish(id),
  workcell_id: z.nullish(id),
  lab_id: z.nullish(id),
  step_id: z.nullish(id),
  workflow_id: z.nullish(id),
  manager_id: z.nullish(id),
});
export type OwnershipInfo = z.infer<typeof ownershipInfo>;

/** One error of a node, an action or the workcell. `errors` lists survive recovery: they are history, not state. */
export const errorEntry = z.looseObject({
  message: z.nullish(z.string()),
  logged_at: z.nullish(managerTime),
  error_type: z.nullish(z.string()),
});
export type ErrorEntry = z.infer<typeof errorEntry>;

/** `{message}`, the response to most deletions. */
export const messageResponse = z.looseObject({ message: z.string() });

/** A selector in MongoDB's language; the in-memory store of local labs supports only simple ones. */
export const selector = jsonObject;

/** The reservation of a node or a location. 0.8 locations have `expires`, 0.7 ones and nodes `start` and `end`. */
export const reservation = z.looseObject({
  owned_by: ownershipInfo,
  created: managerTime,
  expires: z.optional(managerTime),
  start: z.nullish(managerTime),
  end: z.nullish(managerTime),
});

/** Whether a JSON value is an object, and neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
