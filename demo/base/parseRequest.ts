/** Parses request data. Unreadable data is rejected with status 422, in the same form for all managers. */
import * as z from 'zod/mini';
import type { OwnershipInfo } from '../../api/client/wire.ts';
import { ErrorResponse } from './handlers.ts';

/** The path of the invalid value, FastAPI's `loc`. */
type ErrorPath = readonly (string | number)[];

/** Returns the error response with status 422 and one entry. */
export function unprocessable(loc: ErrorPath, msg: string): ErrorResponse {
  return new ErrorResponse(422, [{ loc, msg }]);
}

/** Parses the JSON body with its schema. */
export function readBody<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  const result = z.safeParse(schema, body);
  if (result.success) return result.data;
  throw new ErrorResponse(
    422,
    result.error.issues.map(({ path, message }) => ({ loc: ['body', ...path.map(String)], msg: message })),
  );
}

/** Reads a number from the query; without a fallback it is required. */
export function readNumber(query: URLSearchParams, name: string, fallback?: number): number {
  const text = query.get(name);
  if (text === null && fallback !== undefined) return fallback;
  const value = Number(text ?? '');
  if (text !== null && text.trim() !== '' && Number.isFinite(value)) return value;
  throw unprocessable(['query', name], 'Input should be a valid number');
}

/** Reads a required text from the query. */
export function readText(query: URLSearchParams, name: string): string {
  const text = query.get(name);
  if (text === null) throw unprocessable(['query', name], 'Field required');
  return text;
}

/** Reads a boolean from the query. */
export function readBoolean(query: URLSearchParams, name: string, fallback: boolean): boolean {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^(true|false|1|0|yes|no|on|off)$/i.test(text)) {
    throw unprocessable(['query', name], 'Input should be a valid boolean');
  }
  return /^(true|1|yes|on)$/i.test(text);
}

/** Validates an optional time and returns its original text, because the event manager compares times as texts. */
export function readTime(text: string | null | undefined, loc: ErrorPath): string | undefined {
  if (text === null || text === undefined) return undefined;
  if (Number.isNaN(Date.parse(text))) throw unprocessable(loc, 'Input should be a valid datetime');
  return text;
}

/** Returns ownership as the managers store it: without empty fields. */
export function readOwnership(received: OwnershipInfo): OwnershipInfo {
  return Object.fromEntries(Object.entries(received).filter(([, value]) => value !== null && value !== undefined));
}
