/** Number query parameters, refused as the real service refuses them. Pure. */
import type { QueryProblem } from './booleanQuery.ts';

/** The value of `name` in a query, `null` where it isn't there; the last one counts when it is there more than once. */
export function numberQuery(
  query: URLSearchParams,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): { readonly ok: true; readonly value: number | null } | { readonly ok: false; readonly problem: QueryProblem } {
  const text = query.getAll(name).at(-1);
  if (text === undefined) return { ok: true, value: null };
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const refuse = (type: string, msg: string): { readonly ok: false; readonly problem: QueryProblem } => ({
    ok: false,
    problem: { type, loc: ['query', name], msg, input: text },
  });
  if (Number.isNaN(value)) return refuse('float_parsing', 'Input should be a valid number');
  if (value < least) return refuse('greater_than_equal', `Input should be greater than or equal to ${least}`);
  if (value > most) return refuse('less_than_equal', `Input should be less than or equal to ${most}`);
  return { ok: true, value };
}
