/** The location manager's rules for names. Pure. */

/** What is wrong with a name; `null` when it can be used. */
export type NameProblem = 'empty' | 'signs' | 'taken';

/** Letters and digits, also those beyond ASCII, and three signs: a name is part of the manager's addresses. */
const signs = /^[\p{L}\p{N}_.-]+$/u;

/** @param taken names that the lab has already */
export function nameProblem(name: string, taken: ReadonlySet<string> = new Set()): NameProblem | null {
  if (name === '') return 'empty';
  if (!signs.test(name)) return 'signs';
  return taken.has(name) ? 'taken' : null;
}
