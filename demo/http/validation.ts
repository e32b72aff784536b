/** Checks a request against its endpoint's schemas; what is wrong is said as pydantic says it, with status 422. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../api/client/endpoint.ts';
import { Refusal } from '../base/handling.ts';
import type { Body } from './body.ts';

/** One entry of the `detail` of a 422. */
export interface Problem {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: unknown;
}

type Schema = z.core.$ZodType;

/** pydantic's name and sentence for the type that was expected. */
const expectations: Readonly<Record<string, readonly [type: string, msg: string]>> = {
  string: ['string_type', 'Input should be a valid string'],
  number: ['float_type', 'Input should be a valid number'],
  int: ['int_type', 'Input should be a valid integer'],
  boolean: ['bool_type', 'Input should be a valid boolean'],
  array: ['list_type', 'Input should be a valid list'],
  object: ['model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
  record: ['dict_type', 'Input should be a valid dictionary'],
};

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    found = typeof found === 'object' && found !== null ? (found as Record<PropertyKey, unknown>)[key] : undefined;
  }
  return found;
}

const place = (path: readonly PropertyKey[]) => path.map((key) => (typeof key === 'number' ? key : String(key)));

function problem(issue: z.core.$ZodIssue, body: unknown): Problem {
  const loc = ['body', ...place(issue.path)];
  const input = at(body, issue.path);
  if (input === undefined) {
    return { type: 'missing', loc, msg: 'Field required', input: at(body, issue.path.slice(0, -1)) ?? null };
  }
  const expected = issue.code === 'invalid_type' ? expectations[issue.expected] : undefined;
  if (expected !== undefined) return { type: expected[0], loc, msg: expected[1], input };
  return { type: 'value_error', loc, msg: `Value error, ${issue.message}`, input, ctx: { error: {} } };
}

function refuse(problems: readonly Problem[]): never {
  throw new Refusal(422, problems);
}

/** The part of a schema's definition that says its type; optional and nullable ones wrap another. */
interface Described {
  readonly def: { readonly type: string; readonly innerType?: Described; readonly check?: unknown };
}

/** What lies below optional and nullable. */
function inner(schema: Described): { readonly type: string; readonly required: boolean } {
  let current = schema;
  let required = true;
  while (current.def.innerType !== undefined) {
    required = false;
    current = current.def.innerType;
  }
  return { type: current.def.check === 'number_format' ? 'int' : current.def.type, required };
}

function shape(schema: Schema): readonly (readonly [name: string, field: Described])[] {
  return schema instanceof z.ZodMiniObject ? Object.entries(schema.shape as unknown as Record<string, Described>) : [];
}

/** The words that pydantic takes for a boolean, in any case. */
const booleans = /^(true|false|1|0|on|off|yes|no|t|f|y|n)$/i;

/** Whether a boolean of the query is true; `fallback` where it isn't given. */
export function queryBoolean(query: URLSearchParams, name: string, fallback: boolean): boolean {
  const text = query.get(name);
  return text === null ? fallback : /^(true|1|on|yes|t|y)$/i.test(text);
}

export function checkQuery(endpoint: Endpoint, query: URLSearchParams): void {
  const problems: Problem[] = [];
  for (const [name, field] of endpoint.query === undefined ? [] : shape(endpoint.query)) {
    const loc = ['query', name];
    const input = query.get(name);
    const { type, required } = inner(field);
    if (input === null) {
      if (required) problems.push({ type: 'missing', loc, msg: 'Field required', input: null });
    } else if (type === 'boolean' && !booleans.test(input)) {
      const msg = 'Input should be a valid boolean, unable to interpret input';
      problems.push({ type: 'bool_parsing', loc, msg, input });
    } else if (type === 'int' && !/^\s*[+-]?\d+\s*$/.test(input)) {
      const msg = 'Input should be a valid integer, unable to parse string as an integer';
      problems.push({ type: 'int_parsing', loc, msg, input });
    } else if (type === 'number' && (input.trim() === '' || Number.isNaN(Number(input)))) {
      const msg = 'Input should be a valid number, unable to parse string as a number';
      problems.push({ type: 'float_parsing', loc, msg, input });
    }
  }
  if (problems.length > 0) refuse(problems);
}

function checkJson(schema: Schema, optional: boolean, body: Body): unknown {
  if (body.type === 'badJson') {
    const ctx = { error: body.why };
    refuse([{ type: 'json_invalid', loc: ['body', body.at], msg: 'JSON decode error', input: {}, ctx }]);
  }
  if (body.type !== 'json') {
    if (body.type === 'none' && optional) return undefined;
    if (body.type === 'none') refuse([{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }]);
    const [type, msg] = ['model_attributes_type', expectations['object']?.[1] ?? ''];
    refuse([{ type, loc: ['body'], msg, input: body.type === 'text' ? body.text : body.fields }]);
  }
  if (body.value === null && optional) return undefined;
  const result = z.safeParse(schema, body.value);
  if (!result.success) refuse(result.error.issues.map((issue) => problem(issue, body.value)));
  return body.value;
}

function checkForm(fields: Schema, body: Body): void {
  const given = body.type === 'form' ? body.fields : {};
  const missing = shape(fields).filter(([name, field]) => inner(field).required && !Object.hasOwn(given, name));
  if (missing.length === 0) return;
  refuse(missing.map(([name]) => ({ type: 'missing', loc: ['body', name], msg: 'Field required', input: null })));
}

/** The JSON body as it came, once it is known to be as the endpoint wants it. Forms are only checked for what is missing. */
export function checkBody(endpoint: Endpoint, body: Body): unknown {
  if (endpoint.body === undefined) return body.type === 'json' ? body.value : undefined;
  if (endpoint.body.type === 'json') return checkJson(endpoint.body.schema, endpoint.body.optional === true, body);
  checkForm(endpoint.body.fields, body);
  return undefined;
}
