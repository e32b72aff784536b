/** Sets a theme's colours as custom properties of the page; also the icons of the theme choices. */
import { themeColors, type Theme } from '#api/themeColors.ts';
import { mdiCircleHalfFull, mdiWeatherNight, mdiWhiteBalanceSunny } from '@mdi/js';
import type { ThemeChoice } from '../../base/themeChoice.ts';

/** Applies the colours of a theme to the page. */
export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  root.dataset['theme'] = theme;
  const colors = themeColors(theme);
  for (const [name, color] of Object.entries(colors)) root.style.setProperty(`--${name}`, color);
  // A phone draws its status bar above the top bar.
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', colors['surface'] ?? '');
}

/** The icon of each theme choice, on the button and in its list. */
export const themeIcons: Readonly<Record<ThemeChoice, string>> = {
  system: mdiCircleHalfFull,
  light: mdiWhiteBalanceSunny,
  dark: mdiWeatherNight,
};
