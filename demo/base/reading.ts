/** Parses request data. Unreadable data is rejected with status 422, in the same form for all managers. */
import * as z from 'zod/mini';
import type { OwnershipInfo } from '../../api/client/wire.ts';
import { Refusal } from './handling.ts';

type Place = readonly (string | number)[];

/** A 422 with one entry. */
export function unprocessable(loc: Place, msg: string): Refusal {
  return new Refusal(422, [{ loc, msg }]);
}

/** The JSON body as its schema reads it. */
export function readBody<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  const result = z.safeParse(schema, body);
  if (result.success) return result.data;
  throw new Refusal(
    422,
    result.error.issues.map(({ path, message }) => ({ loc: ['body', ...path.map(String)], msg: message })),
  );
}

/** A number of the query; without a fallback it is required. */
export function readNumber(query: URLSearchParams, name: string, fallback?: number): number {
  const text = query.get(name);
  if (text === null && fallback !== undefined) return fallback;
  const value = Number(text ?? '');
  if (text !== null && text.trim() !== '' && Number.isFinite(value)) return value;
  throw unprocessable(['query', name], 'Input should be a valid number');
}

/** A text of the query that is required. */
export function readText(query: URLSearchParams, name: string): string {
  const text = query.get(name);
  if (text === null) throw unprocessable(['query', name], 'Field required');
  return text;
}

/** A boolean of the query. */
export function readBoolean(query: URLSearchParams, name: string, fallback: boolean): boolean {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^(true|false|1|0|yes|no|on|off)$/i.test(text)) {
    throw unprocessable(['query', name], 'Input should be a valid boolean');
  }
  return /^(true|1|yes|on)$/i.test(text);
}

/** A time that may be missing, as the text that was sent: the event manager compares times as texts. */
export function readTime(text: string | null | undefined, loc: Place): string | undefined {
  if (text === null || text === undefined) return undefined;
  if (Number.isNaN(Date.parse(text))) throw unprocessable(loc, 'Input should be a valid datetime');
  return text;
}

/** Ownership as the managers store it: without empty members. */
export function readOwnership(received: OwnershipInfo): OwnershipInfo {
  return Object.fromEntries(Object.entries(received).filter(([, value]) => value !== null && value !== undefined));
}
