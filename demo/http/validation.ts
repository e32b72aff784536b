/** Checks a request against its endpoint's schemas; what is wrong is refused with status 422. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../api/client/endpoint.ts';
import { problemOf, unprocessable, type Problem } from '../base/reading.ts';
import { Refusal } from '../base/handling.ts';
import type { Body } from './body.ts';

type Schema = z.core.$ZodType;

function fieldsOf(schema: Schema | undefined): readonly (readonly [name: string, field: Schema])[] {
  return schema instanceof z.ZodMiniObject ? Object.entries(schema.shape as Readonly<Record<string, Schema>>) : [];
}

const accepts = (schema: Schema, value: unknown) => z.safeParse(schema, value).success;

/** The words that FastAPI takes for a boolean, in any case. */
const yes = /^(true|1|on|yes|t|y)$/i;
const no = /^(false|0|off|no|f|n)$/i;

/** Whether a boolean of the query is true; `fallback` where it isn't given. */
export function queryBoolean(query: URLSearchParams, name: string, fallback: boolean): boolean {
  const text = query.get(name);
  return text === null ? fallback : yes.test(text);
}

/** What a text of the query can stand for. */
function readings(text: string): readonly unknown[] {
  const boolean = yes.test(text) ? [true] : no.test(text) ? [false] : [];
  return [text, ...(text.trim() === '' ? [] : [Number(text)]), ...boolean];
}

export function checkQuery(endpoint: Endpoint, query: URLSearchParams): void {
  const problems = fieldsOf(endpoint.query).flatMap(([name, field]): Problem[] => {
    const text = query.get(name);
    const values = text === null ? [undefined] : readings(text);
    if (values.some((value) => accepts(field, value))) return [];
    return [{ loc: ['query', name], msg: text === null ? 'Field required' : `Input can’t be ${text}` }];
  });
  if (problems.length > 0) throw new Refusal(422, problems);
}

function checkJson(schema: Schema, optional: boolean, body: Body): unknown {
  const isEmpty = body.type === 'none' || (body.type === 'json' && body.value === null);
  if (isEmpty && optional) return undefined;
  if (body.type === 'none') throw unprocessable(['body'], 'Field required');
  if (body.type !== 'json') throw unprocessable(['body'], 'Input should be JSON');
  const result = z.safeParse(schema, body.value, { reportInput: true });
  if (!result.success) throw new Refusal(422, result.error.issues.map(problemOf));
  return body.value;
}

/** The JSON body as it came, once it is known to be as the endpoint wants it. Forms are only checked for what is missing. */
export function checkBody({ body: wanted }: Endpoint, body: Body): unknown {
  if (wanted === undefined) return body.type === 'json' ? body.value : undefined;
  if (wanted.type === 'json') return checkJson(wanted.schema, wanted.optional === true, body);
  const given = body.type === 'form' ? body.fields : {};
  const missing = fieldsOf(wanted.fields).filter(
    ([name, field]) => given[name] === undefined && !accepts(field, undefined),
  );
  if (missing.length === 0) return undefined;
  throw new Refusal(
    422,
    missing.map(([name]): Problem => ({ loc: ['body', name], msg: 'Field required' })),
  );
}
