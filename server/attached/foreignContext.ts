/** Parses the `/context` of another lab manager as untrusted input: an address or null for each key. */
import { contextKey, managerKeys } from '../../api/managers.ts';
import type { LabContext } from '../../api/lab/lab.ts';
import type { JsonObject } from '../net/foreignJson.ts';
import { tryParseUrl } from '../../api/url.ts';

export type ForeignContext =
  | { readonly ok: true; readonly context: LabContext }
  /** One clause per unusable key: `event_server_url is a number`. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Longest accepted address, in characters. */
const maxLength = 2000;

const keys = ['lab_server_url', ...managerKeys.map((key) => contextKey(key))] as const;

/** Returns the seven addresses, normalised as in a browser, or the problem of each unusable key. */
export function parseForeignContext(body: JsonObject): ForeignContext {
  const problems: string[] = [];
  const entries = keys.map((key) => {
    const value = body[key];
    const problem = findProblem(value);
    if (problem !== null) problems.push(`${key} ${problem}`);
    return [key, problem === null && typeof value === 'string' ? new URL(value).href : null] as const;
  });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, context: Object.fromEntries(entries) as LabContext };
}

/** The problem of a value; `null` if it is an address or null. */
function findProblem(value: unknown): string | null {
  if (value === undefined) return 'is missing';
  if (value === null) return null;
  if (typeof value !== 'string') return `is ${describeType(value)}, not an address`;
  const url = tryParseUrl(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return `is not an http or https address: ${quoteForMessage(value)}`;
  }
  if (url.username !== '' || url.password !== '') return 'holds a user name or password';
  if (/[?#]/.test(url.href)) return 'holds a query or a fragment';
  return value.length > maxLength ? `is longer than ${maxLength} characters` : null;
}

function describeType(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Shortens a foreign text and replaces characters that would break a line. */
function quoteForMessage(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '�');
  return `“${clean.length > 60 ? `${clean.slice(0, 59)}…` : clean}”`;
}
