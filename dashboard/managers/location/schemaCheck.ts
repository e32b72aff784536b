/**
 * Whether a representation is what its template says. The location manager keeps the template's JSON Schema and holds
 * nobody to it. It has the whole of zod with it, so the page
 * asks it in a worker.
 */
import { fromJSONSchema } from 'zod';
import { isObject, type JsonObject } from '../../../api/client/wire.ts';
import { errorText } from '../../../api/errorText.ts';
import type { RepresentationTemplate } from '../../../api/managers/locationTemplate.ts';

interface SchemaProblem {
  /** Where in the value, as `position.1`; empty for the whole. */
  readonly at: string;
  readonly reason: string;
}

export interface SchemaVerdict {
  readonly problems: readonly SchemaProblem[];
  /** What the template requires and the value lacks. */
  readonly missing: readonly string[];
  /** Why the schema itself can't be checked; `null` where it can, or there is none. */
  readonly unreadable: string | null;
}

function bySchema(schema: JsonObject, value: unknown): Pick<SchemaVerdict, 'problems' | 'unreadable'> {
  try {
    const { error } = fromJSONSchema(schema).safeParse(value);
    const problems = (error?.issues ?? []).map(({ path, message }) => ({ at: path.join('.'), reason: message }));
    return { problems, unreadable: null };
  } catch (error) {
    // Part of JSON Schema has no counterpart, such as a reference to another address.
    return { problems: [], unreadable: errorText(error) };
  }
}

export function checkRepresentation(
  {
    schema_def: schema,
    required_overrides: required,
  }: Pick<RepresentationTemplate, 'schema_def' | 'required_overrides'>,
  value: unknown,
): SchemaVerdict {
  const missing = (required ?? []).filter((name) => !isObject(value) || !Object.hasOwn(value, name));
  return { missing, ...(schema ? bySchema(schema, value) : { problems: [], unreadable: null }) };
}

/** What the page and the worker that checks representations say to each other. */
export interface SchemaQuestion {
  readonly id: number;
  readonly template: Pick<RepresentationTemplate, 'schema_def' | 'required_overrides'>;
  readonly value: unknown;
}
export interface SchemaAnswer {
  readonly id: number;
  readonly verdict: SchemaVerdict;
}
