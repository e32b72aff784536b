/**
 * Validates a representation against its template. The location manager stores the template's JSON Schema but doesn't
 * enforce it. This module includes all of zod, so the page runs it in a worker.
 */
import { fromJSONSchema } from 'zod';
import { isObject, type JsonObject } from '#api/client/wire.ts';
import { errorText } from '#api/errorText.ts';
import type { RepresentationTemplate } from '#api/managers/locationTemplate.ts';

interface SchemaProblem {
  /** The path in the value, such as `position.1`; empty for the whole value. */
  readonly path: string;
  readonly reason: string;
}

export interface SchemaCheckResult {
  readonly problems: readonly SchemaProblem[];
  /** The required fields that the value lacks. */
  readonly missing: readonly string[];
  /** The reason why the schema itself is unusable; `null` if it is usable, or there is none. */
  readonly unreadable: string | null;
}

function validateWithSchema(schema: JsonObject, value: unknown): Pick<SchemaCheckResult, 'problems' | 'unreadable'> {
  try {
    const { error } = fromJSONSchema(schema).safeParse(value);
    const problems = (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), reason: message }));
    return { problems, unreadable: null };
  } catch (error) {
    // Some JSON Schema features are unsupported, such as references to other addresses.
    return { problems: [], unreadable: errorText(error) };
  }
}

export function checkRepresentation(
  {
    schema_def: schema,
    required_overrides: required,
  }: Pick<RepresentationTemplate, 'schema_def' | 'required_overrides'>,
  value: unknown,
): SchemaCheckResult {
  const missing = (required ?? []).filter((name) => !isObject(value) || !Object.hasOwn(value, name));
  return { missing, ...(schema ? validateWithSchema(schema, value) : { problems: [], unreadable: null }) };
}

/** The messages between the page and the validation worker. */
export interface SchemaCheckRequest {
  readonly id: number;
  readonly template: Pick<RepresentationTemplate, 'schema_def' | 'required_overrides'>;
  readonly value: unknown;
}
export interface SchemaCheckResponse {
  readonly id: number;
  readonly result: SchemaCheckResult;
}
