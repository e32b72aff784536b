/** The name that was probably meant. */
import { distance } from 'fastest-levenshtein';

/** The known name closest to `name`, if it is close enough to be a slip; null otherwise. */
export function nearest(name: string, known: Iterable<string>): string | null {
  const most = Math.max(1, Math.floor(name.length / 3));
  let best: { name: string; far: number } | null = null;
  for (const candidate of known) {
    const far = distance(name.toLowerCase(), candidate.toLowerCase());
    if (far <= most && far < (best?.far ?? Number.POSITIVE_INFINITY)) best = { name: candidate, far };
  }
  return best?.name ?? null;
}
