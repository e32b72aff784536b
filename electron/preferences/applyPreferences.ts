/** Applies the preferences of the whole program: theme, and language of times. */
import { app, nativeTheme } from 'electron';
import { languageOfSystem, setTimeLanguage } from './clockTime.ts';
import type { Preferences } from './preferences.ts';

export function applyPreferences({ theme, times }: Pick<Preferences, 'theme' | 'times'>): void {
  // Setting an unchanged theme would redraw every window.
  if (nativeTheme.themeSource !== theme) nativeTheme.themeSource = theme;
  setTimeLanguage(languageOf(times));
}

/** BCP 47; `null` for the dashboard's format. */
export function languageOf(times: Preferences['times']): string | null {
  switch (times) {
    case 'dashboard':
      return null;
    case 'system':
      return languageOfSystem([app.getSystemLocale(), app.getLocale()]);
    default:
      return times;
  }
}
