/** Applies the preferences of the whole program: theme, and language of times. */
import { app, nativeTheme } from 'electron';
import { firstLanguage, setTimeLanguage } from './clockTime.ts';
import type { Preferences } from './preferences.ts';

export function applyPreferences({ theme, times }: Pick<Preferences, 'theme' | 'times'>): void {
  // Setting an unchanged theme would redraw every window.
  if (nativeTheme.themeSource !== theme) nativeTheme.themeSource = theme;
  setTimeLanguage(findTimeLanguage(times));
}

/** Returns a BCP 47 tag; `null` for the dashboard's format. */
export function findTimeLanguage(times: Preferences['times']): string | null {
  switch (times) {
    case 'dashboard':
      return null;
    case 'system':
      return firstLanguage([app.getSystemLocale(), app.getLocale()]);
    default:
      return times;
  }
}
