/** The colours of `api/states.ts` as custom properties of the page: the same as the tray's, in both themes. */
import { accent, stateColors, surfaces } from '../../../api/states.ts';
import { mdiCircleHalfFull, mdiWeatherNight, mdiWhiteBalanceSunny } from '@mdi/js';
import type { ThemeChoice } from '../../base/themeChoice.ts';

export type Scheme = 'light' | 'dark';

function colors(scheme: Scheme): Readonly<Record<string, string>> {
  const index = scheme === 'light' ? 0 : 1;
  const { surface, background, border, text, muted } = surfaces[scheme];
  const states = Object.entries(stateColors).map(([name, pair]) => [name, pair[index]] as const);
  return { background, surface, line: border, text, muted, accent: accent[index], ...Object.fromEntries(states) };
}

/** Draws the page in the colours of a theme. */
export function applyTheme(scheme: Scheme): void {
  const root = document.documentElement;
  root.dataset['theme'] = scheme;
  for (const [name, color] of Object.entries(colors(scheme))) root.style.setProperty(`--${name}`, color);
}

/** What stands for each choice of theme, on the button and in its list. */
export const themeIcons: Readonly<Record<ThemeChoice, string>> = {
  system: mdiCircleHalfFull,
  light: mdiWhiteBalanceSunny,
  dark: mdiWeatherNight,
};
