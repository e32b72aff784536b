/** Finds the name that was probably meant. */
import { distance } from 'fastest-levenshtein';

const normalize = (name: string): string => name.toLowerCase().replaceAll('-', '_');

/**
 * The candidate closest to `name`, ignoring case and `-` or `_`; `null` if none is close: at most a third of a candidate's
 * letters may differ, but always one.
 */
export function findNearestName(name: string, candidates: Iterable<string>): string | null {
  let best: { readonly name: string; readonly editDistance: number } | null = null;
  for (const candidate of candidates) {
    const maxDistance = Math.max(1, Math.floor(candidate.length / 3));
    const editDistance = distance(normalize(name), normalize(candidate));
    if (editDistance <= maxDistance && (best === null || editDistance < best.editDistance))
      best = { name: candidate, editDistance };
  }
  return best?.name ?? null;
}
