/**
 * Colours of what is no state: workflows and experiments. Each is far from every state's colour, in both themes, and each has
 * a pattern too, so that nothing is told by colour alone. A test measures it.
 */
export const paletteColors: readonly (readonly [light: string, dark: string])[] = [
  ['#0A7A85', '#4DD0E1'],
  ['#6D3F2B', '#D2A98F'],
  ['#B0246E', '#FF7AB8'],
  ['#5E7400', '#C0CA33'],
  ['#3D3FB5', '#8B7CF6'],
];

/** First all colours whole, then all of them striped. */
const patterns = ['whole', 'striped'] as const;
type Pattern = (typeof patterns)[number];

interface CategoryLook {
  /** Place in `paletteColors`; `null`: the rest, drawn in the colour of quiet words. */
  readonly color: number | null;
  readonly pattern: Pattern;
}

/** More nobody tells apart: the rest is one category. */
export const mostCategories = paletteColors.length * patterns.length;

export function categoryLook(place: number): CategoryLook {
  if (place >= mostCategories) return { color: null, pattern: 'striped' };
  return {
    color: place % paletteColors.length,
    pattern: patterns[Math.floor(place / paletteColors.length)] ?? 'striped',
  };
}
