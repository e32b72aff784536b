/** Colours of things that are not states: lines of a plot, workflows and experiments of the timeline. */
import { useMutationObserver } from '@vueuse/core';
import { type Ref, ref } from 'vue';

/**
 * A test ensures that each is distinguishable from every state colour in both themes. Each also needs a pattern or a
 * dash, because colour alone is not accessible.
 */
export const paletteColors: readonly (readonly [light: string, dark: string])[] = [
  ['#0A7A85', '#4DD0E1'],
  ['#6D3F2B', '#D2A98F'],
  ['#B0246E', '#FF7AB8'],
  ['#5E7400', '#C0CA33'],
  ['#3D3FB5', '#8B7CF6'],
];

/** Returns whether the page currently uses the dark theme. */
const isDark = (): boolean => document.documentElement.dataset['theme'] === 'dark';

export function useDark(): Readonly<Ref<boolean>> {
  const dark = ref(isDark());
  useMutationObserver(document.documentElement, () => (dark.value = isDark()), { attributeFilter: ['data-theme'] });
  return dark;
}
