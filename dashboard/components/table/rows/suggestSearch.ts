/** Another spelling for a search that finds nothing: each word that no row has gives way to the nearest one that some row has. Pure. */
import { nearestName } from '../../../../api/nearestName.ts';

/** @param texts what the rows can be found by, in lower case @returns `null` where nothing is near */
export function suggestedSearch(search: string, texts: readonly string[]): string | null {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const known = new Set<string>();
  for (const text of texts) for (const word of text.split(/[^\p{L}\p{N}]+/u)) if (word !== '') known.add(word);
  const near = words.map((word) => (texts.some((text) => text.includes(word)) ? word : nearestName(word, known)));
  const suggestion = near.every((word) => word !== null) ? near.join(' ') : null;
  return suggestion === null || suggestion === words.join(' ') ? null : suggestion;
}
