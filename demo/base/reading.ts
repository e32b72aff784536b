/**
 * Reads what a request brings. The server has checked bodies and queries against the tables of `api/` before; here
 * they become typed values, and what only the real manager's models refuse is refused in their words.
 */
import * as z from 'zod/mini';
import type { OwnershipInfo } from '../../api/client/wire.ts';
import { Refusal } from './handling.ts';

/** A 422 with one entry, as pydantic says it. */
export function unprocessable(loc: readonly (string | number)[], type: string, msg: string, input: unknown): Refusal {
  return new Refusal(422, [{ type, loc, msg, input }]);
}

/** The body as its schema sees it. */
export function readBody<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  const result = z.safeParse(schema, body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw unprocessable(
    ['body', ...(issue?.path ?? []).map(String)],
    'value_error',
    `Value error, ${issue?.message ?? ''}`,
    body,
  );
}

/** A whole number of the query. */
export function readInt(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  return text === null ? fallback : Math.trunc(readNumber(query, name));
}

/** A number of the query that has to be there. */
export function readNumber(query: URLSearchParams, name: string, fallback?: number): number {
  const text = query.get(name);
  if (text === null) {
    if (fallback !== undefined) return fallback;
    throw unprocessable(['query', name], 'missing', 'Field required', null);
  }
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  const msg = 'Input should be a valid number, unable to parse string as a number';
  throw unprocessable(['query', name], 'float_parsing', msg, text);
}

/** A text of the query that has to be there. */
export function readText(query: URLSearchParams, name: string): string {
  const text = query.get(name);
  if (text === null) throw unprocessable(['query', name], 'missing', 'Field required', null);
  return text;
}

const ulidForm = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

/** Whether the text can be a ULID. */
export function isUlid(text: string): boolean {
  return ulidForm.test(text);
}

/** Ownership as the managers keep it: without empty members, and ULIDs only. */
export function readOwnership(given: OwnershipInfo, loc: readonly (string | number)[]): OwnershipInfo {
  const kept = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  for (const [name, value] of kept) {
    if (typeof value === 'string' && isUlid(value)) continue;
    const msg = 'Value error, Encoded ULID has to be exactly 26 characters long.';
    throw unprocessable([...loc, name], 'value_error', msg, value);
  }
  return Object.fromEntries(kept);
}

const timeForm = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * A time as Python writes it after reading the text (`isoformat`), because events are compared with it as text:
 * `Z` becomes `+00:00`, no fraction is written where there is none. Undefined where it is no time.
 */
export function isoTime(text: string): string | undefined {
  const [, day, minutes = '00:00', seconds = '00', fraction = '', zone = ''] = timeForm.exec(text.trim()) ?? [];
  if (day === undefined || Number.isNaN(Date.parse(`${day}T${minutes}:${seconds}`))) return undefined;
  const digits = /[1-9]/.test(fraction) ? `.${fraction.padEnd(6, '0')}` : '';
  return `${day}T${minutes}:${seconds}${digits}${zone === 'Z' ? '+00:00' : zone}`;
}

/** The same of a query parameter or body field that may be missing; 422 where it is no time. */
export function readTime(text: string | null | undefined, loc: readonly (string | number)[]): string | undefined {
  if (text === null || text === undefined) return undefined;
  const time = isoTime(text);
  if (time !== undefined) return time;
  const msg = 'Input should be a valid datetime or date, invalid character in year';
  throw unprocessable(loc, 'datetime_from_date_parsing', msg, text);
}
