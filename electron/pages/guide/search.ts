/** Full-text search of the guide. */

/** A heading of the guide with the text below it. */
export interface Section {
  /** `troubleshooting.html` */
  readonly page: string;
  readonly anchor: string;
  readonly title: string;
  /** The title of the section's page. */
  readonly pageTitle: string;
  readonly text: string;
}

/** A part of an excerpt. */
interface ExcerptPart {
  readonly text: string;
  /** True for a match of the query. */
  readonly isMatch: boolean;
}

export interface Result {
  readonly section: Section;
  readonly excerpt: readonly ExcerptPart[];
}

const maxResults = 30;
/** The length of an excerpt, and of its part before the match, in characters. */
const excerptLength = 160;
const excerptBefore = 50;

/**
 * Normalizes text for comparison: no accents, lower case, plain quotes. The length does not change, so that positions
 * in the result are also positions in the text.
 */
function normalizeText(text: string): string {
  return [...text]
    .map((character) => {
      const baseCharacters = character.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
      return baseCharacters.length === character.length
        ? baseCharacters
        : character.toLowerCase().slice(0, character.length);
    })
    .join('')
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[“”]/g, '"');
}

/** Returns the sections with every word of the query, the best match first. */
export function searchGuide(sections: readonly Section[], query: string): readonly Result[] {
  const terms = normalizeText(query).split(/\s+/).filter(Boolean);
  if (terms.length === 0) return [];
  return sections
    .map((section) => ({ section, rank: rankSection(section, terms) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, maxResults)
    .map(({ section }) => ({ section, excerpt: createExcerpt(section.text, terms) }));
}

/**
 * Returns the rank of a section, higher for a better match; 0 if a term is missing. A match in the heading ranks
 * highest, then one at the start of a word.
 */
function rankSection({ title, pageTitle, text }: Section, terms: readonly string[]): number {
  const [heading, page, body] = [normalizeText(title), normalizeText(pageTitle), normalizeText(text)];
  const ranks = terms.map((word) => {
    const inHeading = heading.includes(word) ? 20 : 0;
    const inPage = page.includes(word) ? 2 : 0;
    const inBody = Math.min(5, body.split(word).length - 1);
    if (inHeading + inBody === 0) return 0;
    const startBonus = ` ${heading} ${body}`.split(/[^\p{L}\p{N}_]+/u).some((token) => token.startsWith(word)) ? 5 : 0;
    return inHeading + inPage + inBody + startBonus;
  });
  return ranks.includes(0) ? 0 : ranks.reduce((sum, rank) => sum + rank, 0);
}

/** Returns the text around the first match, with all matches marked. */
function createExcerpt(text: string, terms: readonly string[]): readonly ExcerptPart[] {
  const body = normalizeText(text);
  const positions = terms.map((word) => body.indexOf(word)).filter((position) => position >= 0);
  const first = positions.length === 0 ? 0 : Math.min(...positions);
  const from = first <= excerptBefore ? 0 : text.indexOf(' ', first - excerptBefore) + 1 || first;
  const cut = from + excerptLength;
  const space = text.lastIndexOf(' ', cut);
  const to = cut >= text.length ? text.length : space > from ? space : cut;
  const parts: ExcerptPart[] = from > 0 ? [{ text: '… ', isMatch: false }] : [];
  let position = from;
  while (position < to) {
    const next = nextMatch(body, terms, position);
    if (next === null || next.start >= to) break;
    if (next.start > position) parts.push({ text: text.slice(position, next.start), isMatch: false });
    parts.push({ text: text.slice(next.start, next.end), isMatch: true });
    position = next.end;
  }
  if (position < to) parts.push({ text: text.slice(position, to), isMatch: false });
  return to < text.length ? [...parts, { text: ' …', isMatch: false }] : parts;
}

function nextMatch(body: string, terms: readonly string[], from: number): { start: number; end: number } | null {
  const matches = terms
    .map((word) => ({ start: body.indexOf(word, from), end: body.indexOf(word, from) + word.length }))
    .filter(({ start }) => start >= 0);
  return matches.toSorted((a, b) => a.start - b.start || b.end - a.end)[0] ?? null;
}
