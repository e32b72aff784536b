/** The `/context` of another lab manager, parsed like anything from outside: an address or null for each key. Pure. */
import { contextKey, managerKeys } from '../../api/managers.ts';
import type { LabContext } from '../../api/lab/lab.ts';
import type { JsonObject } from '../net/foreignJson.ts';

export type ForeignContext =
  | { readonly ok: true; readonly context: LabContext }
  /** One sentence part a key: `event_server_url is a number`. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Longest address that is taken, in characters. */
const maxLength = 2000;

const keys = ['lab_server_url', ...managerKeys.map((key) => contextKey(key))] as const;

/** The seven addresses, normalised as a browser would; or, for each key that can't be used, why. */
export function parseForeignContext(body: JsonObject): ForeignContext {
  const problems: string[] = [];
  const entries = keys.map((key) => {
    const value = body[key];
    const problem = problemOf(value);
    if (problem !== null) problems.push(`${key} ${problem}`);
    return [key, problem === null && typeof value === 'string' ? new URL(value).href : null] as const;
  });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, context: Object.fromEntries(entries) as LabContext };
}

/** What is wrong with a value; `null` when it is an address or null. */
function problemOf(value: unknown): string | null {
  if (value === undefined) return 'is missing';
  if (value === null) return null;
  if (typeof value !== 'string') return `is ${kindOf(value)}, not an address`;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return `is not an http or https address: ${shown(value)}`;
  }
  if (url.username !== '' || url.password !== '') return 'holds a user name or password';
  if (/[?#]/.test(url.href)) return 'holds a query or a fragment';
  return value.length > maxLength ? `is longer than ${maxLength} characters` : null;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A foreign text, short and without what would disturb a line. */
function shown(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '�');
  return `“${clean.length > 60 ? `${clean.slice(0, 59)}…` : clean}”`;
}
