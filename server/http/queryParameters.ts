/**
 * Query parameters: booleans, parsed and refused as in MADSci's lab manager, and unsigned decimal numbers, refused in
 * the same form.
 */
const trueTexts = new Set(['true', '1', 'on', 'yes', 't', 'y']);
const falseTexts = new Set(['false', '0', 'off', 'no', 'f', 'n']);

/** One problem in the form of MADSci's lab manager's 422 bodies. */
interface QueryProblem {
  readonly type: string;
  readonly loc: string[];
  readonly msg: string;
  readonly input: unknown;
}

/** The value of `name` in a query; the last of several counts. */
export function parseBooleanQuery(
  query: URLSearchParams,
  name: string,
  fallback: boolean,
): { readonly ok: true; readonly value: boolean } | { readonly ok: false; readonly problem: QueryProblem } {
  const text = query.getAll(name).at(-1);
  if (text === undefined) return { ok: true, value: fallback };
  const word = text.toLowerCase();
  if (trueTexts.has(word)) return { ok: true, value: true };
  if (falseTexts.has(word)) return { ok: true, value: false };
  const msg = 'Input should be a valid boolean, unable to interpret input';
  return { ok: false, problem: { type: 'bool_parsing', loc: ['query', name], msg, input: text } };
}

/** The value of `name` in a query, `null` if it is missing; the last of several counts. */
export function parseNumberQuery(
  query: URLSearchParams,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): { readonly ok: true; readonly value: number | null } | { readonly ok: false; readonly problem: QueryProblem } {
  const text = query.getAll(name).at(-1);
  if (text === undefined) return { ok: true, value: null };
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const refuse = (type: string, msg: string): { readonly ok: false; readonly problem: QueryProblem } => ({
    ok: false,
    problem: { type, loc: ['query', name], msg, input: text },
  });
  if (Number.isNaN(value)) return refuse('float_parsing', 'Input should be a valid number');
  if (value < min) return refuse('greater_than_equal', `Input should be greater than or equal to ${min}`);
  if (value > max) return refuse('less_than_equal', `Input should be less than or equal to ${max}`);
  return { ok: true, value };
}
