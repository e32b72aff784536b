/**
 * Reads what a request brings. The server has checked bodies and queries against the tables of `api/` before; here
 * they become typed values, and what only the real manager's models refuse is refused.
 */
import * as z from 'zod/mini';
import type { OwnershipInfo } from '../../api/client/wire.ts';
import { Refusal } from './handling.ts';

/** One entry of the `detail` of a 422. */
export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** A 422 with one entry. */
export function unprocessable(loc: Problem['loc'], msg: string): Refusal {
  return new Refusal(422, [{ loc, msg } satisfies Problem]);
}

/** What a schema refuses in a body. */
export function problemOf({ path, ...issue }: z.core.$ZodIssue): Problem {
  const loc = ['body', ...path.map((key) => (typeof key === 'number' ? key : String(key)))];
  if (issue.code !== 'invalid_type') return { loc, msg: issue.message };
  return { loc, msg: issue.input === undefined ? 'Field required' : `Input should be a valid ${issue.expected}` };
}

/** The body as its schema sees it. */
export function readBody<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  const result = z.safeParse(schema, body, { reportInput: true });
  if (result.success) return result.data;
  throw new Refusal(422, result.error.issues.map(problemOf));
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
    throw unprocessable(['query', name], 'Field required');
  }
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw unprocessable(['query', name], 'Input should be a valid number');
}

/** A text of the query that has to be there. */
export function readText(query: URLSearchParams, name: string): string {
  const text = query.get(name);
  if (text === null) throw unprocessable(['query', name], 'Field required');
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
    throw unprocessable([...loc, name], 'Encoded ULID has to be exactly 26 characters long.');
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
  throw unprocessable(loc, 'Input should be a valid datetime');
}
