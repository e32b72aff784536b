/** Applies the preferences of the whole program: theme, and locale of times. */
import { app, nativeTheme } from 'electron';
import { firstSupportedLocale, setTimeLocale } from './clockTime.ts';
import type { Preferences } from './preferences.ts';

export function applyPreferences({ theme, times }: Pick<Preferences, 'theme' | 'times'>): void {
  // Setting an unchanged theme would redraw every window.
  if (nativeTheme.themeSource !== theme) nativeTheme.themeSource = theme;
  setTimeLocale(findTimeLocale(times));
}

/** Returns a BCP 47 tag; `null` for the dashboard's format. */
export function findTimeLocale(times: Preferences['times']): string | null {
  switch (times) {
    case 'dashboard':
      return null;
    case 'system':
      return firstSupportedLocale([app.getSystemLocale(), app.getLocale()]);
    default:
      return times;
  }
}
