/** The colours of a theme as custom properties of the page, and the icon of each choice. */
import { themeColors, type Theme } from '../../../api/themeColors.ts';
import { mdiCircleHalfFull, mdiWeatherNight, mdiWhiteBalanceSunny } from '@mdi/js';
import type { ThemeChoice } from '../../base/themeChoice.ts';

/** Draws the page in the colours of a theme. */
export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  root.dataset['theme'] = theme;
  for (const [name, color] of Object.entries(themeColors(theme))) root.style.setProperty(`--${name}`, color);
}

/** What stands for each choice of theme, on the button and in its list. */
export const themeIcons: Readonly<Record<ThemeChoice, string>> = {
  system: mdiCircleHalfFull,
  light: mdiWhiteBalanceSunny,
  dark: mdiWeatherNight,
};
