/** The colours of a drawing: of the page as it is, or of a sheet of paper. */
import { accent, stateColors, surfaces, type StateColor } from '../../../../api/states.ts';
import { paletteColors } from './palette.ts';
import { useMutationObserver } from '@vueuse/core';
import { type Ref, ref } from 'vue';

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

/** Light, whatever the page is. */
export const paperTokens: Tokens = {
  ...surfaces.light,
  line: surfaces.light.border,
  accent: accent[0],
  states: Object.fromEntries(stateKeys.map((key) => [key, stateColors[key][0]])) as Record<StateColor, string>,
  palette: paletteColors.map(([light]) => light),
};

export function pageTokens(): Tokens {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const dark = document.documentElement.dataset['theme'] === 'dark';
  return {
    surface: of('surface'),
    background: of('background'),
    line: of('line'),
    text: of('text'),
    muted: of('muted'),
    accent: of('accent'),
    states: Object.fromEntries(stateKeys.map((key) => [key, of(key)])) as Record<StateColor, string>,
    palette: paletteColors.map((pair) => pair[dark ? 1 : 0]),
  };
}

/** Whether the page is dark just now. */
const isDark = (): boolean => document.documentElement.dataset['theme'] === 'dark';

export function useDark(): Readonly<Ref<boolean>> {
  const dark = ref(isDark());
  useMutationObserver(document.documentElement, () => (dark.value = isDark()), { attributeFilter: ['data-theme'] });
  return dark;
}
