/**
 * The colours of both themes by the names of their custom properties, for the dashboard, the app's own pages and the
 * user guide.
 */
import { accent, stateColors, surfaces } from './states.ts';

export type Theme = 'light' | 'dark';

/** Colours by name, without the dashes of the custom property. */
export function themeColors(theme: Theme): Readonly<Record<string, string>> {
  const index = theme === 'light' ? 0 : 1;
  const { border, ...rest } = surfaces[theme];
  const states = Object.entries(stateColors).map(([name, pair]) => [name, pair[index]]);
  return { ...rest, line: border, accent: accent[index], ...Object.fromEntries(states) };
}

/** A style sheet that follows the system's theme. */
export function themeStyleSheet(): string {
  const properties = (theme: Theme) =>
    Object.entries(themeColors(theme))
      .map(([name, color]) => `--${name}:${color}`)
      .join(';');
  return `:root{${properties('light')}}@media(prefers-color-scheme:dark){:root{${properties('dark')}}}`;
}
