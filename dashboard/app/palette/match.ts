/** How well a text matches what was typed: words in any order, whole, at the start of a word, or with gaps. Pure. */
import type { PaletteEntry } from '../../panels/panel.ts';

/** What of an entry is looked at. */
type Findable = Pick<PaletteEntry, 'title' | 'also' | 'names' | 'weight'>;

/** Scores of one word of the query, higher is better; between them there is room for where in the text it is. */
const scores = { whole: 100, start: 80, wordStart: 60, inside: 40, gaps: 10 } as const;

/** Small letters without accents, so that `Zürich` is found by `zurich`. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** 0 when it doesn't match. Every word of the query must be found; earlier and tighter is better. */
export function matchScore(query: string, text: string): number {
  const terms = plain(query).split(/\s+/).filter(Boolean);
  const target = plain(text);
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
    // A word of the text may start in the middle of it, and earlier in it than the first occurrence.
    const starts = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}`, 'u').test(text);
    return starts ? scores.wordStart : scores.inside;
  }
  // Gaps are for names typed in short (`lh1` for `liquidhandler_1`); a long word with gaps matches by chance.
  return word.length >= 2 && word.length <= 6 && hasInOrder(word, text) ? scores.gaps : 0;
}

function escaped(word: string): string {
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

/** The best matches first, at most `most`; with equal scores in the order given. */
export function bestMatches<Entry extends Findable>(query: string, entries: readonly Entry[], limit: number): Entry[] {
  return entries
    .map((entry) => ({ entry, score: entryScore(query, entry) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ entry }) => entry);
}

/** Above any other score with its weight. */
const namedScore = 1000;

function entryScore(query: string, { title, also = [], names = [], weight = 0 }: Findable): number {
  if (names.includes(plain(query).trim())) return namedScore;
  // What is only found by its second names comes after what is found by its title.
  const byTitle = matchScore(query, title);
  const all = byTitle > 0 ? byTitle : matchScore(query, [title, ...also].join(' ')) / 2;
  return all === 0 ? 0 : all + weight;
}
