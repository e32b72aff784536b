/** Scores how well a text matches a query: words in any order, whole, at the start of a word, or with gaps. */
import type { PaletteEntry } from '../../panels/panel.ts';

/** The parts of an entry that are searched. */
type Findable = Pick<PaletteEntry, 'title' | 'alternativeNames' | 'names' | 'weight'>;

/**
 * The score of one word of the query, higher is better. The distance between the scores leaves room for the position in
 * the text.
 */
const scores = { whole: 100, start: 80, wordStart: 60, inside: 40, gaps: 10 } as const;

/** Lower case without accents, so that `zurich` finds `Zürich`. */
function foldText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/**
 * Returns 0 when the text doesn't match. Every word of the query must match; an earlier and closer match scores higher.
 */
export function matchScore(query: string, text: string): number {
  const terms = foldText(query).split(/\s+/).filter(Boolean);
  const target = foldText(text);
  let sum = 0;
  for (const word of terms) {
    const score = wordScore(word, target);
    if (score === 0) return 0;
    sum += score;
  }
  return terms.length === 0 ? 1 : sum / terms.length;
}

function wordScore(word: string, text: string): number {
  if (word === text) return scores.whole;
  const at = text.indexOf(word);
  if (at === 0) return scores.start;
  if (at > 0) {
    // The first occurrence may be inside a word while a later one starts a word.
    const starts = new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(word)}`, 'u').test(text);
    return starts ? scores.wordStart : scores.inside;
  }
  // Gaps allow abbreviated names (`lh1` for `liquidhandler_1`); a long word with gaps matches only by chance.
  return word.length >= 2 && word.length <= 6 && hasInOrder(word, text) ? scores.gaps : 0;
}

function escapeRegExp(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function hasInOrder(word: string, text: string): boolean {
  let from = 0;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}

/** Returns the best matches first, at most `limit`; entries with equal scores keep their order. */
export function bestMatches<Entry extends Findable>(query: string, entries: readonly Entry[], limit: number): Entry[] {
  return entries
    .map((entry) => ({ entry, score: entryScore(query, entry) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ entry }) => entry);
}

/** The score of an exact name: higher than any other score with its weight. */
const exactNameScore = 1000;

function entryScore(query: string, { title, alternativeNames = [], names = [], weight = 0 }: Findable): number {
  if (names.includes(foldText(query).trim())) return exactNameScore;
  // A match that needs the alternative names scores half of a match in the title.
  const titleScore = matchScore(query, title);
  const score = titleScore > 0 ? titleScore : matchScore(query, [title, ...alternativeNames].join(' ')) / 2;
  return score === 0 ? 0 : score + weight;
}
