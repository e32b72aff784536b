import { accent, stateColors, surfaces, type StateAppearance, type StateColor } from '#api/states.ts';
import { paletteColors } from '#dashboard/components/plot/palette.ts';

/** All colours are used solid first, then striped. */
const patterns = ['solid', 'striped'] as const;
type Pattern = (typeof patterns)[number];

interface CategoryAppearance {
  /** Index in `paletteColors`; `null` for the remaining categories, drawn in the muted text colour. */
  readonly color: number | null;
  readonly pattern: Pattern;
}

/** More categories are not distinguishable and are combined. */
export const maxCategories = paletteColors.length * patterns.length;

export function categoryAppearance(index: number): CategoryAppearance {
  if (index >= maxCategories) return { color: null, pattern: 'striped' };
  return {
    color: index % paletteColors.length,
    pattern: patterns[Math.floor(index / paletteColors.length)] ?? 'striped',
  };
}

/** Returns whether a state is drawn with every colouring. */
export function isProblem({ severity, color }: StateAppearance): boolean {
  return severity >= 2 || color === 'held';
}

export interface Tokens {
  readonly surface: string;
  readonly background: string;
  readonly line: string;
  readonly text: string;
  readonly muted: string;
  readonly accent: string;
  readonly states: Readonly<Record<StateColor, string>>;
  readonly palette: readonly string[];
}

const stateKeys = Object.keys(stateColors) as StateColor[];

/** Always the light theme. */
export const paperTokens: Tokens = {
  ...surfaces.light,
  line: surfaces.light.border,
  accent: accent[0],
  states: Object.fromEntries(stateKeys.map((key) => [key, stateColors[key][0]])) as Record<StateColor, string>,
  palette: paletteColors.map(([light]) => light),
};

export function pageTokens(): Tokens {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const dark = document.documentElement.dataset['theme'] === 'dark';
  return {
    surface: token('surface'),
    background: token('background'),
    line: token('line'),
    text: token('text'),
    muted: token('muted'),
    accent: token('accent'),
    states: Object.fromEntries(stateKeys.map((key) => [key, token(key)])) as Record<StateColor, string>,
    palette: paletteColors.map((pair) => pair[dark ? 1 : 0]),
  };
}
