/** Finds the name that was probably meant. */
import { distance } from 'fastest-levenshtein';

const normal = (name: string): string => name.toLowerCase().replaceAll('-', '_');

/** The known name closest to `name`, ignoring case and `-` or `_`; `null` if none is within a third of its letters. */
export function nearestName(name: string, known: Iterable<string>): string | null {
  let best: { readonly name: string; readonly away: number } | null = null;
  for (const candidate of known) {
    const maxDistance = Math.max(1, Math.floor(candidate.length / 3));
    const away = distance(normal(name), normal(candidate));
    if (away <= maxDistance && (best === null || away < best.away)) best = { name: candidate, away };
  }
  return best?.name ?? null;
}
