/** Boolean query parameters as the real service reads and refuses them. Pure. */
const yes = new Set(['true', '1', 'on', 'yes', 't', 'y']);
const no = new Set(['false', '0', 'off', 'no', 'f', 'n']);

/** One problem in the form of the real service's 422 bodies. */
export interface QueryProblem {
  readonly type: string;
  readonly loc: string[];
  readonly msg: string;
  readonly input: unknown;
}

/** The value of `name` in a query; the last one counts when it is there more than once. */
export function booleanQuery(
  query: URLSearchParams,
  name: string,
  fallback: boolean,
): { readonly ok: true; readonly value: boolean } | { readonly ok: false; readonly problem: QueryProblem } {
  const text = query.getAll(name).at(-1);
  if (text === undefined) return { ok: true, value: fallback };
  const word = text.toLowerCase();
  if (yes.has(word)) return { ok: true, value: true };
  if (no.has(word)) return { ok: true, value: false };
  const msg = 'Input should be a valid boolean, unable to interpret input';
  return { ok: false, problem: { type: 'bool_parsing', loc: ['query', name], msg, input: text } };
}
